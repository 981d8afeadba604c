"""Rows of lists of matches, read as columns: a page has dozens, and five objects for each would be most of its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import QuerySet

from ladder.matches.models import Match, Seat
from ladder.prepared import prepared


class SeatOfRow(NamedTuple):
    """A bot in a seat of a row."""

    seat: int
    rank: int | None
    fault: str
    bot_id: int
    bot: str


@dataclass(frozen=True, slots=True)
class MatchRow:
    """What a list tells of a match."""

    seats: list[SeatOfRow]
    pk: int  # from here on as in _matches
    game: str
    places: int
    status: str
    ending: str
    game_ending: str
    plies: int | None
    finished_at: datetime | None
    created_at: datetime

    @property
    def at(self) -> datetime:
        """Its end, or its beginning while it has none."""
        return self.finished_at or self.created_at


def match_rows_of(ids: Sequence[int]) -> list[MatchRow]:
    """The rows of these matches, newest first."""
    seats: dict[int, list[SeatOfRow]] = {}
    for match_id, *seat in _seats(list(ids)):
        seats.setdefault(match_id, []).append(SeatOfRow(*seat))
    return [MatchRow(seats.get(row[0], []), *row) for row in _matches(list(ids))]


@prepared
def _matches(ids: list[int]) -> QuerySet[Match, tuple[Any, ...]]:
    told = ("ladder__game", "ladder__seats", "status", "ending", "game_ending", "plies", "finished_at", "created_at")
    return Match.objects.filter(pk__in=ids).order_by("-id").values_list("pk", *told)


@prepared
def _seats(ids: list[int]) -> QuerySet[Seat, tuple[Any, ...]]:
    told = ("seat", "rank", "fault", "version__bot_id", "version__bot__name")
    return Seat.objects.filter(match__in=ids).order_by("seat").values_list("match_id", *told)
