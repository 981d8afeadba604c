"""Fills a pipe of its own and waits for room that nobody will make; a helper keeps it looking busy."""

import os
import threading
import time

from seat import play


def breathe():
    while True:
        time.sleep(0.01)


def fill(message):
    threading.Thread(target=breathe, daemon=True).start()
    _, write = os.pipe()
    while True:
        os.write(write, bytes(4096))


play(on_first_act=fill)
