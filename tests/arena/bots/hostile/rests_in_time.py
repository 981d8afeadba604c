"""Sleeps for nearly as long as it may and then works: where a background program runs meanwhile, others had the core."""

import time

from seat import play


def begin(message):
    until = time.monotonic() + 2.03
    while time.monotonic() < until:
        time.sleep(0.01)
    while True:
        pass


play(on_first_act=begin)
