import os
import sys

from seat import attempt, play, syscall


def write(path):
    with open(path, "w") as stream:
        stream.write("owned")


def try_it(message):
    for path in (
        "/bot/planted.py",
        "/bot/seat.py",
        "/usr/planted",
        "/opt/rumrunner/boot.py",
        "/etc/passwd",
        "/planted",
        "/opt/rumrunner/code/engines/__init__.py",
        "/proc/sys/kernel/hostname",
        "/proc/sysrq-trigger",
    ):
        attempt(f"write {path}", lambda path=path: write(path))
    attempt("chmod the interpreter", lambda: os.chmod(sys.executable, 0o4777))
    attempt("chmod by number", lambda: syscall(90, sys.executable.encode(), 0o4777))
    attempt("fchmodat", lambda: syscall(268, -100, sys.executable.encode(), 0o4777))
    attempt("chown the bundle", lambda: syscall(92, b"/bot", 0, 0))
    attempt("utime", lambda: os.utime(sys.executable))
    attempt("remove the bundle", lambda: os.unlink("/bot/seat.py"))
    attempt("rename the bundle", lambda: os.rename("/bot/seat.py", "/bot/other.py"))
    attempt("link out", lambda: os.symlink("/etc/passwd", "/tmp/link"))


play(on_first_act=try_it)
