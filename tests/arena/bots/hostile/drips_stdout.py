"""An answer that never ends, byte by byte."""

import os

from seat import play


def drip(message):
    os.write(1, b'{"action":"')
    while True:
        os.write(1, b"x")
        os.sched_yield()


play(on_first_act=drip)
