"""An evening of a game from outside on the ladder: bots are sent in, qualify, meet, are rated; then its pages are read.

Told as JSON. What a worker and the beat would do is done here in turn, with the real sandbox and without a broker.
"""

from __future__ import annotations

import json
import os
from typing import Any

GAME, SLUG = "nickel_dice", "nickel_dice-2"
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"


def evening(source: bytes) -> dict[str, Any]:
    """Everything that happened, as its visitors would see it."""
    from engines import GAMES
    from ladder.ladders.services import find_ladder, set_open
    from ladder.matches.models import Lane, Match
    from ladder.submissions.house import house_owner
    from ladder.submissions.models import Bot
    from ladder.submissions.services import create_bot, upload_version

    set_open(find_ladder(game=GAME, seats=2), True)
    for name, content in (("random", random_bot()), ("doubter", source)):
        bot = create_bot(owner=house_owner(), game=GAME, name=name, description="")
        upload_version(bot=bot, by=house_owner(), content=content, filename=f"{name}.py")
    finished = Match.objects.filter(status="finished")  # others may wait still: a chunk ends by the clock
    rated = finished.filter(lane=Lane.LADDER, is_rated=True)
    play_until(lambda: rated.count() >= 2)
    match = rated.order_by("id")[0]
    return {
        "statuses": [bot.versions.get().status for bot in Bot.objects.order_by("id")],
        "endings": sorted(set(finished.values_list("ending", flat=True))),
        "how_it_ended": GAMES[GAME].words.endings[match.game_ending],
        **pages(match.pk),
    }


def random_bot() -> bytes:
    from arena.house import house_bots

    return house_bots(GAME)["random"].read_bytes()


def play_until(is_enough: Any) -> None:
    """Beat and play in turn; raises RuntimeError when nothing comes of it."""
    from ladder.matches.playing import play_chunk
    from ladder.pipeline import run_stage

    for _ in range(40):
        for stage in ("check", "pair", "rate", "fit"):
            run_stage(stage)
        play_chunk()
        if is_enough():
            run_stage("rate")
            return
    raise RuntimeError("the bots of the game were not paired in 40 beats")


def pages(match_id: int) -> dict[str, Any]:
    """What the site and the API show of the game."""
    from django.test import Client

    visitor = Client(SERVER_NAME="localhost")
    board = visitor.get(f"/api/v1/ladders/{SLUG}/leaderboard/").json()["results"]
    frames = visitor.get(f"/api/v1/matches/{match_id}/frames/").json()
    return {
        "codes": {
            path: visitor.get(path).status_code
            for path in (f"/ladders/{SLUG}/", f"/matches/{match_id}/", f"/games/{GAME}/", f"/games/{GAME}/rules/")
        },
        "rows": sorted((row["bot"], row["matches"]) for row in board),
        "verdict": visitor.get(f"/api/v1/matches/{match_id}/verify/").json(),
        "frames": frames,
        "page": visitor.get(f"/matches/{match_id}/").content.decode(),
    }


if __name__ == "__main__":
    import sys
    from pathlib import Path

    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    print("ANSWER" + json.dumps(evening(Path(sys.argv[1]).read_bytes())))
