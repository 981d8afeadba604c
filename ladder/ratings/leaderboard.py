"""Leaderboards: a page of a ladder in any order, narrowed by a search or an owner, each line with its true rank.

Every order has its index and pages begin by key. A search first looks how many lines fit: few are sorted by themselves;
of many the order's own index soon finds a page full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import accumulate
from typing import Any

import orjson
from django.db import connection
from django.db.models import Q, QuerySet

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.ratings.models import Standing, Told
from ladder.ratings.paging import Cursor, Listing
from ladder.ratings.ranks import ranked_above
from ladder.refusals import Refused
from ladder.submissions.models import Bot

PAGE = 50
MOST_ROWS = 200
FEW = 2000  # lines that are sorted by themselves
BEST_FIRST = "-rating"


@dataclass(frozen=True, slots=True)
class SortOrder:
    """By which column lines stand, and which way; equal ones by age."""

    column: str
    kind: type[float] | type[str]
    falls: bool

    def value(self, row: LeaderboardRow) -> float | str:
        known: float | str = getattr(row, self.column)
        return known


COLUMNS = {
    "rating": "board_key", "sd": "sd", "mu": "mu", "sigma": "sigma", "matches": "matches", "faults": "faults",
    "name": "name", "version": "version_id",
}  # fmt: skip
ORDERS = {
    f"{sign}{name}": SortOrder(column, str if name == "name" else float, bool(sign))
    for name, column in COLUMNS.items()
    for sign in ("", "-")
}


class UnknownOrder(Refused):
    """There is no such order."""

    code = "unknown_order"

    def __init__(self, given: str) -> None:
        super().__init__(f"There is no order {given[:60]!r}; the orders are {', '.join(ORDERS)}.", field="order")


@dataclass(slots=True)
class LeaderboardRow(Told):
    """One line of a leaderboard."""

    above: int  # ranked lines that stand above it; from here on as in ROW_FIELDS
    standing_id: int
    bot_id: int
    bot: str
    name: str  # the bot's, in small letters, as lines are ordered by it
    owner: str | None
    version_id: int
    version: int
    rating: float
    sd: float
    is_provisional: bool  # too little known to be ranked
    missing: int  # about how many matches it lacks to be ranked
    board_key: float
    storey: int | None
    place_low: int | None
    place_high: int | None
    p_first: float | None
    mu: float
    sigma: float
    matches: int
    wins: int
    draws: int
    losses: int
    rank_sum: int
    faults: int
    recent_mu: tuple[float, ...]
    updated_at: datetime

    @property
    def rank(self) -> int | None:
        """The place among those that are known well enough; none for a provisional line."""
        return None if self.is_provisional else self.above + 1

    @property
    def mean_rank(self) -> float | None:
        return self.rank_sum / self.matches if self.matches else None

    @property
    def trend(self) -> float:
        """How far mu moved over the last matches (at most 20)."""
        return self.mu - self.recent_mu[0] if self.recent_mu else 0.0


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Some lines of a leaderboard, and the cursors of the lines after and before them."""

    rows: tuple[LeaderboardRow, ...]
    next: str | None
    previous: str | None


ROW_FIELDS = (
    "id", "bot_id", "bot__name", "name", "bot__owner__username", "version_id", "version__number", "rating",
    "sd", "is_provisional", "missing", "board_key", "storey", "place_low", "place_high", "p_first", "mu", "sigma",
    "matches", "wins", "draws", "losses", "rank_sum", "faults", "recent_mu", "updated_at",
)  # fmt: skip


# What stands in a prepared statement for the ladder, the cursor's value and its line.
LADDER, LINE = 1_000_001, 1_000_002
VALUES: dict[type, float | str] = {float: 1_000_003.0, str: "a name"}


def leaderboard(
    ladder: Ladder,
    *,
    order: str = BEST_FIRST,
    cursor: str | None = None,
    limit: int = PAGE,
    search: str = "",
    owner: str = "",
) -> BoardPage:
    """A page of the leaderboard; the cost does not grow with the ladder. Raises InvalidCursor or UnknownOrder."""
    if order not in ORDERS:
        raise UnknownOrder(order)
    limit = max(1, min(limit, MOST_ROWS))
    way, listing = ORDERS[order], Listing(order, search, owner)
    at = Cursor.read(cursor, listing, kind=way.kind)
    found = _lines(ladder, listing, at, limit + 1)
    has_more, found = len(found) > limit, found[:limit]
    if at.backwards:
        found.reverse()
    return _page(_ranked(ladder, listing, found, at), listing, at, has_more=has_more)


def _lines(ladder: Ladder, listing: Listing, at: Cursor, limit: int) -> list[Sequence[Any]]:
    """The fields of the lines that follow the cursor."""
    if listing != Listing(listing.order):
        listed = _narrowed(ladder, search=listing.search, owner=listing.owner)
        return list(_from(listed, ORDERS[listing.order], at).values_list(*ROW_FIELDS)[:limit])
    words, places = _statement(listing.order, at.is_start, at.backwards, limit)
    known = {LADDER: ladder.pk, VALUES[ORDERS[listing.order].kind]: at.value, LINE: at.id}
    with connection.cursor() as cursor:
        cursor.execute(words, [type(place)(known[place]) for place in places])
        return list(cursor.fetchall())


