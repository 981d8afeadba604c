"""What a bot has to pass before it is let onto a ladder: which trials, in which order, and who sits where.

The server's check and the author's desk both ask here, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from engines import GAMES

T = TypeVar("T")
SPARRING_PARTNER = "random"  # the house bot that everybody meets first
MAX_TRIES = 3  # matches that the host failed, before the trial is given up
NOT_NEEDED = "no longer needed"
NO_PARTNER = "there is no house bot to play"
READY = 'A bot answers the start message with {"type": "ready"}, on a line of its own and flushed at once.'


class TrialKind(StrEnum):
    """Against whom a trial is played."""

    SELF = "self"
    HOUSE = "house"


def first_tables(game: str) -> tuple[int, ...]:
    """The seats a bot of this game qualifies with on a new service."""
    return GAMES[game].first_ladders or (GAMES[game].seats[0],)


def plan_of(tables: Sequence[T]) -> list[tuple[TrialKind, T]]:
    """The trials on some tables, cheapest first: itself in all seats of each, then the sparring partner at each."""
    return [(kind, table) for kind in (TrialKind.SELF, TrialKind.HOUSE) for table in tables]


def seats_of_bot(kind: TrialKind, *, seats: int, version: int) -> tuple[int, ...]:
    """Where the bot sits; it moves round the table from version to version, so that no seat is never tried."""
    return tuple(range(seats)) if kind is TrialKind.SELF else (version % seats,)


def start_advice(kind: str) -> str:
    """What the author of a bot that did not get ready may not know; empty where its log says it all."""
    return READY if kind in ("timeout", "invalid_answer") else ""
