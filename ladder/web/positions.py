"""A position of a match that was played lately, for the home page: found now and then, drawn by the viewer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from arena import InvalidRecord
from arena.plain import drawing_of
from engines import GAMES
from ladder.matches.models import Match
from ladder.matches.queries import is_revealed, matches_in_full
from ladder.matches.records import NoRecord, frames_of
from ladder.web.slow import remembered

LATELY = 10  # matches looked at, newest first, until one may be shown
LOOK_AGAIN_S = 60
KEPT_S = 3_600
MOMENT = 0.6  # of the match: the board is full by then, and nothing is decided
LEAST_PLIES = 10


@dataclass(frozen=True, slots=True)
class Position:
    """One moment of a match: the frame before it and its own."""

    match: int
    game: str
    names: list[str]
    ply: int
    plies: int
    frames: list[dict[str, Any]]

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


def recent_position() -> Position | None:
    """A moment of the latest match that anyone may watch; None on a service where nothing was played."""
    match_id = remembered("position", LOOK_AGAIN_S, _latest_shown)
    return remembered(f"position:{match_id}", KEPT_S, lambda: _position(match_id)) if match_id else None


def _latest_shown() -> int:
    """The number of the match, or 0."""
    finished = Match.objects.filter(status=Match.Status.FINISHED, plies__gte=LEAST_PLIES).order_by("-id")[:LATELY]
    return next((match.pk for match in finished if is_revealed(match)), 0)


def _position(match_id: int) -> Position | None:
    match = matches_in_full().get(pk=match_id)
    ply = round((match.plies or 0) * MOMENT)
    try:
        shown = frames_of(match, start=ply - 1, end=ply + 1)
    except (NoRecord, InvalidRecord):
        return None
    if any(frame.is_told for frame in shown):
        return None
    names = [seat.version.bot.name for seat in match.seats.all()]
    frames = [frame.as_json() for frame in shown]
    return Position(match_id, match.ladder.game, names, ply, match.plies or 0, frames)
