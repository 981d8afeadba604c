"""Calls that make the kernel work or sleep for a bot, out of reach of a stop: refused, or answered and not done."""

import mmap
import os
import sys
import time

from seat import attempt, play, syscall

GLOBAL, GLOBAL_EXPEDITED, REGISTER_GLOBAL_EXPEDITED = 1, 2, 4
MS_SYNC = 4


def spend_nothing(name, call):
    """Tells the log what two thousand of them cost; an error would be one of a call that was done."""
    began = time.process_time()
    for _ in range(2000):
        call()
    took = time.process_time() - began
    sys.stderr.write(f"2000 x {name}: {took * 1e3:.1f} ms\n")


def try_it(message):
    for name, command in (("global", GLOBAL), ("expedited", GLOBAL_EXPEDITED), ("register", REGISTER_GLOBAL_EXPEDITED)):
        attempt(f"membarrier {name}", lambda command=command: syscall(324, command, 0, 0))
    paper = os.open("/tmp/paper", os.O_RDWR | os.O_CREAT)
    os.write(paper, bytes(1 << 16))
    page = mmap.mmap(paper, 4096)
    spend_nothing("fsync", lambda: os.fsync(paper))
    spend_nothing("fdatasync", lambda: os.fdatasync(paper))
    spend_nothing("sync", os.sync)
    spend_nothing("syncfs", lambda: syscall(306, paper))
    spend_nothing("sync_file_range", lambda: syscall(277, paper, 0, 65536, 7))
    spend_nothing("msync", page.flush)
    # Even where there is nothing to be synced: a call that is not done can't fail.
    spend_nothing("fsync of nothing", lambda: os.fsync(999))


play(on_first_act=try_it)
