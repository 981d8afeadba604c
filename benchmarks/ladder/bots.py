"""The bots of the benchmarks: the cheapest there are, so that the service is what is measured."""

from __future__ import annotations

from hashlib import sha256

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.ladders.services import find_ladder
from ladder.ratings.services import enter_ladder
from ladder.submissions.models import Bot, BotVersion, Bundle

RANDOM = """
import json, random, sys
rng = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        rng.seed(message["bot_seed"])
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "act":
        print(json.dumps({"action": rng.choice(message["legal"])}), flush=True)
    else:
        break
"""
GAME = "gatsby"


def bench_ladder() -> Ladder:
    """A closed ladder, so that matchmaking adds nothing."""
    return find_ladder(game=GAME, seats=2)


def make_bots(count: int, ladder: Ladder) -> list[int]:
    """Qualified versions on a ladder; returns their ids."""
    owner, _ = User.objects.get_or_create(username="bench")
    versions = [_version(owner, number) for number in range(count)]
    for version in versions:
        enter_ladder(version, ladder)
    return [version.pk for version in versions]


def _version(owner: User, number: int) -> BotVersion:
    content = f"# {number}\n{RANDOM}".encode()
    digest = sha256(content).hexdigest()
    bundle, _ = Bundle.objects.get_or_create(digest=digest, defaults={"content": content, "size_bytes": len(content)})
    bot = Bot.objects.create(owner=owner, game=GAME, name=f"bench {number}")
    return BotVersion.objects.create(
        bot=bot, number=1, bundle=bundle, runtime="python", entry="main.py", filename="main.py", status="qualified"
    )
