"""Who should meet: what is least known first, against opponents near in mu, with a share of chance meetings.

Pure: contenders and a random source in, tables out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from ladder.ratings.models import BETA

RANDOM_SHARE = 0.1  # of opponents are drawn without regard to mu, so that no clique drifts away from the rest
NEAR = BETA  # a gap of one beta is a clear favourite, of two hardly a contest


@dataclass(frozen=True, slots=True)
class Contender:
    """One version on one ladder, as far as pairing cares."""

    version: int
    mu: float
    sigma: float
    matches: int
    pending: int = 0  # matches queued or running
    sd: float | None = None  # by the fit; none: it knows no more than TrueSkill
    is_contested: bool = False  # whether it belongs to the best is open
    owner: str = ""  # whose versions never meet each other; empty: may meet everybody


@dataclass(frozen=True, slots=True)
class Aims:
    """When a ladder knows enough."""

    sigma_goal: float  # for the fit's deviation, or TrueSkill's where there is none
    most_matches: int
    most_pending: int  # of one version; more would be played on stale knowledge
    fewest_matches: int = 0  # without which a version has no rank, however sure it is


def is_known(contender: Contender, aims: Aims) -> bool:
    """Whether a version asks for no more matches; what is pending counts as played."""
    if contender.matches + contender.pending >= aims.most_matches:
        return True
    sd = contender.sigma if contender.sd is None else contender.sd
    return not contender.is_contested and _after(sd, contender.pending) <= aims.sigma_goal


def expected_sigma(contender: Contender) -> float:
    """About where sigma will be when the pending matches are played."""
    return _after(contender.sigma, contender.pending)


def _after(sd: float, matches: int) -> float:
    """A result between equals tells the skill with a variance of about pi beta² (half of it the opponent's luck)."""
    return 1 / math.sqrt(1 / sd**2 + matches / (math.pi * BETA**2))


def choose_tables(
    contenders: Sequence[Contender], *, seats: int, count: int, aims: Aims, rng: Random
) -> list[tuple[int, ...]]:
    """Up to ``count`` tables of version ids; fewer, or none, when enough is known or too few can play."""
    pending = {contender.version: contender.pending for contender in contenders}
    tables: list[tuple[int, ...]] = []
    while len(tables) < count:
        table = _next_table([_with(each, pending) for each in contenders], seats, aims, rng)
        if not table:
            break
        for version in table:
            pending[version] += seats  # a table is played in all rotations
        tables.append(table)
    return tables


def _with(contender: Contender, pending: Mapping[int, int]) -> Contender:
    now = pending[contender.version]
    return contender if contender.pending == now else replace(contender, pending=now)


def _next_table(contenders: Sequence[Contender], seats: int, aims: Aims, rng: Random) -> tuple[int, ...]:
    """The version that is known least, and its opponents, no two of one owner."""
    free = [each for each in contenders if each.pending < aims.most_pending]
    askers = [each for each in free if not is_known(each, aims)]
    if not askers:
        return ()
    asker = max(askers, key=lambda each: (_lacks_matches(each, aims), *_ignorance(each), rng.random()))
    table, others = [asker], _strangers(asker, free)
    while others and len(table) < seats:
        table.append(_opponent(asker, others, rng))
        others = _strangers(table[-1], others)
    rng.shuffle(table)
    return tuple(each.version for each in table) if len(table) == seats else ()  # so few owners seat nobody else either


def _lacks_matches(contender: Contender, aims: Aims) -> bool:
    """Whether it needs more for a rank: who always loses keeps a wide sigma and would ask before it for ever."""
    return contender.matches + contender.pending < aims.fewest_matches


def _ignorance(contender: Contender) -> tuple[float, int]:
    return expected_sigma(contender), -contender.matches - contender.pending


def _strangers(contender: Contender, others: Sequence[Contender]) -> list[Contender]:
    """Those that may sit at a table with it."""
    version, owner = contender.version, contender.owner
    return [each for each in others if each.version != version and (not each.owner or each.owner != owner)]


def _opponent(asker: Contender, others: Sequence[Contender], rng: Random) -> Contender:
    if rng.random() < RANDOM_SHARE:
        return rng.choice(others)
    weights = [_appeal(asker, other) for other in others]
    return rng.choices(others, weights)[0] if sum(weights) > 0 else rng.choice(others)


def _appeal(asker: Contender, other: Contender) -> float:
    """Near in mu is better (never mu - 3 sigma: a new version would meet only the weak); so is less known."""
    width = math.sqrt(NEAR**2 + asker.sigma**2)
    return math.exp(-(((asker.mu - other.mu) / width) ** 2) / 2) * (0.5 + expected_sigma(other))
