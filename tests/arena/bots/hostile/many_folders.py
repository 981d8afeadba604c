"""Folders in folders: they have no content that a limit would count."""

import os

from seat import play


def make(message):
    for _ in range(600):
        for number in range(100):
            os.mkdir(f"{number}")
        os.chdir("0")


play(on_first_act=make)
