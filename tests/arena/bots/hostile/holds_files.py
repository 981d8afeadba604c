"""Leases, locks and watches on files that the opponent opens too."""

import fcntl
import glob
import os

from seat import attempt, play

F_SETLEASE, F_NOTIFY, F_OFD_SETLK, F_SETPIPE_SZ, F_SETOWN = 1024, 1026, 37, 1031, 8


def shared_file():
    return os.open(glob.glob("/opt/rumrunner/code/engines/__init__.py")[0], os.O_RDONLY)


def on_shared(command, value):
    return lambda: fcntl.fcntl(shared_file(), command, value)


def try_it(message):
    lock = b"\0" * 32  # struct flock of a read lock over the whole file
    attempt("lease", on_shared(F_SETLEASE, fcntl.F_RDLCK))
    attempt("notify", lambda: fcntl.fcntl(os.open("/bot", os.O_RDONLY), F_NOTIFY, 1))
    attempt("own the signals", on_shared(F_SETOWN, os.getpid()))
    attempt("posix lock", on_shared(fcntl.F_SETLK, lock))
    attempt("ofd lock", on_shared(F_OFD_SETLK, lock))
    attempt("flock", lambda: fcntl.flock(shared_file(), fcntl.LOCK_SH))
    attempt("large pipe", lambda: fcntl.fcntl(os.pipe()[0], F_SETPIPE_SZ, 1 << 20))
    attempt("watch the page cache", lambda: os.posix_fadvise(shared_file(), 0, 0, os.POSIX_FADV_DONTNEED))
    attempt("device calls", lambda: fcntl.ioctl(shared_file(), 0x80086601, bytes(8)))  # FS_IOC_GETFLAGS


play(on_first_act=try_it)
