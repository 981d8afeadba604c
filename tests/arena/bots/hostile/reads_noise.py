"""Asks the kernel for random bytes, a megabyte a call, all of it work outside the bot's own code."""

import os

from seat import play


def read(message):
    while True:
        os.getrandom(1 << 20)


play(on_first_act=read)
