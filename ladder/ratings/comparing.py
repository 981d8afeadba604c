"""What is known about two versions of a ladder: who is better, how surely, and what would tell more."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import NormalDist, fmean

from django.db.models import Q, QuerySet

from arena.intervals import Z95, wilson
from ladder.ladders.models import Ladder
from ladder.ratings.cycles import points
from ladder.ratings.draws import deviations
from ladder.ratings.models import BETA, Rating, Standing
from ladder.ratings.queries import LOOK_BACK, shown_fit
from ladder.refusals import Missing, Refused
from ladder.submissions.models import Bot

POWER_80 = 0.8416  # standard deviations that 80 % of a normal curve lies below
HEAD_TO_HEAD = 2000  # latest matches of each version that are looked through
LONGEST_NAME = 60
NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Gap:
    """By how much one is rated above the other, and how far off that may be."""

    size: float
    sd: float
    phi: float = 1.0  # scatter of results against what the model expects

    @property
    def is_better(self) -> float:
        """How probably the first is truly the better one."""
        return NORMAL.cdf(self.size / self.sd)

    @property
    def wins_next(self) -> float:
        """The points that the first may expect from their next match, a draw counting half."""
        return NORMAL.cdf(self.size / math.sqrt(2 * BETA**2 + self.sd**2))

    @property
    def matches_to_separate(self) -> int | None:
        """About how many matches between them would tell with 80 % power at 95 %; None where they look equal."""
        if abs(self.size) < 0.05:
            return None
        told = math.pi * BETA**2 * self.phi  # variance of the gap that one match leaves
        return max(0, math.ceil(told * (((Z95 + POWER_80) / self.size) ** 2 - self.sd**-2)))


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Their own matches: the share of points of the first, and its interval by sets."""

    matches: int
    sets: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CommonOpponent:
    """A bot that both have met, and the share of points each got from it."""

    bot_id: int
    bot: str
    one: float
    one_matches: int
    other: float
    other_matches: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions side by side."""

    gap: Gap
    head_to_head: HeadToHead | None
    common: tuple[CommonOpponent, ...]


def compare(one: Standing, other: Standing) -> Comparison:
    """All that is known about two places of one ladder."""
    return Comparison(gap_between(one, other), head_to_head(one, other), common_opponents(one, other))


def gap_between(one: Standing, other: Standing) -> Gap:
    """From the joint draws where both are in the fit; otherwise as if nothing tied them."""
    size, fit = one.rating - other.rating, shown_fit(one.ladder)
    phi = fit.phi_set + fit.phi_between if fit else 1.0
    drawn = deviations(fit, (one.version_id, other.version_id)) if fit else {}
    if len(drawn) < 2:
        return Gap(size, math.hypot(one.sd, other.sd), phi)
    return Gap(size, max(float((drawn[one.version_id] - drawn[other.version_id]).std()), 0.01), phi)


def head_to_head(one: Standing, other: Standing) -> HeadToHead | None:
    """The latest matches of the two versions under the present rules; None when they have not met."""
    ladder = one.ladder
    theirs = dict(_ranks(ladder, other).values_list("step__match_id", "rank")[:HEAD_TO_HEAD])
    mine = _ranks(ladder, one).values_list("step__match_id", "step__match__set_id", "rank")[:HEAD_TO_HEAD]
    sets: dict[int, list[float]] = defaultdict(list)
    for match, match_set, rank in mine:
        if match in theirs:
            sets[match_set].append(points(rank, theirs[match]))
    if not sets:
        return None
    scores = [sum(found) / len(found) for found in sets.values()]
    share = sum(scores) / len(scores)
    return HeadToHead(sum(map(len, sets.values())), len(sets), share, *wilson(share, len(sets)))


def _ranks(ladder: Ladder, standing: Standing) -> QuerySet[Rating]:
    rows = Rating.objects.shown().filter(ladder=ladder, version=standing.version_id)
    return rows.filter(
        step__number__gt=ladder.closed_through, step__match__rules_version=ladder.rules_version
    ).order_by("-step__number")


def common_opponents(one: Standing, other: Standing, most: int = 12) -> tuple[CommonOpponent, ...]:
    """Bots that both versions met in their latest matches, most met first; neither's own bot is among them."""
    mine, theirs = _met(one), _met(other)
    shared = (mine.keys() & theirs.keys()) - {one.bot_id, other.bot_id}
    order = sorted(shared, key=lambda bot: (-len(mine[bot]) - len(theirs[bot]), bot))[:most]
    names = dict(Bot.objects.filter(pk__in=order).values_list("pk", "name"))
    return tuple(
        CommonOpponent(bot, names[bot], fmean(mine[bot]), len(mine[bot]), fmean(theirs[bot]), len(theirs[bot]))
        for bot in order
    )


def _met(standing: Standing) -> dict[int, list[float]]:
    """The points of a version against each bot in its latest matches."""
    mine = dict(_ranks(standing.ladder, standing).values_list("step_id", "rank")[:LOOK_BACK])
    met: dict[int, list[float]] = defaultdict(list)
    seats = Rating.objects.filter(step__in=list(mine)).exclude(version=standing.version_id)
    for step, bot, rank in seats.values_list("step_id", "bot_id", "rank"):
        met[bot].append(points(mine[step], rank))
    return met


class UnknownBot(Missing):
    """Nobody of this name stands on the ladder."""

    def __init__(self, name: str, ladder: Ladder, field: str) -> None:
        told = "Write the names as the leaderboard shows them; “name v3” is its third version."
        super().__init__(f"“{name}” is not on the ladder {ladder.slug}. {told}", field=field)


def place_of(ladder: Ladder, asked: str, field: str = "a") -> Standing:
    """The place of a bot's active version, or of another one by its number: `lamplighter v3`; raises UnknownBot."""
    name = asked.strip()[:LONGEST_NAME]
    wanted = Q(is_listed=True, bot__name__iexact=name)
    bot, _, number = name.rpartition(" v")
    if number.isascii() and number.isdecimal() and len(number) < 9:
        wanted |= Q(bot__name__iexact=bot, version__number=int(number))
    places = ladder.standings.filter(wanted).select_related("bot", "version", "ladder")
    if not places:
        raise UnknownBot(name, ladder, field)
    # An old bot that is called “name v3” can be told by its own version, the third version of “name” in no other way.
    return min(places, key=lambda place: place.bot.name.lower() == name.lower())


def both_places(ladder: Ladder, a: str, b: str) -> tuple[Standing, Standing]:
    """The two that are to be compared; raises UnknownBot, or Refused for one and the same."""
    one, other = place_of(ladder, a, "a"), place_of(ladder, b, "b")
    if one.pk == other.pk:
        raise Refused(f"“{a.strip()[:LONGEST_NAME]}” can’t be compared with itself.", code="same_player", field="b")
    return one, other
