"""What is known about skill: histories, head-to-head, seats, and how sure any of it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Avg, Case, Count, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from ladder.ladders.models import Ladder
from ladder.ratings.models import Z95, Fit, FitLine, Rating, SeatTally, Standing

MOST_POINTS = 200
LOOK_BACK = 500  # matches that head-to-head and seats are counted over


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
    rules_version: int
    nth: int  # rated match of the bot on this ladder


def rated_matches(*, bot_id: int, ladder: Ladder) -> int:
    """How many rated matches a bot has had on a ladder, over all its versions and all rules."""
    return _ratings_of(bot_id, ladder).order_by("-nth").values_list("nth", flat=True).first() or 0


def _ratings_of(bot_id: int, ladder: Ladder) -> QuerySet[Rating]:
    return Rating.objects.filter(bot=bot_id, ladder=ladder)


def _latest_of(bot_id: int, ladder: Ladder) -> QuerySet[Rating]:
    """Those that head-to-head and seats are counted over, so that a long career costs no more than a short one.

    Matches under older rules came before all others and are not among them.
    """
    left_out = max(_earlier_matches(bot_id, ladder), rated_matches(bot_id=bot_id, ladder=ladder) - LOOK_BACK)
    return _ratings_of(bot_id, ladder).filter(nth__gt=left_out)


def _earlier_matches(bot_id: int, ladder: Ladder) -> int:
    """How many rated matches a bot has had on a ladder under older rules."""
    if ladder.rules_since is None:
        return 0
    places = Standing.objects.filter(bot=bot_id).values_list("ladder", "earlier")  # by the bot's own index
    return sum(earlier for place, earlier in places if place == ladder.pk)


def history(*, bot_id: int, ladder: Ladder, most: int = MOST_POINTS) -> list[Point]:
    """The ratings of a bot's versions over time, thinned evenly to at most so many points; the last is kept."""
    rows, total = _ratings_of(bot_id, ladder), rated_matches(bot_id=bot_id, ladder=ladder)
    if total > most:
        stride = (total - 1) / (most - 1)
        rows = rows.filter(nth__in=[1 + round(index * stride) for index in range(most)])
    fields = (
        "step__number",
        "step__match_id",
        "version__number",
        "step__at",
        "mu",
        "sigma",
        "step__match__rules_version",
        "nth",
    )
    return [Point(*row) for row in rows.order_by("nth").values_list(*fields)]


@dataclass(frozen=True, slots=True)
class FitPoint:
    """What one fit said about a bot."""

    at: datetime
    matches: int  # of the ladder
    version: int
    rating: float
    sd: float


def fit_history(*, bot_id: int, ladder: Ladder) -> list[FitPoint]:
    """A bot's newest version in each fit that is kept under the present rules, oldest first."""
    lines = FitLine.objects.filter(
        version__bot=bot_id, fit__ladder=ladder, fit__is_shown=True, fit__rules_version=ladder.rules_version
    ).order_by("fit_id", "version__number")
    rows = lines.values_list("fit_id", "fit__at", "fit__matches", "version__number", "rating", "sd")
    newest = {fit: FitPoint(at, matches, version, rating, sd) for fit, at, matches, version, rating, sd in rows}
    return list(newest.values())


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
    """Head-to-head over all versions of both in the bot's latest matches, most met first."""
    mine = Rating.objects.filter(step=OuterRef("step"), bot=bot_id).order_by("seat").values("rank")[:1]
    met = (
        Rating.objects.filter(step__in=_latest_of(bot_id, ladder).values("step"))
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
    return [Opponent(*row) for row in met.values_list(*OPPONENT_FIELDS)[:most]]


OPPONENT_FIELDS = (
    "bot_id", "bot__name", "bot__owner__username", "matches", "wins", "draws", "losses", "last",
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
    """A bot's results by the seat it had, in its latest matches."""
    rows = _latest_of(bot_id, ladder).values("seat").order_by("seat")
    rows = rows.annotate(matches=Count("pk"), mean_rank=Avg("rank"), firsts=_count(Q(rank=1)))
    return [SeatResult(**row) for row in rows]


def seat_advantage(ladder: Ladder) -> list[SeatResult]:
    """How each seat of a ladder fares over all its rated matches."""
    tallies = SeatTally.objects.filter(ladder=ladder, matches__gt=0).order_by("seat")
    return [SeatResult(row.seat, row.matches, row.rank_sum / row.matches, row.wins + row.draws) for row in tallies]


def shown_fit(ladder: Ladder) -> Fit | None:
    """The fit that the leaderboard shows; none before the first."""
    return ladder.fits.filter(is_shown=True, rules_version=ladder.rules_version).order_by("-id").first()


def latest_problem(ladder: Ladder) -> str:
    """Why the latest attempt at a fit came to no end; empty when it did."""
    last = ladder.fits.filter(rules_version=ladder.rules_version).order_by("-id").values_list("problem", flat=True)
    return last.first() or ""


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


def shares_of(ladder: Ladder) -> Shares:
    """What seats and turns of a ladder are worth, by the fit that is shown."""
    fit = shown_fit(ladder)
    if fit is None or not fit.matches:
        return Shares()
    by_seat = tuple(_share(row) for row in fit.shares["seat"])
    effects = zip(fit.shares["turn"], fit.place_effects, strict=False)
    return Shares(by_seat, tuple(_share(row, worth) for row, worth in effects))


def _share(row: dict[str, Any], worth: dict[str, float] | None = None) -> Share:
    effect, sd = (worth["effect"], worth["sd"]) if worth else (None, None)
    spread = Z95 * row["sd"]
    return Share(
        place=row["place"],
        matches=row["matches"],
        points=row["points"],
        points_low=max(0.0, row["points"] - spread),
        points_high=min(1.0, row["points"] + spread),
        firsts=row["firsts"],
        mean_rank=row["mean_rank"],
        effect=effect,
        effect_low=None if effect is None or sd is None else effect - Z95 * sd,
        effect_high=None if effect is None or sd is None else effect + Z95 * sd,
    )


def rating_changes(match_id: int) -> list[Rating]:
    """What a match did to the ratings of its seats; empty while unrated or void."""
    return list(Rating.objects.filter(step__match=match_id).order_by("seat"))


def ratings_lag() -> int:
    """How many rating numbers are given out and not applied yet, over all ladders."""
    lag = Ladder.objects.aggregate(lag=Sum(F("last_number") - F("rated_through")))["lag"]
    return int(lag or 0)
