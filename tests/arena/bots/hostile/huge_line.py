import os

from seat import play


def answer(message):
    os.write(1, b'{"action":"')
    for _ in range(200):
        os.write(1, b"x" * 1_000_000)
    os.write(1, b'"}\n')


play(answer=answer)
