"""Sets an alarm that ends it, answers, and is gone as soon as it is let go on."""

import os
import signal

from seat import play, say


def answer(message):
    signal.signal(signal.SIGALRM, lambda *_: os._exit(137))
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    say({"action": message["legal"][0]})
    signal.pause()


play(answer=answer)
