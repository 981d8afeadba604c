"""What is known about skill: leaderboards, histories, head-to-head, seats, and how sure any of it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Case, Count, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from ladder.ratings.models import Ladder, Rating, SeatTally, Standing
from ladder.ratings.paging import Cursor
from ladder.ratings.skill import Skill, chance_to_be_better, chance_to_beat, matches_to_separate
from ladder.refusals import Refused

PAGE = 50
MOST_ROWS = 200
MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a leaderboard."""

    rank: int
    standing_id: int
    bot_id: int
    bot: str
    owner: str | None
    version_id: int
    version: int
    mu: float
    sigma: float
    rating: float
    matches: int
    wins: int
    draws: int
    losses: int
    mean_rank: float | None
    faults: int
    recent_mu: tuple[float, ...]
    updated_at: datetime

    @property
    def trend(self) -> float:
        """How far mu moved over the last matches (at most 20)."""
        return self.mu - self.recent_mu[0] if self.recent_mu else 0.0

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval of mu."""
        return self.mu - 1.96 * self.sigma

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval of mu."""
        return self.mu + 1.96 * self.sigma


@dataclass(frozen=True, slots=True)
class Page:
    """Some lines of a leaderboard, and the cursors of the lines after and before them."""

    rows: tuple[Row, ...]
    next: str | None
    previous: str | None


ROW_FIELDS = (
    "id", "bot_id", "bot__name", "bot__owner__username", "version_id", "version__number", "mu", "sigma", "rating",
    "matches", "wins", "draws", "losses", "rank_sum", "faults", "recent_mu", "updated_at",
)  # fmt: skip


def get_ladder(slug: str) -> Ladder:
    """The ladder of a slug; raises Refused (404)."""
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise Refused(f"There is no ladder {slug!r}.", code="not_found", status=404)
    return ladder


def leaderboard(
    ladder: Ladder, *, cursor: str | None = None, limit: int = PAGE, search: str = "", owner: str = ""
) -> Page:
    """A page of the leaderboard, best first; the cost does not grow with the ladder. Raises InvalidCursor."""
    limit = max(1, min(limit, MOST_ROWS))
    at = Cursor.read(cursor)
    listed = _filtered(Standing.objects.filter(ladder=ladder, is_listed=True), search, owner)
    found = list(_from(listed, at).values_list(*ROW_FIELDS)[: limit + 1])
    has_more, found = len(found) > limit, found[:limit]
    if at.backwards:
        found.reverse()
    rows = _ranked(ladder, found, at, is_filtered=bool(search or owner))
    return _page(rows, at, has_more=has_more)


def _filtered(standings: QuerySet[Standing], search: str, owner: str) -> QuerySet[Standing]:
    if owner:
        standings = standings.filter(bot__owner__username__iexact=owner)
    if search:
        standings = standings.filter(Q(bot__name__icontains=search) | Q(bot__owner__username__icontains=search))
    return standings


def _from(listed: QuerySet[Standing], at: Cursor) -> QuerySet[Standing]:
    """The lines that follow the cursor in its direction, by key, so that no page costs more than another."""
    if at.is_start:
        return listed.order_by("-rating", "id")
    if at.backwards:
        before = Q(rating__gt=at.rating) | Q(rating=at.rating, id__lt=at.id)
        return listed.filter(before, rating__gte=at.rating).order_by("rating", "-id")
    after = Q(rating__lt=at.rating) | Q(rating=at.rating, id__gt=at.id)
    return listed.filter(after, rating__lte=at.rating).order_by("-rating", "id")


def _ranked(ladder: Ladder, found: Sequence[tuple[object, ...]], at: Cursor, *, is_filtered: bool) -> tuple[Row, ...]:
    """Lines with their ranks: counted on from the cursor, or looked up when lines were left out."""
    if is_filtered:
        known = ranks_on(ladder, [int(row[0]) for row in found])  # type: ignore[call-overload]
        ranks = [known[int(row[0])] for row in found]  # type: ignore[call-overload]
    else:
        first = max(1, at.rank - len(found)) if at.backwards else at.rank + 1
        ranks = list(range(first, first + len(found)))
    return tuple(_row(rank, row) for rank, row in zip(ranks, found, strict=True))


def _row(rank: int, values: Sequence[object]) -> Row:
    known = dict(zip(ROW_FIELDS, values, strict=True))
    matches, rank_sum = known["matches"], known.pop("rank_sum")
    return Row(
        rank=rank,
        standing_id=known.pop("id"),  # type: ignore[arg-type]
        bot=known.pop("bot__name"),  # type: ignore[arg-type]
        owner=known.pop("bot__owner__username"),  # type: ignore[arg-type]
        version=known.pop("version__number"),  # type: ignore[arg-type]
        mean_rank=rank_sum / matches if matches else None,  # type: ignore[operator]
        recent_mu=tuple(known.pop("recent_mu")),  # type: ignore[arg-type]
        **known,  # type: ignore[arg-type]
    )


def _page(rows: tuple[Row, ...], at: Cursor, *, has_more: bool) -> Page:
    if not rows:
        return Page((), None, None)
    first, last = rows[0], rows[-1]
    has_next = has_more or at.backwards
    has_previous = has_more if at.backwards else not at.is_start
    return Page(
        rows=rows,
        next=Cursor(last.rating, last.standing_id, last.rank).text() if has_next else None,
        previous=Cursor(first.rating, first.standing_id, first.rank, backwards=True).text() if has_previous else None,
    )


