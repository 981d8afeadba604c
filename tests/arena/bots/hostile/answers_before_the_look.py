"""Rests for just less than the time in which nobody looks, again and again."""

import time

from seat import play, say


def answer(message):
    time.sleep(0.045)
    say({"action": "take1"})


play(answer=answer)
