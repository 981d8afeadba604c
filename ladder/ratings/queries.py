"""What is known about skill: histories, head-to-head, seats, and how sure any of it is."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from django.db.models import Avg, Case, Count, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from arena.intervals import Z95
from ladder.ladders.models import Ladder
from ladder.matches.queries import to_rate
from ladder.prepared import prepared
from ladder.ratings.models import Fit, FitLine, Rating, Season, SeatTally, Standing, Told

MOST_POINTS = 200
MOST_OPPONENTS = 100
LOOK_BACK = 500  # matches that head-to-head and seats are counted over


@prepared
def standings_of_bot(bot_id: int) -> QuerySet[Standing]:
    """Every place a bot's versions have, newest version first."""
    return _places(bot_id).select_related("ladder", "version")


def _places(bot_id: int) -> QuerySet[Standing]:
    return Standing.objects.filter(bot=bot_id).order_by("-version__number", "ladder__slug")


def columns_of(kind: type[Any], **elsewhere: str) -> tuple[str, ...]:
    """The columns that fill the fields of a dataclass, in their order: of the same name, or where a field says."""
    return tuple(elsewhere.get(field.name, field.name) for field in fields(kind))


@dataclass(slots=True)
class Place(Told):
    """What is told of a standing."""

    ladder: str
    version: int
    is_listed: bool
    rating: float
    sd: float
    is_provisional: bool
    missing: int
    place_low: int | None
    place_high: int | None
    p_first: float | None
    mu: float
    sigma: float
    matches: int
    wins: int
    draws: int
    losses: int
    faults: int


def places_of_bot(bot_id: int) -> list[Place]:
    """The same in brief, without the ladder and the version themselves."""
    return [Place(*row) for row in _place_rows(bot_id)]


@prepared
def _place_rows(bot_id: int) -> QuerySet[Standing, tuple[Any, ...]]:
    return _places(bot_id).values_list(*columns_of(Place, ladder="ladder__slug", version="version__number"))


@dataclass(frozen=True, slots=True)
class Point:
    """The rating of a version after one of its matches."""

    season: int
    number: int
    match_id: int
    version: int
    at: datetime
    mu: float
    sigma: float
    rules_version: int
    nth: int  # rated match of the bot on this ladder


def rated_matches(*, bot_id: int, ladder: Ladder) -> int:
    """How many rated matches a bot has had on a ladder, over all its versions and all seasons.

    What is counted over them can be told this number as ``rated``, and does not ask again then.
    """
    return next(iter(_last_nth(bot_id, ladder.pk)), 0)


@prepared
def _last_nth(bot_id: int, ladder_id: int) -> QuerySet[Rating, int]:
    return _ratings_of(bot_id, ladder_id).order_by("-nth").values_list("nth", flat=True)[:1]


def _ratings_of(bot_id: int, ladder_id: int) -> QuerySet[Rating]:
    return Rating.objects.shown().filter(bot=bot_id, ladder=ladder_id)


def _left_out(bot_id: int, ladder: Ladder, rated: int | None) -> int:
    """How many matches head-to-head and seats are not counted over: a long career costs no more than a short one.

    Matches of earlier seasons came before all others and are not among those that count.
    """
    total = rated_matches(bot_id=bot_id, ladder=ladder) if rated is None else rated
    return max(_earlier_matches(bot_id, ladder), total - LOOK_BACK)


def _earlier_matches(bot_id: int, ladder: Ladder) -> int:
    """How many rated matches a bot has had on a ladder in earlier seasons."""
    if ladder.rules_since is None and ladder.season == 1:
        return 0
    places = Standing.objects.filter(bot=bot_id).values_list("ladder", "earlier")  # by the bot's own index
    return sum(earlier for place, earlier in places if place == ladder.pk)


def history(*, bot_id: int, ladder: Ladder, most: int = MOST_POINTS, rated: int | None = None) -> list[Point]:
    """The ratings of a bot's versions over time, thinned evenly to at most so many points; the last is kept."""
    total = rated_matches(bot_id=bot_id, ladder=ladder) if rated is None else rated
    ends = _ends_of_seasons(ladder.pk)
    rows = _points_of(bot_id, ladder.pk) if total <= most else _thinned_points(bot_id, ladder.pk, total, most)
    return [Point(1 + bisect_left(ends, row[0]), *row) for row in rows]


