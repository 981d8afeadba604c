"""Finds the table of system calls by which its warm parent lives, and goes through it from every row."""

import gc
import sys

from seat import attempt, play

STEPS = ("request", "network", "fork", "answer", "setns out", "open_tree", "unshare mounts", "mount", "unshare user")


def try_it(message):
    gc.unfreeze()
    tables = [found for found in gc.get_objects() if type(found).__name__ == "Batch"]
    sys.stderr.write(f"found {len(tables)}\n")
    for table in tables:
        for step in STEPS:
            attempt(step, lambda table=table, step=step: table.run(step))


play(on_first_act=try_it)
