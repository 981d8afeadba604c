import glob
import os

from seat import attempt, play


def try_it(message):
    for path in ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/work", "/var", "/run", "/sys"):
        attempt(f"read {path}", lambda path=path: os.listdir(path) if os.path.isdir(path) else open(path).read())
    allowed = {"bin", "bot", "dev", "etc", "lib", "lib64", "opt", "proc", "tmp", "usr", "sbin"}
    attempt("list more than the runtime", lambda: [n for n in os.listdir("/") if n not in allowed][0])
    attempt("climb out", lambda: open("/proc/1/root/../../../../etc/passwd").read())
    attempt(
        "read the seed", lambda: [open(p).read() for p in glob.glob("/proc/*/cmdline") if p != "/proc/1/cmdline"][5]
    )
    with open("/bot/wanted.txt") as stream:
        for path in stream.read().split():
            attempt(f"read {os.path.basename(path)}", lambda path=path: open(path).read())


play(on_first_act=try_it)
