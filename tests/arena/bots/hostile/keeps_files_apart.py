"""Threads with files, folders or signals of their own: each would have its own sixty files, and its own way to stop."""

from seat import attempt, play, syscall
from shelter import FILES, FS, SIGHAND, THREAD, VM, clone

PTRACE, PARENT, IO, UNTRACED, PIDFD = 0x2000, 0x8000, 0x80000000, 0x800000, 0x1000


def try_it(message):
    attempt("own files", lambda: clone(VM | FS | SIGHAND | THREAD))
    attempt("own folder", lambda: clone(VM | FILES | SIGHAND | THREAD))
    for name, flag in (("ptrace", PTRACE), ("parent", PARENT), ("io", IO), ("untraced", UNTRACED), ("pidfd", PIDFD)):
        attempt(f"clone {name}", lambda flag=flag: clone(VM | FS | FILES | SIGHAND | THREAD | flag))
    attempt("clone with a signal", lambda: clone(VM | FS | FILES | SIGHAND | THREAD | 17))
    attempt("unshare files", lambda: syscall(272, 0x400))


play(on_first_act=try_it)
