"""The kinds of choice of a game: one row each, with all that is particular to it.

A game numbers its kinds once (``DROP, ADD, PLACE, OVER = range(4)``) where ``turns.py`` can name them, ``state.choice``
holds such a number, and each row in its ``choices.py`` names its own: a row put between two others shifts nothing::

    CHOICES = by_number(
        Choice(DROP, "drop_event", "setup", "an event to drop", legal=drops, take=drop),
        Choice(ADD, "add_event", "events", "an event to add, or pass", legal=adds, take=add),
        ...
        over(OVER),
    )
    LEGAL = tuple(row.legal for row in CHOICES)  # what apply and legal_actions call
    TAKE = tuple(row.take for row in CHOICES)
    NUMBERS = {row.name: row.number for row in CHOICES}  # what snapshots read

What is derived from the rows is never written beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Choice(Generic[S]):
    """One kind of choice: its number, its name and phase as observations tell them, and what it does."""

    number: int
    name: str
    phase: str
    asked: str  # follows "has to choose": `an event to add, or pass`
    legal: Callable[[S], Sequence[int]]  # sorted; never empty where somebody has to choose
    take: Callable[[S, int], None]  # carries out a legal action and goes on to the next choice
    chosen: tuple[Mapping[str, int], ...] = ()  # what the things chosen before, for the same end, are numbered by


def by_number(*rows: Choice[S]) -> tuple[Choice[S], ...]:
    """The rows, each at the index of its number; raises ValueError if a number or a name is missing or taken twice."""
    ordered = tuple(sorted(rows, key=lambda row: row.number))
    numbers = [row.number for row in ordered]
    if numbers != list(range(len(rows))):
        raise ValueError(f"the rows of choices have the numbers {numbers}; expected each of 0 to {len(rows) - 1} once")
    if len({row.name for row in rows}) != len(rows):
        raise ValueError(f"two rows of choices share a name: {', '.join(sorted(row.name for row in rows))}")
    return ordered


def over(number: int) -> Choice[Any]:
    """The row of a game that is over: nothing is legal."""
    return Choice(number, "over", "over", "nothing: the game is over", legal=_nothing, take=_never)


def _nothing(_state: Any) -> Sequence[int]:
    return ()


def _never(_state: Any, action: int) -> None:
    raise AssertionError(f"{action} was taken when the game was over")
