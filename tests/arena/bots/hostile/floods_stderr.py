import os

from seat import play


def flood(message):
    line = b"\x1b[2J" + b"noise " * 10000
    for _ in range(100):
        os.write(2, line)
    os.write(2, b"\nthe last words\n")


play(on_first_act=flood)
