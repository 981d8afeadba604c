"""Threads with files, folders or signals of their own: each would have its own sixty files, and its own way to stop."""

import os

from seat import attempt, play, syscall
from shelter import FILES, FS, SIGHAND, THREAD, VM, clone, waits_for_a_byte

PTRACE, PARENT, IO, UNTRACED, PIDFD = 0x2000, 0x8000, 0x80000000, 0x800000, 0x1000


def cloned(flags):
    return lambda: clone(flags, waits_for_a_byte(os.pipe()[0]))


def try_it(message):
    attempt("own files", cloned(VM | FS | SIGHAND | THREAD))
    attempt("own folder", cloned(VM | FILES | SIGHAND | THREAD))
    for name, flag in (("ptrace", PTRACE), ("parent", PARENT), ("io", IO), ("untraced", UNTRACED), ("pidfd", PIDFD)):
        attempt(f"clone {name}", cloned(VM | FS | FILES | SIGHAND | THREAD | flag))
    attempt("clone with a signal", cloned(VM | FS | FILES | SIGHAND | THREAD | 17))
    attempt("unshare files", lambda: syscall(272, 0x400))


play(on_first_act=try_it)
