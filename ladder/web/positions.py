"""The table that a page has on show: a match as it is played, or a position of one that was played lately."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import QuerySet

from arena.plain import drawing_of
from engines import GAMES
from ladder.matches.models import Lane, Match
from ladder.matches.queries import is_revealed, match_in_full
from ladder.matches.records import NoRecord, UnplayableRecord, frames_of
from ladder.web.slow import remembered

LATELY = 10  # matches looked at, newest first, until one may be shown
LOOK_AGAIN_S = 60
KEPT_S = 3_600
MOMENT = 0.6  # of the match: the board is full by then, and nothing is decided
LEAST_PLIES = 10


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Who sits where in a match that is on show."""

    match: int
    game: str
    names: list[str]

    @property
    def drawing(self) -> str:
        return drawing_of(self.game)

    @property
    def places_json(self) -> str:
        words = GAMES[self.game].words
        return json.dumps([words.seat_name(seat, len(self.names)) for seat in range(len(self.names))])

    @property
    def names_json(self) -> str:
        return json.dumps(self.names)


@dataclass(frozen=True, slots=True)
class ShownPosition(ShownTable):
    """One moment of a match that was played: the frame before it and its own."""

    ply: int
    plies: int
    frames: list[dict[str, Any]]


def running_table(match_id: int) -> ShownTable | None:
    """A match that is being played; None once it is over."""
    match = match_in_full(match_id)
    is_on = match is not None and match.status == Match.Status.RUNNING and match.ladder.game in GAMES
    return ShownTable(match.pk, match.ladder.game, _names(match)) if match and is_on else None


def recent_position(among: QuerySet[Match] | None = None, *, called: str = "all") -> ShownPosition | None:
    """A moment of the latest of these matches that anyone may watch; None where nothing was played."""
    matches = Match.objects.all() if among is None else among
    match_id = remembered(f"position-of:{called}", LOOK_AGAIN_S, lambda: _latest_shown(matches))
    return remembered(f"position:{match_id}", KEPT_S, lambda: _position(match_id)) if match_id else None


def _latest_shown(matches: QuerySet[Match]) -> int:
    """The number of the match, or 0; one in which a version is checked only where there is no other."""
    finished = matches.filter(status=Match.Status.FINISHED, plies__gte=LEAST_PLIES, ladder__game__in=list(GAMES))
    finished = finished.order_by("-id")
    contests, trials = finished.exclude(lane=Lane.TRIAL)[:LATELY], finished.filter(lane=Lane.TRIAL)[:LATELY]
    return next((match.pk for match in chain(contests, trials) if is_revealed(match)), 0)


def _names(match: Match) -> list[str]:
    return [seat.version.bot.name for seat in match.seats.all()]


def _position(match_id: int) -> ShownPosition | None:
    match = match_in_full(match_id)
    if match is None:
        return None
    ply = round((match.plies or 0) * MOMENT)
    try:
        shown = frames_of(match, start=ply - 1, end=ply + 1)
    except (NoRecord, UnplayableRecord):
        return None
    if any(frame.is_told for frame in shown):
        return None
    frames = [frame.as_json() for frame in shown]
    return ShownPosition(match_id, match.ladder.game, _names(match), ply, match.plies or 0, frames)
