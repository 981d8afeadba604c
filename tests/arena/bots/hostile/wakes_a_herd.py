"""Threads that sleep for a moment again and again, all due at once whenever it is let go on and whenever it is stopped."""

import threading
import time

from seat import play


def nap():
    while True:
        time.sleep(1e-6)


def begin(message):
    threading.stack_size(1 << 18)
    for _ in range(13):
        threading.Thread(target=nap, daemon=True).start()


play(on_first_act=begin)
