"""What a house bot answers depends on its observation, the legal actions and its seed, and on nothing else."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from bots.kit import run
from engines import GAMES
from tests.bots.desk import HOUSE, HOUSE_NAMES, LADDERS, count_calls_as_time, load

ROOT = Path(__file__).parents[3]
LIMITS = {"start_ms": 5000, "turn_ms": 100, "bank_ms": 10000, "memory_mib": 512}
TICK_MS = 3.7  # no whole number of these is a budget, so that rounding never decides whether a round begins
# A process that can neither begin nor restore a game: all it has are the lines it is sent.
BLINDFOLD = """
import itertools, runpy, sys, time
ticks = itertools.count()
time.process_time = lambda: next(ticks) * 3.7 / 1000
from engines import GAMES
def forbidden(*args, **kwargs):
    raise AssertionError("a bot may not begin or restore a game")
for game in GAMES.values():
    type(game).new = type(game).restore = forbidden
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def questions(game: str, seats: int, *, number: int) -> list[dict[str, Any]]:
    """Start and some turns of one seat of a random game, spread over it."""
    state, rng, seat = GAMES[game].new(seats=seats, seed=6), Random(6), 1
    asked: list[dict[str, Any]] = []
    while state.to_act is not None:
        legal = state.legal_actions()
        if state.to_act == seat and len(legal) > 1:
            texts = [state.format(action) for action in legal]
            clock = {"turn_ms": 100, "bank_ms": 10000}
            seen = state.observe(seat)
            asked.append({"type": "act", "ply": seen["ply"], "observation": seen, "legal": texts, "clock": clock})
        state.apply(rng.choice(legal))
    start = {"type": "start", "protocol": 1, "game": game, "rules_version": GAMES[game].rules_version}
    start |= {"seat": seat, "seats": seats, "bot_seed": 5, "limits": LIMITS}
    start |= {"options": asked[0]["observation"]["options"]}
    return [start, *asked[:: max(1, len(asked) // number)][:number]]


@pytest.mark.parametrize(("game", "seats"), LADDERS)
@pytest.mark.parametrize("name", HOUSE_NAMES[1:])
def test_a_blindfolded_process_answers_the_same(
    monkeypatch: pytest.MonkeyPatch, game: str, seats: int, name: str
) -> None:
    path = HOUSE / game / f"{name}.py"
    lines = b"".join(orjson.dumps(message) + b"\n" for message in questions(game, seats, number=10))
    bot = load(path).make()
    count_calls_as_time(monkeypatch, ms_a_look=TICK_MS)
    here = io.BytesIO()
    run(bot, io.BytesIO(lines), here)
    command = [sys.executable, "-c", BLINDFOLD, str(path)]
    there = subprocess.run(command, input=lines, capture_output=True, timeout=300, cwd=ROOT, check=False)
    assert there.returncode == 0, there.stderr.decode()
    assert there.stdout == here.getvalue()
    assert here.getvalue().count(b"action") == 10
