"""The place of any line of a ladder, counted from the top, without counting the lines above it each time."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from django.db import connection

from ladder.cache import near_cache
from ladder.ratings.models import Ladder, Standing

MANY = 2000  # lines from which on the table is kept for a while
KEPT_S = 60


@dataclass(frozen=True, slots=True)
class RankTable:
    """The listed lines of a ladder from first to last."""

    fallen: array[float]  # minus the ratings, so that they rise
    ids: array[int]

    def rank(self, *, rating: float, standing_id: int) -> int:
        """The place of a line; of equal ratings the older line stands first."""
        first, last = bisect_left(self.fallen, -rating), bisect_right(self.fallen, -rating)
        return bisect_left(self.ids, standing_id, first, last) + 1


def rank_table(ladder: Ladder) -> RankTable:
    """The table as it is now, or was within the last minute on a ladder of many lines."""
    key = f"ranks:{ladder.pk}"
    kept: RankTable | None = near_cache().get(key)
    if kept is not None:
        return kept
    table = _read(ladder)
    if len(table.ids) > MANY:
        near_cache().set(key, table, KEPT_S)
    return table


def _read(ladder: Ladder) -> RankTable:
    """Past the ORM, which takes three times as long for 100,000 lines; all from the index."""
    name = Standing._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT -rating, id FROM {name} WHERE ladder_id = %s AND is_listed ORDER BY rating DESC, id",  # noqa: S608
            [ladder.pk],
        )
        rows = cursor.fetchall()
    return RankTable(array("d", [row[0] for row in rows]), array("q", [row[1] for row in rows]))
