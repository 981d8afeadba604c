import fcntl
import json
import os

from seat import play

fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_DIRECT)


def answer(message):
    """A pipe in which every piece that is written must be read alone, and a long answer in many of them."""
    text = json.dumps({"action": message["legal"][0], "more": "x" * 60_000}).encode() + b"\n"
    for at in range(0, len(text), 1000):
        os.write(1, text[at : at + 1000])


play(answer=answer)
