import os

from seat import play


def flood(message):
    while True:
        os.write(1, b'{"action":"take1"}\n' * 1000)


play(on_first_act=flood)
