"""A picture of each game that the viewer draws, for pages that name the game: the same position at every visit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from arena.lessons import moment_of
from arena.plain import drawing_of, has_drawing
from engines import GAMES, Game

SEED = 7
PLIES = 90  # the table is full by then


@dataclass(frozen=True, slots=True)
class Scene:
    """What the viewer draws as a picture: the module that draws, the frame, and the id it has on the page."""

    id: str
    drawing: str
    frame: dict[str, Any]


def scene_of(game: Game) -> Scene | None:
    """The picture of a game for a page; None for a game without a drawing."""
    frame = picture_of(game.name)
    return Scene(f"scene-{game.name}", drawing_of(game.name), frame) if frame else None


@lru_cache(maxsize=32)
def picture_of(name: str) -> dict[str, Any] | None:
    """A frame of the game that is taught, else of one at random; None for a game without a drawing."""
    game = GAMES[name]
    if not has_drawing(name):
        return None
    return {"ply": 0, "entry": None, "state": moment_of(name) or _position(game)}


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
