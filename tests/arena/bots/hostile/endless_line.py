import os

from seat import play


def flood(message):
    while True:
        os.write(1, b"x" * 65536)


play(on_first_act=flood)