@lru_cache(maxsize=512)
def _statement(order: str, is_start: bool, backwards: bool, limit: int) -> tuple[str, tuple[Any, ...]]:
    """What the database is asked for a page of the whole ladder; made once, for to make it takes longer than to ask."""
    way = ORDERS[order]
    at = Cursor() if is_start else Cursor(VALUES[way.kind], LINE, backwards=backwards)
    listed = Standing.objects.filter(ladder_id=LADDER, is_listed=True)
    words, places = _from(listed, way, at).values_list(*ROW_FIELDS)[:limit].query.sql_with_params()
    return words, places


def _narrowed(ladder: Ladder, *, search: str, owner: str) -> QuerySet[Standing]:
    listed = Standing.objects.filter(ladder=ladder, is_listed=True)
    if owner:
        listed = _owned(listed, ladder, owner)
    if search:
        listed = _found(listed, ladder, search)
    return listed


def _owned(listed: QuerySet[Standing], ladder: Ladder, owner: str) -> QuerySet[Standing]:
    bots = _bots_of(ladder, User.objects.filter(username__iexact=owner))
    return listed.filter(bot__owner__username__iexact=owner) if bots is None else listed.filter(bot__in=bots)


def _found(listed: QuerySet[Standing], ladder: Ladder, search: str) -> QuerySet[Standing]:
    """Lines with this in the name of the bot or of its owner."""
    named = _few(listed.filter(name__contains=search.lower()))
    owned = _bots_of(ladder, User.objects.filter(username__icontains=search))
    if named is None or owned is None:
        return listed.filter(Q(name__contains=search.lower()) | Q(bot__owner__username__icontains=search))
    theirs = listed.filter(bot__in=owned).values_list("pk", flat=True) if owned else ()
    return listed.filter(pk__in={*named, *theirs})


def _bots_of(ladder: Ladder, users: QuerySet[User]) -> list[int] | None:
    """The bots of these users that play the ladder's game; None when they are many."""
    owners = _few(users)
    return None if owners is None else _few(Bot.objects.filter(game=ladder.game, owner__in=owners))


def _few(rows: QuerySet[Any]) -> list[int] | None:
    """The ids of rows, or None when they are many."""
    ids = list(rows.order_by().values_list("pk", flat=True)[: FEW + 1])
    return ids if len(ids) <= FEW else None


def _from(listed: QuerySet[Standing], way: SortOrder, at: Cursor) -> QuerySet[Standing]:
    """The lines that follow the cursor in its direction, by key, so that no page costs more than another."""
    falls, column = way.falls != at.backwards, way.column
    lines = listed.order_by(f"-{column}", "id") if falls else listed.order_by(column, "-id")
    if at.is_start:
        return lines
    beyond, later = ("lt", "gt") if falls else ("gt", "lt")
    after = Q(**{f"{column}__{beyond}": at.value}) | Q(**{column: at.value, f"id__{later}": at.id})
    return lines.filter(after, **{f"{column}__{beyond}e": at.value})


def _ranked(ladder: Ladder, listing: Listing, found: Sequence[Sequence[Any]], at: Cursor) -> tuple[LeaderboardRow, ...]:
    """Lines with their ranks: counted on from the cursor where all stand best first, otherwise looked up."""
    rows = [_row(values) for values in found]
    if listing == Listing(BEST_FIRST):
        loose = [row.is_provisional for row in rows]
        first = max(0, at.above - loose.count(False)) if at.backwards else at.above
        above = list(accumulate((not one for one in loose), initial=first))
    else:
        lines = [(row.board_key, row.standing_id) for row in rows]
        counted = ranked_above(ladder, lines)
        above = [counted[line] for line in lines]
    for row, count in zip(rows, above, strict=False):
        row.above = count
    return tuple(rows)


def _row(values: Sequence[Any]) -> LeaderboardRow:
    fields: list[Any] = [0, *values]
    fields[-2:] = tuple(_plain(values[-2])), _moment(values[-1])
    return LeaderboardRow(*fields)


def _plain(trend: str | list[float]) -> list[float]:
    """A list that a database may hand out as text."""
    return orjson.loads(trend) if isinstance(trend, str) else trend


def _moment(at: datetime) -> datetime:
    """All are kept in UTC, whether or not the database says so."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _page(rows: tuple[LeaderboardRow, ...], listing: Listing, at: Cursor, *, has_more: bool) -> BoardPage:
    if not rows:
        return BoardPage((), None, None)
    has_next = has_more or at.backwards
    has_previous = has_more if at.backwards else not at.is_start
    return BoardPage(
        rows=rows,
        next=_beside(rows[-1], listing) if has_next else None,
        previous=_beside(rows[0], listing, backwards=True) if has_previous else None,
    )


def _beside(row: LeaderboardRow, listing: Listing, *, backwards: bool = False) -> str:
    value = ORDERS[listing.order].value(row)
    above = row.above if backwards else row.rank or row.above
    return Cursor(value, row.standing_id, above, backwards=backwards).text(listing)
