"""Parts of a leaderboard, or another order than the rating's: the first rows only, and without storeys."""

from __future__ import annotations

from ladder.accounts.models import User
from ladder.ratings.models import Ladder, Standing
from ladder.ratings.queries import ROW_FIELDS, Page, Row, _row
from ladder.submissions.models import Bot

# "" is the leaderboard's own order; places are then counted among the rows that fit, which costs no look at the others.
SORTS = {
    "": "-rating",
    "mu": "-mu",
    "matches": "-matches",
    "bot": "bot__name",
    "owner": "bot__owner__username",
    "new": "-version_id",
}
MOST = 50
MOST_FOUND = 200


def found_bots(game: str, search: str) -> list[int]:
    """Bots of a game with this in their name or their owner's; looked up without the standings, which are many."""
    owners = list(User.objects.filter(username__icontains=search).values_list("pk", flat=True)[:MOST_FOUND])
    named = Bot.objects.filter(game=game, name__icontains=search).values_list("pk", flat=True)[:MOST_FOUND]
    owned = Bot.objects.filter(game=game, owner__in=owners).values_list("pk", flat=True)[:MOST_FOUND]
    return [*named, *owned]


def sorted_rows(ladder: Ladder, *, sort: str, search: str, owner: str) -> Page:
    """The first rows in that order; the number in front is the place in it."""
    listed = Standing.objects.filter(ladder=ladder, is_listed=True)
    if owner:
        listed = listed.filter(bot__owner__username__iexact=owner)
    if search:
        listed = listed.filter(bot__in=found_bots(ladder.game, search))
    found = listed.order_by(SORTS[sort], "id").values_list(*ROW_FIELDS)[:MOST]
    rows: tuple[Row, ...] = tuple(_row(place, values) for place, values in enumerate(found, start=1))
    return Page(rows, None, None)
