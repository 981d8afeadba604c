"""Leaderboards: a page of a ladder in any order, narrowed by a search or an owner, each line with its true rank.

Every order has its index and pages begin by key. A search first looks how many lines fit: few are sorted by themselves;
of many the order's own index soon finds a page full.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any

import orjson
from django.db import connection
from django.db.models import Func, Q, QuerySet

from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.ratings.models import Standing, Told
from ladder.ratings.paging import Cursor, Listing
from ladder.ratings.queries import columns_of
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
        return mean_rank(self.rank_sum, self.matches)

    @property
    def trend(self) -> float:
        return trend(self.mu, self.recent_mu)


def mean_rank(rank_sum: int, matches: int) -> float | None:
    """The mean of its ranks; none before the first match."""
    return rank_sum / matches if matches else None


def trend(mu: float, recent_mu: Sequence[float] | str) -> float:
    """How far mu moved over the last matches (at most 20); of a list that is still text the first number is read."""
    if isinstance(recent_mu, str):
        return mu - float(recent_mu[1 : recent_mu.find(",")]) if recent_mu != "[]" else 0.0
    return mu - recent_mu[0] if recent_mu else 0.0


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Some lines of a leaderboard, and the cursors of the lines after and before them."""

    rows: tuple[LeaderboardRow, ...]
    next: str | None
    previous: str | None


NAMES = {"standing_id": "id", "bot": "bot__name", "owner": "bot__owner__username", "version": "version__number"}
ROW_FIELDS = columns_of(LeaderboardRow, **NAMES)[1:]  # without `above`, which is counted
ID, IS_PROVISIONAL, BOARD_KEY = map(ROW_FIELDS.index, ("id", "is_provisional", "board_key"))
Values = tuple[Any, ...]  # of a line, as in ROW_FIELDS
Line = tuple[Any, ...]  # how many ranked lines stand above it, and its values


@dataclass(frozen=True, slots=True)
class BoardLines:
    """Some lines of a leaderboard as they are kept, and cursors as those of a page."""

    lines: list[Line]
    next: str | None
    previous: str | None


class AsKept(Func):
    """A time as the database hands it out soonest: SQLite has text, and a column of it is read by a slow reader."""

    template = "%(expressions)s"

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="CAST(%(expressions)s AS text)", **extra)


# What stands in a prepared statement for the ladder's slug, the cursor's value and its line.
LADDER, LINE = "a slug", 1_000_002
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
    found = board_lines(ladder, order=order, cursor=cursor, limit=limit, search=search, owner=owner)
    return BoardPage(tuple(_row(line) for line in found.lines), found.next, found.previous)


def board_lines(
    ladder: Ladder,
    *,
    order: str = BEST_FIRST,
    cursor: str | None = None,
    limit: int = PAGE,
    search: str = "",
    owner: str = "",
) -> BoardLines:
    """The same lines as they are kept, for whoever writes many and needs no objects."""
    if order not in ORDERS:
        raise UnknownOrder(order)
    listing = Listing(order, search, owner)
    if listing == Listing(BEST_FIRST):
        return best_first(ladder.slug, cursor=cursor, limit=limit)
    at = Cursor.read(cursor, listing, kind=ORDERS[order].kind)
    found, has_more = _lines(partial(_of_list, ladder, listing), at, limit)
    spots = [(values[BOARD_KEY], values[ID]) for values in found]
    counted = ranked_above(ladder, spots)
    return _board_lines([counted[spot] for spot in spots], found, listing, at, has_more=has_more)


def best_first(slug: str, *, cursor: str | None = None, limit: int = PAGE) -> BoardLines:
    """The whole list of a ladder in one query, ranks counted on from the cursor; no lines where there is no ladder."""
    listing = Listing(BEST_FIRST)
    at = Cursor.read(cursor, listing)
    found, has_more = _lines(partial(_asked, slug, BEST_FIRST), at, limit)
    ranked = [not values[IS_PROVISIONAL] for values in found]
    first = max(0, at.above - sum(ranked)) if at.backwards else at.above
    return _board_lines(accumulate(ranked, initial=first), found, listing, at, has_more=has_more)


def _lines(ask: Callable[[Cursor, int], list[Values]], at: Cursor, limit: int) -> tuple[list[Values], bool]:
    """The lines beside the cursor, from the top down, and whether there are more beyond them."""
    limit = max(1, min(limit, MOST_ROWS))
    found = ask(at, limit + 1)
    has_more, found = len(found) > limit, found[:limit]
    return (found[::-1] if at.backwards else found), has_more


def _of_list(ladder: Ladder, listing: Listing, at: Cursor, limit: int) -> list[Values]:
    if listing == Listing(listing.order):
        return _asked(ladder.slug, listing.order, at, limit)
    listed = _narrowed(ladder, search=listing.search, owner=listing.owner)
    return list(_from(listed, ORDERS[listing.order], at).values_list(*ROW_FIELDS)[:limit])


def _asked(slug: str, order: str, at: Cursor, limit: int) -> list[Values]:
    """The same of the whole ladder."""
    words, places = _statement(order, at.is_start, at.backwards, limit)
    known = {LADDER: slug, VALUES[ORDERS[order].kind]: at.value, LINE: at.id}
    with connection.cursor() as cursor:
        cursor.execute(words, [type(place)(known[place]) for place in places])
        return list(cursor.fetchall())


@lru_cache(maxsize=512)
def _statement(order: str, is_start: bool, backwards: bool, limit: int) -> tuple[str, tuple[Any, ...]]:
    """What the database is asked for a page of the whole ladder; made once, for to make it takes longer than to ask."""
    way = ORDERS[order]
    at = Cursor() if is_start else Cursor(VALUES[way.kind], LINE, backwards=backwards)
    listed = Standing.objects.filter(ladder_id=Ladder.objects.filter(slug=LADDER).values("pk")[:1], is_listed=True)
    read: tuple[str | AsKept, ...] = (*ROW_FIELDS[:-1], AsKept(ROW_FIELDS[-1]))
    words, places = _from(listed, way, at).values_list(*read)[:limit].query.sql_with_params()
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


def _row(line: Line) -> LeaderboardRow:
    fields: list[Any] = list(line)
    fields[-2:] = tuple(_plain(fields[-2])), _in_utc(moment(fields[-1]))
    return LeaderboardRow(*fields)


def _plain(trend: str | list[float]) -> list[float]:
    """A list that a database may hand out as text."""
    return orjson.loads(trend) if isinstance(trend, str) else trend


def moment(kept: str | datetime) -> datetime:
    """A time that a database may hand out as text; all are kept in UTC, whether or not the database says so."""
    return datetime.fromisoformat(kept) if isinstance(kept, str) else kept


def _in_utc(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _board_lines(
    above: Iterable[int], found: list[Values], listing: Listing, at: Cursor, *, has_more: bool
) -> BoardLines:
    if not found:
        return BoardLines([], None, None)
    lines = [(count, *values) for count, values in zip(above, found, strict=False)]
    has_next = has_more or at.backwards
    has_previous = has_more if at.backwards else not at.is_start
    return BoardLines(
        lines,
        next=_beside(lines[-1], listing) if has_next else None,
        previous=_beside(lines[0], listing, backwards=True) if has_previous else None,
    )


def _beside(line: Line, listing: Listing, *, backwards: bool = False) -> str:
    above, *values = line
    is_ranked = not values[IS_PROVISIONAL]
    value = values[ROW_FIELDS.index(ORDERS[listing.order].column)]
    return Cursor(value, values[ID], above + (is_ranked and not backwards), backwards=backwards).text(listing)
