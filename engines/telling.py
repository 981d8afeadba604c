"""A game told action by action in its own words, for a reader who may know everything but the seed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from engines.api import Observation, State


def seat_names(state: State) -> list[str]:
    """What the game calls its seats."""
    seats = state.observe(None)["seats"]
    if not hasattr(state.game, "words"):
        return [f"Seat {seat}" for seat in range(seats)]
    return [state.game.words.seat_name(seat, seats) for seat in range(seats)]


def table_of(state: State) -> str:
    """The table as text."""
    if not hasattr(state.game, "words"):
        drawn: str = import_module(f"engines.{state.game.name}.board").draw(state)
        return drawn
    return state.game.words.board(state.observe(None))


def take(state: State, action: int, names: Sequence[str]) -> str:
    """Apply an action and tell what it did."""
    if not hasattr(state.game, "words"):
        told: str = import_module(f"engines.{state.game.name}.board").tell(state, action)
        state.apply(action)
        return told
    before, text = state.observe(None), state.format(action)
    state.apply(action)
    after = state.observe(None)
    return state.game.words.sentence(last_entry(before, after, text), before, after, names)


def last_entry(before: Observation, after: Observation, text: str) -> str:
    """The line that an action left in the log; one that began a new log is spelled from its text."""
    return str(after["log"][-1]) if after["log"] else f"{before['to_act']} {text}"
