"""What was played on a ladder in its present season, as columns that a fit takes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
from django.db import connection, transaction

from ladder.ladders.models import Ladder
from ladder.matches.models import Match, Seat
from ladder.matches.turns import turns_of
from ladder.ratings.fit.evidence import Floats, Ints

UNKNOWN = -1
PIECE = 2000  # seats whose turn is written in one transaction
COLUMNS = ("match__set_id", "match_id", "version_id", "rank", "turn")


@dataclass(frozen=True, slots=True)
class Played:
    """One row a match, one column a seat."""

    sets: Ints  # of each match
    matches: Ints
    versions: Ints
    ranks: Ints
    turns: Ints  # places in turn order

    @property
    def points(self) -> Floats:
        """The share of its opponents that each seat beat, a tie counting half."""
        mine, theirs = self.ranks[:, :, None], self.ranks[:, None, :]
        beaten = (mine < theirs).sum(axis=2) + 0.5 * ((mine == theirs).sum(axis=2) - 1)
        return np.asarray(beaten / (self.ranks.shape[1] - 1), dtype=np.float64)


def played_on(ladder: Ladder) -> Played:
    """Every rated match that counts in the ladder's table, up to the last that is applied."""
    seats = Seat.objects.filter(
        match__ladder=ladder,
        match__status=Match.Status.FINISHED,
        match__is_rated=True,
        match__rules_version=ladder.rules_version,
        match__rating_number__gt=ladder.closed_through,
        match__rating_number__lte=ladder.rated_through,
        rank__isnull=False,
    )
    rows = seats.order_by("match_id", "seat").values_list(*COLUMNS).iterator(chunk_size=20_000)
    numbers = (UNKNOWN if value is None else value for value in chain.from_iterable(rows))
    flat = np.fromiter(numbers, dtype=np.int64).reshape(-1, ladder.seats, len(COLUMNS))
    return Played(flat[:, 0, 0], flat[:, 0, 1], flat[:, :, 2], flat[:, :, 3], flat[:, :, 4])


def fill_turns(ladder: Ladder, played: Played) -> int:
    """Write down who moved first where an earlier release did not; returns in how many matches."""
    unknown = played.matches[(played.turns == UNKNOWN).any(axis=1)].tolist()
    for start in range(0, len(unknown), PIECE):
        _fill(ladder, unknown[start : start + PIECE])
    return len(unknown)


def _fill(ladder: Ladder, matches: list[int]) -> None:
    found = Match.objects.filter(pk__in=matches).values_list("pk", "set__seed")
    turns = {
        match: turns_of(ladder.game, seats=ladder.seats, seed=int(seed), options=ladder.options)
        for match, seed in found
    }
    rows = [(turn, match, seat) for match, places in turns.items() for seat, turn in enumerate(places)]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany("UPDATE matches_seat SET turn = %s WHERE match_id = %s AND seat = %s", rows)
