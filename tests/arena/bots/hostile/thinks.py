"""A fair thinker: most of its bank in the first act, and half of its allowance in each."""

import time

from seat import play, say

limits = {}


def think(ms):
    until = time.process_time() + ms / 1000
    while time.process_time() < until:
        pass


def begin(start):
    limits.update(start["limits"])


def answer(message):
    think(0.5 * limits["turn_ms"] + (0.6 * limits["bank_ms"] if message["ply"] < 2 else 0))
    say({"action": message["legal"][0]})


play(on_start=begin, answer=answer)
