"""Leaves as if the host had killed it for want of memory."""

import os

from seat import play


def leave(message):
    os._exit(137)


play(on_first_act=leave)