def rank_on(ladder: Ladder, *, rating: float, standing_id: int) -> int:
    """The place of a listed line, counted from the top."""
    better = Q(rating__gt=rating) | Q(rating=rating, id__lt=standing_id)
    return Standing.objects.filter(better, ladder=ladder, is_listed=True).count() + 1


def ranks_on(ladder: Ladder, standings: Sequence[int]) -> dict[int, int]:
    """The places of listed lines, in one query."""
    better = Q(rating__gt=OuterRef("rating")) | Q(rating=OuterRef("rating"), id__lt=OuterRef("id"))
    above = Standing.objects.filter(better, ladder=ladder, is_listed=True).order_by().values("ladder")
    counted = Subquery(above.annotate(count=Count("pk")).values("count"), output_field=IntegerField())
    rows = Standing.objects.filter(pk__in=standings).values_list("pk", Coalesce(counted, 0))
    return {standing: count + 1 for standing, count in rows}


def standings_of_bot(bot_id: int) -> list[Standing]:
    """Every place a bot's versions have, newest version first."""
    places = Standing.objects.filter(bot=bot_id).select_related("ladder", "version")
    return list(places.order_by("-version__number", "ladder__slug"))


@dataclass(frozen=True, slots=True)
class Point:
    """The rating of a version after one of its matches."""

    number: int
    match_id: int
    version: int
    at: datetime
    mu: float
    sigma: float


def history(*, bot_id: int, ladder: Ladder, most: int = MOST_POINTS) -> list[Point]:
    """The ratings of a bot's versions over time, thinned evenly to at most so many points; the last is kept."""
    rows = Rating.objects.filter(ladder=ladder, version__bot=bot_id).order_by("step__number")
    fields = ("step__number", "step__match_id", "version__number", "step__at", "mu", "sigma")
    points = [Point(*row) for row in rows.values_list(*fields)]
    if len(points) <= most:
        return points
    stride = (len(points) - 1) / (most - 1)
    return [points[round(index * stride)] for index in range(most)]


@dataclass(frozen=True, slots=True)
class Opponent:
    """How a bot has fared against another: in each match only who ranked above whom counts."""

    bot_id: int
    bot: str
    owner: str | None
    matches: int
    wins: int
    draws: int
    losses: int
    last_match_id: int


def opponents(*, bot_id: int, ladder: Ladder, most: int = 100) -> list[Opponent]:
    """Head-to-head over all versions of both, most met first."""
    mine = Rating.objects.filter(step=OuterRef("step"), version__bot=bot_id).values("rank")[:1]
    met = (
        Rating.objects.filter(ladder=ladder, step__ratings__version__bot=bot_id)
        .exclude(version__bot=bot_id)
        .annotate(my_rank=Subquery(mine, output_field=IntegerField()))
        .values("version__bot_id", "version__bot__name", "version__bot__owner__username")
        .annotate(
            matches=Count("pk"),
            wins=_count(Q(my_rank__lt=F("rank"))),
            draws=_count(Q(my_rank=F("rank"))),
            losses=_count(Q(my_rank__gt=F("rank"))),
            last=Max("step__match_id"),
        )
        .order_by("-matches", "version__bot_id")
    )
    return [Opponent(*row) for row in met.values_list(*OPPONENT_FIELDS)[:most]]


OPPONENT_FIELDS = (
    "version__bot_id", "version__bot__name", "version__bot__owner__username",
    "matches", "wins", "draws", "losses", "last",
)  # fmt: skip


def _count(condition: Q) -> Coalesce:
    return Coalesce(Sum(Case(When(condition, then=1), default=0)), 0)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat has fared, for a bot or for everybody."""

    seat: int
    matches: int
    mean_rank: float
    firsts: int


def by_seat(*, bot_id: int, ladder: Ladder) -> list[SeatResult]:
    """A bot's results by the seat it had."""
    rows = Rating.objects.filter(ladder=ladder, version__bot=bot_id).values("seat").order_by("seat")
    rows = rows.annotate(matches=Count("pk"), mean_rank=Avg("rank"), firsts=_count(Q(rank=1)))
    return [SeatResult(**row) for row in rows]


def seat_advantage(ladder: Ladder) -> list[SeatResult]:
    """How each seat of a ladder fares over all its rated matches."""
    tallies = SeatTally.objects.filter(ladder=ladder, matches__gt=0).order_by("seat")
    return [SeatResult(row.seat, row.matches, row.rank_sum / row.matches, row.wins + row.draws) for row in tallies]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the ratings say about two versions."""

    chance_to_beat: float  # in their next match, a draw counting half
    chance_to_be_better: float
    matches_to_separate: int | None  # about how many matches between them would tell; None: they look equal


def compare(one: Standing, other: Standing) -> Comparison:
    """How sure it is that one is stronger than the other."""
    mine, theirs = Skill(one.mu, one.sigma), Skill(other.mu, other.sigma)
    return Comparison(
        chance_to_beat=chance_to_beat(mine, theirs),
        chance_to_be_better=chance_to_be_better(mine, theirs),
        matches_to_separate=matches_to_separate(mine, theirs),
    )


def rating_changes(match_id: int) -> list[Rating]:
    """What a match did to the ratings of its seats; empty while unrated or void."""
    return list(Rating.objects.filter(step__match=match_id).order_by("seat"))


def ratings_lag() -> int:
    """How many rating numbers are given out and not applied yet, over all ladders."""
    lag = Ladder.objects.aggregate(lag=Sum(F("last_number") - F("rated_through")))["lag"]
    return int(lag or 0)