@prepared
def _ends_of_seasons(ladder_id: int) -> QuerySet[Season, int]:
    return Season.objects.filter(ladder=ladder_id).order_by("number").values_list("rated_through", flat=True)


POINT_FIELDS = (
    "step__number", "step__match_id", "version__number", "step__at", "mu", "sigma", "step__match__rules_version", "nth",
)  # fmt: skip


@prepared
def _points_of(bot_id: int, ladder_id: int) -> QuerySet[Rating, tuple[Any, ...]]:
    return _points(_ratings_of(bot_id, ladder_id))


def _thinned_points(bot_id: int, ladder_id: int, total: int, most: int) -> list[tuple[Any, ...]]:
    stride = (total - 1) / (most - 1)
    chosen = [1 + round(index * stride) for index in range(most)]
    return list(_points(_ratings_of(bot_id, ladder_id).filter(nth__in=chosen)))


def _points(rows: QuerySet[Rating]) -> QuerySet[Rating, tuple[Any, ...]]:
    return rows.order_by("nth").values_list(*POINT_FIELDS)


@dataclass(frozen=True, slots=True)
class FitPoint:
    """What one fit said about a bot."""

    at: datetime
    season: int
    rated_through: int  # matches of the ladder, over all seasons
    version: int
    rating: float
    sd: float


def fit_history(*, bot_id: int, ladder: Ladder) -> list[FitPoint]:
    """A bot's newest version in each fit that is kept under the present rules, oldest first."""
    rows = _fitted_lines(bot_id, ladder.pk, ladder.rules_version)
    newest = {fit: FitPoint(*row) for fit, *row in rows}
    return list(newest.values())


@prepared
def _fitted_lines(bot_id: int, ladder_id: int, rules_version: int) -> QuerySet[FitLine, tuple[Any, ...]]:
    lines = FitLine.objects.filter(
        version__bot=bot_id, fit__ladder=ladder_id, fit__is_shown=True, fit__rules_version=rules_version
    ).order_by("fit_id", "version__number")
    fields = ("fit__at", "fit__season", "fit__rated_through", "version__number", "rating", "sd")
    return lines.values_list("fit_id", *fields)


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


def opponents(*, bot_id: int, ladder: Ladder, most: int = MOST_OPPONENTS, rated: int | None = None) -> list[Opponent]:
    """Head-to-head over all versions of both in the bot's latest matches, most met first."""
    return [Opponent(*row) for row in _met(bot_id, ladder.pk, _left_out(bot_id, ladder, rated))[:most]]


@prepared
def _met(bot_id: int, ladder_id: int, left_out: int) -> QuerySet[Any, Any]:
    latest = _ratings_of(bot_id, ladder_id).filter(nth__gt=left_out)
    mine = Rating.objects.filter(step=OuterRef("step"), bot=bot_id).order_by("seat").values("rank")[:1]
    met = (
        Rating.objects.filter(step__in=latest.values("step"))
        .exclude(bot=bot_id)
        .annotate(my_rank=Subquery(mine, output_field=IntegerField()))
        .values("bot_id", "bot__name", "bot__owner__username")
        .annotate(
            matches=Count("pk"),
            wins=_count(Q(my_rank__lt=F("rank"))),
            draws=_count(Q(my_rank=F("rank"))),
            losses=_count(Q(my_rank__gt=F("rank"))),
            last=Max("step__match_id"),
        )
        .order_by("-matches", "bot_id")
    )
    told = columns_of(Opponent, bot="bot__name", owner="bot__owner__username", last_match_id="last")
    rows: QuerySet[Any, Any] = met.values_list(*told)[:MOST_OPPONENTS]
    return rows


def _count(condition: Q) -> Coalesce:
    return Coalesce(Sum(Case(When(condition, then=1), default=0)), 0)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat has fared, for a bot or for everybody."""

    seat: int
    matches: int
    mean_rank: float
    firsts: int


def by_seat(*, bot_id: int, ladder: Ladder, rated: int | None = None) -> list[SeatResult]:
    """A bot's results by the seat it had, in its latest matches."""
    return [SeatResult(*row) for row in _seat_rows(bot_id, ladder.pk, _left_out(bot_id, ladder, rated))]


