"""A picture of each game that the viewer draws, for pages that name the game: the same position at every visit."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from arena.plain import has_drawing
from engines import GAMES, Game

SEED = 7
PLIES = 90  # the table is full by then


@lru_cache(maxsize=32)
def picture_of(name: str) -> dict[str, Any] | None:
    """A frame of a game at random; None for a game without a drawing."""
    game = GAMES[name]
    return {"ply": 0, "entry": None, "state": _position(game)} if has_drawing(name) else None


def _position(game: Game) -> dict[str, Any]:
    """What all eyes see in the midst of a game, never at its end."""
    state, rng = game.new(seats=game.seats[-1] if len(game.seats) < 4 else 4, seed=SEED), Random(SEED)
    middle = state.copy()
    for ply in range(PLIES):
        if state.to_act is None:
            break
        state.apply(rng.choice(state.legal_actions()))
        if ply < PLIES * 0.7 or state.to_act is not None:
            middle = state.copy()
    seen = middle.observe(None)
    seen.pop("log")
    return seen
