"""A game in a few pictures: positions of a game that was really played, each with a title and a sentence.

The positions are computed by the engine whenever they are asked for, so that no picture can tell of older rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from arena.framing import drawn, spoken
from engines import GAMES, Game, State

FOLDER = Path(__file__).parent
MOMENT = 0.7  # of a lesson's game where it names no moment: the table is full by then


@dataclass(frozen=True, slots=True)
class Step:
    """One picture: what the last action touched on the board, or, where `holds` is a seat, what that seat holds.

    With `begins` the action is drawn while those it concerns still stand where they stood.
    around names drawn things by the viewer's own attributes; the picture shows all of them and little else, and
    where they are cut out, nothing else.
    """

    title: str
    text: str
    said: str
    around: str
    is_cut_out: bool
    holds: int | None
    holder: str
    shown: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lesson:
    """How a game is won, and its steps."""

    wins: str
    names: tuple[str, ...]
    steps: tuple[Step, ...]


@lru_cache(maxsize=16)
def lesson_of(name: str) -> Lesson | None:
    """The lesson of a game; None for one that has none, as those from outside."""
    path = FOLDER / f"{name}.json"
    if name not in GAMES or not path.is_file():
        return None
    told = json.loads(path.read_text(encoding="utf-8"))
    game = GAMES[name]
    names = tuple(game.words.seat_name(seat, told["seats"]) for seat in range(told["seats"]))
    positions = list(_positions(game, told))
    return Lesson(told["wins"], names, tuple(_step(positions, told, step, names) for step in told["steps"]))


@lru_cache(maxsize=16)
def moment_of(name: str) -> dict[str, Any] | None:
    """What all eyes see in the midst of the game that a lesson is made of; None without a lesson."""
    path = FOLDER / f"{name}.json"
    if name not in GAMES or not path.is_file():
        return None
    told = json.loads(path.read_text(encoding="utf-8"))
    positions = list(_positions(GAMES[name], told))
    return drawn(positions[told.get("moment", round(MOMENT * len(told["actions"])))].observe(None))


def _positions(game: Game, told: dict[str, Any]) -> Iterator[State]:
    """The game before its first action and after each of them; raises IllegalAction where the rules say no."""
    state = game.new(seats=told["seats"], seed=int(told["seed"]))
    yield state.copy()
    for text in told["actions"]:
        state.apply(state.parse(text))
        yield state.copy()


def _step(positions: list[State], told: dict[str, Any], step: dict[str, Any], names: tuple[str, ...]) -> Step:
    ply, eyes = step["ply"], step.get("eyes")
    before, now = (positions[at].observe(eyes) for at in (ply - 1, ply))
    entry = now["log"][-1] if now["log"] else f"{positions[ply - 1].to_act} {told['actions'][ply - 1]}"
    said = (spoken(positions[ply], entry, before, now).said or "").format(*names)
    shown = {"ply": ply, "entry": entry, "state": drawn(before if step.get("begins") else now), "before": drawn(before)}
    holds = step.get("holds")
    around, is_cut_out = step.get("around", ""), step.get("cut_out", False)
    holder = "" if holds is None else names[holds]
    return Step(step["title"], step["text"], said, around, is_cut_out, holds, holder, shown)