@prepared
def _seat_rows(bot_id: int, ladder_id: int, left_out: int) -> QuerySet[Any, Any]:
    rows = _ratings_of(bot_id, ladder_id).filter(nth__gt=left_out).values("seat").order_by("seat")
    told = rows.annotate(matches=Count("pk"), mean_rank=Avg("rank"), firsts=_count(Q(rank=1)))
    return told.values_list("seat", "matches", "mean_rank", "firsts")


def seat_advantage(ladder: Ladder) -> list[SeatResult]:
    """How each seat of a ladder fares over all its rated matches."""
    tallies = SeatTally.objects.filter(ladder=ladder, matches__gt=0).order_by("seat")
    return [SeatResult(row.seat, row.matches, row.rank_sum / row.matches, row.wins + row.draws) for row in tallies]


def fits_of(ladder: Ladder) -> QuerySet[Fit]:
    """The fits of the season that is being played."""
    return ladder.fits.filter(rules_version=ladder.rules_version, season=ladder.season)


def shown_fit(ladder: Ladder) -> Fit | None:
    """The fit that the leaderboard shows; none before the first."""
    return next(iter(_shown_fits(ladder.pk, ladder.rules_version, ladder.season)), None)


@prepared
def _shown_fits(ladder_id: int, rules_version: int, season: int) -> QuerySet[Fit]:
    shown = Fit.objects.filter(ladder=ladder_id, rules_version=rules_version, season=season, is_shown=True)
    return shown.order_by("-id")[:1]


def latest_problem(ladder: Ladder) -> str:
    """Why the latest attempt at a fit came to no end; empty when it did."""
    return next(iter(_latest_problems(ladder.pk, ladder.rules_version, ladder.season)), "")


@prepared
def _latest_problems(ladder_id: int, rules_version: int, season: int) -> QuerySet[Fit, str]:
    fits = Fit.objects.filter(ladder=ladder_id, rules_version=rules_version, season=season)
    return fits.order_by("-id").values_list("problem", flat=True)[:1]


@dataclass(frozen=True, slots=True)
class Share:
    """How one seat, or one place in turn order, has fared over all matches of a fit."""

    place: int  # from 0
    matches: int
    points: float  # the share of its opponents that it beat, a tie counting half
    points_low: float
    points_high: float
    firsts: int
    mean_rank: float
    effect: float | None  # what the place is worth in rating, where that is estimated
    effect_low: float | None
    effect_high: float | None


@dataclass(frozen=True, slots=True)
class Shares:
    """Points by seat and by place in turn order."""

    by_seat: tuple[Share, ...] = ()
    by_turn: tuple[Share, ...] = ()


def shares_by(fit: Fit | None) -> Shares:
    """What seats and turns are worth by a fit."""
    if fit is None or not fit.matches:
        return Shares()
    by_seat = tuple(_share(row) for row in fit.shares["seat"])
    effects = zip(fit.shares["turn"], fit.place_effects, strict=False)
    return Shares(by_seat, tuple(_share(row, worth) for row, worth in effects))


def _share(row: dict[str, Any], worth: dict[str, float] | None = None) -> Share:
    spread, effect_spread = Z95 * row["sd"], Z95 * worth["sd"] if worth else 0.0
    return Share(
        place=row["place"],
        matches=row["matches"],
        points=row["points"],
        points_low=max(0.0, row["points"] - spread),
        points_high=min(1.0, row["points"] + spread),
        firsts=row["firsts"],
        mean_rank=row["mean_rank"],
        effect=worth["effect"] if worth else None,
        effect_low=worth["effect"] - effect_spread if worth else None,
        effect_high=worth["effect"] + effect_spread if worth else None,
    )


@prepared
def rating_changes(match_id: int) -> QuerySet[Rating]:
    """What a match did to the ratings of its seats; empty while unrated or void."""
    return changes_by(match_id)


def changes_by(match_id: int) -> QuerySet[Rating]:
    """The ratings that a match changed, by seat."""
    return Rating.objects.shown().filter(step__match=match_id).order_by("seat")


def ratings_lag() -> dict[str, int]:
    """How many results of each ladder, by slug, are not rated yet."""
    waiting = dict(to_rate().order_by().values_list("ladder__slug").annotate(count=Count("pk")))
    numbered = Ladder.objects.values_list("slug", F("last_number") - F("rated_through"))
    return {slug: waiting.get(slug, 0) + lag for slug, lag in numbered}
