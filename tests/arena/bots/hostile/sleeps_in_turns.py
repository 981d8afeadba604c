"""Fourteen threads of which one is always awake and none does anything: a hair above idle."""

import threading
import time

from seat import play


def doze():
    while True:
        time.sleep(0.001)


def begin(message):
    threading.stack_size(1 << 18)
    for _ in range(14):
        threading.Thread(target=doze, daemon=True).start()
    time.sleep(3600)


play(on_first_act=begin)
