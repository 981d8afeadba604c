"""Sleeps to just below the limit of an act, again and again: the limit of the match is what ends it."""

import time

from seat import play, say


def answer(message):
    time.sleep(0.28)
    say({"action": "take1"})


play(answer=answer)
