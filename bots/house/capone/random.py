"""Plays any legal action: the floor of the ladder, and everybody's sparring partner."""

import json
import random
import sys


def main() -> None:
    rng = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            rng.seed(message["bot_seed"])
            answer = {"type": "ready"}
        elif message["type"] == "act":
            answer = {"action": rng.choice(message["legal"])}
        else:
            return
        print(json.dumps(answer), flush=True)


main()
