"""An answer of 64 KiB with a key for every ten bytes, each time."""

import json
import sys

from seat import play

KEYS = "".join(f',"{number:x}":1' for number in range(7000))


def answer(message):
    sys.stdout.write(f'{{"action":{json.dumps(message["legal"][0])}{KEYS}}}\n')
    sys.stdout.flush()


play(answer=answer)
