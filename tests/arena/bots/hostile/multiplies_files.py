"""Threads that each take a table of files of their own from a call that closes files, and sixty more with it."""

import os
import sys
import threading

from seat import play, syscall

CLOSE_RANGE, UNSHARE = 436, 2
OPENED = []


def open_many():
    try:
        syscall(CLOSE_RANGE, 1000, 1001, UNSHARE)
    except OSError as error:
        sys.stderr.write(f"refused: {error}\n")
    opened = []
    try:
        while True:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        OPENED.append(len(opened))


def try_it(message):
    for _ in range(4):
        one = threading.Thread(target=open_many)
        one.start()
        one.join()
    sys.stderr.write(f"{sum(OPENED)} files{': DONE' if sum(OPENED) > 64 else ''}\n")


play(on_first_act=try_it)
