"""Looks for an open file that it shares with whoever opened it: what one moves, the other would read from elsewhere."""

import os
from functools import partial

from seat import attempt, play


def try_it(message):
    for number in range(64):
        attempt(f"seek in {number}", partial(os.lseek, number, 1, os.SEEK_CUR))
        attempt(f"cut {number}", partial(os.ftruncate, number, 0))


play(on_first_act=try_it)
