"""How full the host's disks are, and what they are."""

import os

from seat import attempt, play


def try_it(message):
    for path in ("/", "/usr", "/bot", "/tmp", "/dev", "/dev/null", "/opt/rumrunner/code"):
        attempt(f"statfs {path}", lambda path=path: os.statvfs(path))
    attempt("fstatfs", lambda: os.fstatvfs(os.open("/", os.O_RDONLY)))
    attempt("fstatfs of a pipe", lambda: os.fstatvfs(0))


play(on_first_act=try_it)
