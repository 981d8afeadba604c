"""Leaderboards in another order than the rating's: the first rows only, and without storeys."""

from __future__ import annotations

from django.db.models import Q

from ladder.ratings.models import Ladder, Standing
from ladder.ratings.queries import ROW_FIELDS, Page, Row, _row

SORTS = {"mu": "-mu", "matches": "-matches", "bot": "bot__name", "owner": "bot__owner__username", "new": "-version_id"}
MOST = 100


def sorted_rows(ladder: Ladder, *, sort: str, search: str, owner: str) -> Page:
    """The first rows in that order; the number in front is the place in it."""
    listed = Standing.objects.filter(ladder=ladder, is_listed=True)
    if owner:
        listed = listed.filter(bot__owner__username__iexact=owner)
    if search:
        listed = listed.filter(Q(bot__name__icontains=search) | Q(bot__owner__username__icontains=search))
    found = listed.order_by(SORTS[sort], "id").values_list(*ROW_FIELDS)[:MOST]
    rows: tuple[Row, ...] = tuple(_row(place, values) for place, values in enumerate(found, start=1))
    return Page(rows, None, None)
