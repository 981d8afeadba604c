"""Says exactly the bytes it was told to: one list of pieces for the start, one for the first act, then an exit or not."""

import json
import os
import sys
import time

script = json.load(open("/bot/script.json"))


def send(pieces):
    for piece in pieces:
        if piece == "EXIT":
            os._exit(3)
        elif piece == "WAIT":
            time.sleep(0.02)
        else:
            os.write(1, piece.encode("latin-1"))


if script.get("first") == "EXIT":
    os._exit(3)
start = json.loads(sys.stdin.readline())
send(script.get("start", ['{"type":"ready"}\n']))
first = True
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        send(script.get("end", []))
        break
    send(script["act"] if first and "act" in script else ['{"action":"%s"}\n' % message["legal"][0]])
    first = False
