"""Bots for tests of the whole service; each source carries a mark of its own, so that no two have one digest."""

from __future__ import annotations

import uuid

RANDOM = """
import json, random, sys
rng = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        rng.seed(message["bot_seed"])
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "act":
        print(json.dumps({"action": rng.choice(message["legal"])}), flush=True)
    else:
        break
"""

CRASHING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "act":
        print("the dice are loaded", file=sys.stderr, flush=True)
        raise SystemExit(3)
"""


def marked(source: str) -> bytes:
    return f"# {uuid.uuid4()}\n{source}".encode()


SLOW_RANDOM = RANDOM.replace("import json, random, sys", "import json, random, sys, time").replace(
    '    elif message["type"] == "act":\n', '    elif message["type"] == "act":\n        time.sleep(0.002)\n'
)
