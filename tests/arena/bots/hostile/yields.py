"""Ready all the time and never at work: gives the core away as soon as it has it."""

import os

from seat import play


def give_way(message):
    while True:
        os.sched_yield()


play(on_first_act=give_way)
