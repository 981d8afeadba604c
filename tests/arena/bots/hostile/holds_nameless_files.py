"""Files without a name, each held open, each written full: as many as there are descriptors."""

import os
import sys

from seat import attempt, play


def fill():
    held = []
    while len(held) < 60:
        path = f"/tmp/{len(held)}"
        held.append(os.open(path, os.O_CREAT | os.O_RDWR))
        os.unlink(path)
        os.write(held[-1], bytes(1 << 20))
    return len(held)


def try_it(message):
    attempt("60 MiB without a name", fill)
    sys.stderr.flush()


play(on_first_act=try_it)
