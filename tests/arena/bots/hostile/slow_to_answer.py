"""A fair bot that takes its time: half a second of it, and no cpu."""

import time

from seat import play, say


def answer(message):
    time.sleep(0.5)
    say({"action": message["legal"][0]})


play(answer=answer)
