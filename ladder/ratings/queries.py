"""What is known about skill: histories, head-to-head, seats, and how sure any of it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Case, Count, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.db.models.functions import Coalesce

from ladder.ladders.models import Ladder
from ladder.ratings.models import Rating, SeatTally, Standing
from ladder.ratings.skill import Skill, chance_to_be_better, chance_to_beat, matches_to_separate

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
