"""A sleeper with an alarm clock: awake for a moment at every look, so that it seems to be ready."""

import time

from seat import play


def tick(message):
    while True:
        time.sleep(0.0495)


play(on_first_act=tick)
