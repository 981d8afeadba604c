"""What a searcher does before it looks at the clock is bounded, counted in moves on imagined tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from bots.kit import Budget
from engines import GAMES
from tests.bots.desk import HOUSE, LADDERS, load
from tests.bots.house.asking import ask

# Half as many again as the most in 300 random positions of each ladder (of Gatsby in 9,638).
MOST = {"speak_easy": 180, "gatsby": 1_000, "capone": 180, "cotton_club": 50}
POSITIONS = 25


def positions(game: str, seats: int, count: int) -> Iterator[dict[str, Any]]:
    """Turns with a real choice, from random games, far apart."""
    rng = Random(f"work of {game}")
    while True:
        state = GAMES[game].new(seats=seats, seed=rng.getrandbits(64))
        while state.to_act is not None:
            legal = state.legal_actions()
            if len(legal) > 1 and rng.random() < 0.05:
                texts = [state.format(action) for action in legal]
                yield {"observation": state.observe(state.to_act), "legal": texts, "bot_seed": 5}
                count -= 1
                if count == 0:
                    return
            state.apply(rng.choice(legal))


class Moves:
    """Counts calls of ``apply`` by the bot and the kit, of compiled engines as of pure ones."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, frame: FrameType, event: str, what: Any) -> None:
        if event == "call" and frame.f_code.co_name == "apply" and frame.f_back is not None:
            self.made += not frame.f_back.f_globals["__name__"].startswith("engines.")
        elif event == "c_call" and what.__name__ == "apply":
            self.made += not frame.f_globals["__name__"].startswith("engines.")

    def __enter__(self) -> Moves:
        sys.setprofile(self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)


def moves_of_one_look(path: Path, question: dict[str, Any]) -> int:
    """The moves a searcher makes when every look at the clock finds its time used up."""
    module = load(path)
    for name, value in vars(module).items():
        if isinstance(value, Budget):
            setattr(module, name, Budget(cpu_ms=0.0))
    with Moves() as moves:
        ask(module.make(), question)
    return moves.made


@pytest.mark.parametrize(("game", "seats"), LADDERS)
def test_a_searcher_makes_few_moves_between_two_looks_at_the_clock(game: str, seats: int) -> None:
    path = HOUSE / game / "searcher.py"
    made = [moves_of_one_look(path, question) for question in positions(game, seats, POSITIONS)]
    assert 0 < max(made) <= MOST[game]
