"""Becomes a new program over and over: new memory, no threads, and the counts of the old ones with it."""

import os
import sys

from seat import play

AGAIN = [sys.orig_argv[0], *sys.orig_argv[1:-1], sys.orig_argv[-1]]


def begin(message):
    os.environ["AGAIN"] = "yes"
    os.execv(f"/usr/bin/python3.{sys.version_info.minor}", AGAIN)


if os.environ.get("AGAIN"):
    begin(None)
play(on_first_act=begin)
