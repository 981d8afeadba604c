"""A searcher remembers nothing and reaches for nothing: no earlier question, no deal, no file, no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines import GAMES

ROOT = Path(__file__).parents[3]
ASKING = Path(__file__).with_name("asking.py")
SEARCHERS = sorted((ROOT / "bots" / "house").glob("*/searcher.py"))
SEATS = {"speak_easy": 2, "gatsby": 2, "capone": 4, "cotton_club": 3}
EVERY = {"speak_easy": 37, "gatsby": 17, "capone": 61, "cotton_club": 23}  # plies between two questions
QUESTIONS = 5

REMEMBERS = """
from bots.kit import Bot
class Rememberer(Bot):
    asked = 0
    def act(self, turn):
        self.asked += 1
        return turn.legal[self.asked % len(turn.legal)]
make = Rememberer
"""
DEALS = """
from bots.kit import Bot
class Dealer(Bot):
    def act(self, turn):
        turn.match.game.new(seats=2, seed=7)
        return turn.legal[0]
make = Dealer
"""
READS = """
from bots.kit import Bot
class Reader(Bot):
    def act(self, turn):
        open("/proc/self/stat").read()
        return turn.legal[0]
make = Reader
"""


def questions(game: str) -> list[dict[str, Any]]:
    """Some turns with a real choice from a random game."""
    rng = Random(f"questions of {game}")
    state = GAMES[game].new(seats=SEATS[game], seed=rng.getrandbits(64))
    asked: list[dict[str, Any]] = []
    ply = 0
    while state.to_act is not None and len(asked) < QUESTIONS:
        legal = state.legal_actions()
        if ply >= (len(asked) + 1) * EVERY[game] and len(legal) > 1:
            texts = [state.format(action) for action in legal]
            asked.append({"observation": state.observe(state.to_act), "legal": texts, "bot_seed": rng.getrandbits(48)})
        state.apply(rng.choice(legal))
        ply += 1
    return asked


def answers(bot: Path, asked: list[dict[str, Any]], *, backwards: bool, fresh: bool) -> list[str]:
    """What a bot answers in a process of its own; raises CalledProcessError if it reaches for more."""
    numbers = list(range(len(asked)))
    wanted = {"bot": str(bot), "order": numbers[::-1] if backwards else numbers, "fresh": fresh, "questions": asked}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "1" if backwards else "2"}
    command = [sys.executable, str(ASKING)]
    done = subprocess.run(
        command, input=json.dumps(wanted), env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    return list(json.loads(done.stdout))


@pytest.mark.parametrize("bot", SEARCHERS, ids=lambda path: path.parent.name)
def test_a_searcher_answers_the_same_whatever_it_was_asked_before(bot: Path) -> None:
    asked = questions(bot.parent.name)
    forwards = answers(bot, asked, backwards=False, fresh=True)
    assert forwards == answers(bot, asked, backwards=True, fresh=False)
    assert all(answer in question["legal"] for answer, question in zip(forwards, asked, strict=True))


def test_a_bot_that_remembers_is_found_out(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(REMEMBERS)
    asked = questions("gatsby")
    assert answers(bot, asked, backwards=False, fresh=True) != answers(bot, asked, backwards=True, fresh=False)


@pytest.mark.parametrize("program", [DEALS, READS], ids=["deals a game", "reads a file"])
def test_a_bot_that_reaches_for_more_is_found_out(program: str, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(program)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        answers(bot, questions("gatsby")[:1], backwards=False, fresh=True)
    assert "a bot has only its observation" in failed.value.stderr
