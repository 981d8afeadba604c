"""What is known about skill: histories, head-to-head, seats, and how sure any of it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Case, Count, F, IntegerField, Max, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

from ladder.ratings.models import Ladder, Rating, SeatTally, Standing
from ladder.ratings.skill import Skill, chance_to_be_better, chance_to_beat, matches_to_separate
from ladder.refusals import Refused

MOST_POINTS = 200


def get_ladder(slug: str) -> Ladder:
    """The ladder of a slug; raises Refused (404)."""
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise Refused(f"There is no ladder {slug!r}.", code="not_found", status=404)
    return ladder


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
