"""What is known about two versions of a ladder: who is better, how surely, and what would tell more."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from django.db import connection
from django.db.models import QuerySet

from ladder.ladders.models import Ladder
from ladder.ratings.fit.evidence import Floats
from ladder.ratings.models import BETA, Z95, Fit, FitDraws, FitLine, Rating, Standing
from ladder.ratings.queries import Opponent, opponents, shown_fit

POWER_80 = 0.8416  # standard deviations that 80 % of a normal curve lies below
HEAD_TO_HEAD = 2000  # latest matches of each version that are looked through
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
    mine, theirs = (_draws(fit, each.version_id) if fit else None for each in (one, other))
    if mine is None or theirs is None:
        return Gap(size, math.hypot(one.sd, other.sd), phi)
    return Gap(size, max(float((mine - theirs).std()), 0.01), phi)


def _draws(fit: Fit, version: int) -> Floats | None:
    """How far each draw of a version lies from its rating; reads its own part of the blob alone."""
    player = FitLine.objects.filter(fit=fit, version=version).values_list("player", flat=True).first()
    count = FitDraws.objects.filter(fit=fit).values_list("count", flat=True).first()
    if player is None or count is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT SUBSTR(content, %s, %s) FROM ratings_fitdraws WHERE fit_id = %s",
            [1 + 2 * count * player, 2 * count, fit.pk],
        )
        return np.frombuffer(bytes(cursor.fetchone()[0]), dtype="<f2").astype(np.float64)


def head_to_head(one: Standing, other: Standing) -> HeadToHead | None:
    """The latest matches of the two versions under the present rules; None when they have not met."""
    ladder = one.ladder
    theirs = dict(_ranks(ladder, other).values_list("step__match_id", "rank")[:HEAD_TO_HEAD])
    mine = _ranks(ladder, one).values_list("step__match_id", "step__match__set_id", "rank")[:HEAD_TO_HEAD]
    sets: dict[int, list[float]] = defaultdict(list)
    for match, match_set, rank in mine:
        if match in theirs:
            sets[match_set].append(_point(rank, theirs[match]))
    if not sets:
        return None
    scores = [sum(points) / len(points) for points in sets.values()]
    share = sum(scores) / len(scores)
    return HeadToHead(sum(map(len, sets.values())), len(sets), share, *_wilson(share, len(sets)))


def _ranks(ladder: Ladder, standing: Standing) -> QuerySet[Rating]:
    rows = Rating.objects.filter(ladder=ladder, version=standing.version_id)
    return rows.filter(step__match__rules_version=ladder.rules_version).order_by("-step__number")


def _point(mine: int, theirs: int) -> float:
    return 0.5 if mine == theirs else float(mine < theirs)


def _wilson(share: float, count: int) -> tuple[float, float]:
    """A 95 % interval of a share that holds for few sets too; sets that share points only make it wider than needed."""
    shrink = 1 + Z95**2 / count
    middle = (share + Z95**2 / (2 * count)) / shrink
    half = Z95 * math.sqrt(share * (1 - share) / count + Z95**2 / (4 * count**2)) / shrink
    return max(0.0, middle - half), min(1.0, middle + half)


def common_opponents(one: Standing, other: Standing, most: int = 12) -> tuple[CommonOpponent, ...]:
    """Those that both bots met in their latest matches, most met first."""
    mine = {each.bot_id: each for each in opponents(bot_id=one.bot_id, ladder=one.ladder)}
    theirs = {each.bot_id: each for each in opponents(bot_id=other.bot_id, ladder=one.ladder)}
    shared = sorted(mine.keys() & theirs.keys(), key=lambda bot: (-mine[bot].matches - theirs[bot].matches, bot))
    return tuple(
        CommonOpponent(
            bot, mine[bot].bot, _share(mine[bot]), mine[bot].matches, _share(theirs[bot]), theirs[bot].matches
        )
        for bot in shared[:most]
    )


def _share(met: Opponent) -> float:
    return (met.wins + met.draws / 2) / met.matches
