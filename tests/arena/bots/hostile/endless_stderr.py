import os

from seat import play


def flood(message):
    while True:
        os.write(2, b"noise " * 10000)


play(on_first_act=flood)
