"""Rating maths: the only module that knows trueskill, with pairs.py beside it for two seats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

import trueskill

from ladder.ratings.models import BETA, START_MU, START_SIGMA
from ladder.ratings.pairs import Pairs


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed about a player: a mean and how far off it may be."""

    mu: float = START_MU
    sigma: float = START_SIGMA


@dataclass(frozen=True, slots=True)
class Manner:
    """How a ladder rates: how often its games are drawn, and how much a skill may drift from match to match."""

    draw_probability: float
    tau: float


@lru_cache(maxsize=64)
def _maths(manner: Manner, backend: str | None) -> trueskill.TrueSkill:
    return trueskill.TrueSkill(
        mu=START_MU,
        sigma=START_SIGMA,
        beta=BETA,
        tau=manner.tau,
        draw_probability=manner.draw_probability,
        backend=backend,
    )


@lru_cache(maxsize=64)
def _pairs(manner: Manner) -> Pairs:
    return Pairs.of(_maths(manner, None))


def rate(skills: Sequence[Skill], ranks: Sequence[int], manner: Manner) -> list[Skill]:
    """The skills after one match, by seat; ranks are by seat too, 1 is best, ties share."""
    if len(skills) == 2:
        with suppress(ArithmeticError, ValueError):  # the library knows what to do with those that are too far apart
            return _rate_pair(skills, ranks, _pairs(manner))
    return rate_any(skills, ranks, manner)


def _rate_pair(skills: Sequence[Skill], ranks: Sequence[int], pairs: Pairs) -> list[Skill]:
    better = 0 if ranks[0] <= ranks[1] else 1
    beliefs = [(skill.mu, skill.sigma) for skill in skills]
    after = pairs.rate(beliefs[better], beliefs[1 - better], is_draw=ranks[0] == ranks[1])
    return _sound([Skill(*after[better]), Skill(*after[1 - better])])


def rate_any(skills: Sequence[Skill], ranks: Sequence[int], manner: Manner) -> list[Skill]:
    """The same for any number of seats, by the library."""
    try:
        return _rate_with(skills, ranks, _maths(manner, None))
    except FloatingPointError:
        # Far apart players underflow the normal density in doubles; arbitrary precision does not mind.
        return _rate_with(skills, ranks, _maths(manner, "mpmath"))


def _rate_with(skills: Sequence[Skill], ranks: Sequence[int], maths: trueskill.TrueSkill) -> list[Skill]:
    groups = [(maths.create_rating(skill.mu, skill.sigma),) for skill in skills]
    rated = maths.rate(groups, ranks=list(ranks))
    return _sound([Skill(float(group[0].mu), float(group[0].sigma)) for group in rated])


def _sound(skills: list[Skill]) -> list[Skill]:
    """The same; raises FloatingPointError when one of them is no skill."""
    if not all(math.isfinite(skill.mu) and 0 < skill.sigma < math.inf for skill in skills):
        raise FloatingPointError(f"rating gave {skills}")
    return skills
