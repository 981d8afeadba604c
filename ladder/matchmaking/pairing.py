"""Who should meet: newcomers first; then half of the tables by what they teach, a tenth by chance, the others by mu.

Without a fit that knows enough, what is least known meets opponents near in mu, with a share of chance meetings.
Pure: contenders, what a fit leaves open and a random source in, tables out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from ladder.matchmaking.doubt import Doubt
from ladder.ratings.models import BETA

TEACHING_SHARE, CHANCE_SHARE = 0.5, 0.1  # of the tables for which no newcomer waits
BEST = 10  # who belongs to so many at the top matters most
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
    contenders: Sequence[Contender], *, seats: int, count: int, aims: Aims, rng: Random, doubt: Doubt | None = None
) -> list[tuple[int, ...]]:
    """Up to ``count`` tables of version ids; fewer, or none, when enough is known or too few can play.

    ``doubt`` is what the latest fit leaves open; none: there is no fit, or too much has happened since.
    """
    pending = {contender.version: contender.pending for contender in contenders}
    tables: list[tuple[int, ...]] = []
    while len(tables) < count:
        table = _next_table([_with(each, pending) for each in contenders], seats, aims, rng, doubt)
        if not table:
            break
        for version in table:
            pending[version] += seats  # a table is played in all rotations
        tables.append(table)
    return tables


def _with(contender: Contender, pending: Mapping[int, int]) -> Contender:
    now = pending[contender.version]
    return contender if contender.pending == now else replace(contender, pending=now)


def _next_table(
    contenders: Sequence[Contender], seats: int, aims: Aims, rng: Random, doubt: Doubt | None
) -> tuple[int, ...]:
    """Somebody who asks and its opponents, no two of one owner, in an order of chance."""
    free = [each for each in contenders if each.pending < aims.most_pending]
    askers = [each for each in free if not is_known(each, aims)]
    if not askers:
        return ()
    table: list[int] = []
    if doubt is not None and not any(_lacks_matches(each, aims) for each in askers):
        luck = rng.random()
        if luck < TEACHING_SHARE:
            table = _most_telling(doubt, free, askers, seats)
        elif luck < TEACHING_SHARE + CHANCE_SHARE:
            table = _seated(rng.choice(askers), free, seats, lambda others: rng.choice(others))
    table = table or _by_mu(free, askers, seats, aims, rng)
    rng.shuffle(table)
    return tuple(table) if len(table) == seats else ()  # so few owners seat nobody else either


def _most_telling(doubt: Doubt, free: Sequence[Contender], askers: Sequence[Contender], seats: int) -> list[int]:
    owners = {each.version: each.owner for each in free}
    return doubt.best_table(
        owners,
        {each.version for each in askers},
        seats,
        may_meet=lambda one, other: not owners[one] or owners[one] != owners[other],
    )


def _by_mu(free: Sequence[Contender], askers: Sequence[Contender], seats: int, aims: Aims, rng: Random) -> list[int]:
    """The version that is known least, and opponents near in mu."""
    asker = max(askers, key=lambda each: (_lacks_matches(each, aims), *_ignorance(each), rng.random()))
    return _seated(asker, free, seats, lambda others: _opponent(asker, others, rng))


def _seated(
    asker: Contender, free: Sequence[Contender], seats: int, choose: Callable[[Sequence[Contender]], Contender]
) -> list[int]:
    """A version and as many opponents as there are seats, or as may sit with it."""
    table, others = [asker], _strangers(asker, free)
    while others and len(table) < seats:
        table.append(choose(others))
        others = _strangers(table[-1], others)
    return [each.version for each in table]


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
