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

# For `Service.ask`: a house bot that chooses by chance and may play people, without the checks that a worker makes.
HOUSE_BOT = """
from arena.house import house_bots
from ladder.qualifying.activation import set_active
from ladder.submissions.house import house_owner
from ladder.submissions.models import BotVersion
from ladder.submissions.services import create_bot, upload_version
bot = create_bot(owner=house_owner(), game=GAME, name="random")
content = house_bots(GAME)["random"].read_bytes()
version = upload_version(bot=bot, by=bot.owner, content=content, filename="main.py")
BotVersion.objects.filter(pk=version.pk).update(status="qualified")
version.refresh_from_db()
set_active(bot, version)
"""


def house_bot(game: str) -> str:
    return HOUSE_BOT.replace("GAME", repr(game))


def marked(source: str) -> bytes:
    return f"# {uuid.uuid4()}\n{source}".encode()


SLOW_RANDOM = RANDOM.replace("import json, random, sys", "import json, random, sys, time").replace(
    '    elif message["type"] == "act":\n', '    elif message["type"] == "act":\n        time.sleep(0.002)\n'
)
