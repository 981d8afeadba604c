import os
import time

from seat import play


def answer(message):
    """An answer without its end, and nobody who could still write it."""
    os.write(1, b'{"action":"take1"}')
    os.close(1)
    time.sleep(60)


play(answer=answer)
