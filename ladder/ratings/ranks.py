"""How many ranked lines stand above some lines of a ladder, counted from the top, in one query.

A line is ranked once its rating is known well enough; one that is not is provisional: it stands below all ranked ones,
has no rank and takes none. Lines are taken from the best to the last, and only what lies between one and the next
is counted: all of it together is at most one walk along the leaderboard's index, however many lines are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import inf

from django.db import connection

from ladder.ladders.models import Ladder
from ladder.ratings.models import Standing

Spot = tuple[float, int]  # board key, and id of the standing; of equal keys the older line stands first
TOP: Spot = (inf, 0)
Condition = tuple[str, tuple[float | int, ...]]  # a condition, and what it compares with


def ranked_above(ladder: Ladder, lines: Sequence[Spot]) -> dict[Spot, int]:
    """How many ranked lines stand above each of these."""
    ordered = sorted(set(lines), key=lambda line: (-line[0], line[1]))
    if not ordered:
        return {}
    gaps = [list(_between(*pair)) for pair in pairwise([TOP, *ordered])]
    return dict(zip(ordered, accumulate(_counts(ladder, gaps)), strict=True))


def _between(upper: Spot, lower: Spot) -> Iterator[Condition]:
    """Conditions that each are one stretch of the index: from a line on, and up to the other."""
    if upper[0] == lower[0]:
        yield "board_key = %s AND id >= %s AND id < %s", (upper[0], upper[1], lower[1])
        return
    yield "board_key = %s AND id >= %s", upper
    yield "board_key < %s AND board_key > %s", (upper[0], lower[0])
    yield "board_key = %s AND id < %s", lower


def _counts(ladder: Ladder, gaps: Sequence[Sequence[Condition]]) -> list[int]:
    """How many ranked lines lie in each gap."""
    table = Standing._meta.db_table
    one = f"(SELECT COUNT(*) FROM {table} WHERE ladder_id = %s AND is_listed AND NOT is_provisional AND {{}})"  # noqa: S608
    columns = [" + ".join(one.format(condition) for condition, _ in gap) for gap in gaps]
    values = [value for gap in gaps for _, compared in gap for value in (ladder.pk, *compared)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)}", values)
        return list(cursor.fetchone())
