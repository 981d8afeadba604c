"""Rating maths: the only module that knows trueskill."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import trueskill

from ladder.ratings.models import BETA, START_MU, START_SIGMA


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed about a player: a mean and how far off it may be."""

    mu: float = START_MU
    sigma: float = START_SIGMA

    @property
    def conservative(self) -> float:
        """A value the true skill is almost surely above."""
        return self.mu - 3 * self.sigma


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


def rate(skills: Sequence[Skill], ranks: Sequence[int], manner: Manner) -> list[Skill]:
    """The skills after one match, by seat; ranks are by seat too, 1 is best, ties share."""
    try:
        return _rate_with(skills, ranks, _maths(manner, None))
    except FloatingPointError:
        # Far apart players underflow the normal density in doubles; arbitrary precision does not mind.
        return _rate_with(skills, ranks, _maths(manner, "mpmath"))


def _rate_with(skills: Sequence[Skill], ranks: Sequence[int], maths: trueskill.TrueSkill) -> list[Skill]:
    groups = [(maths.create_rating(skill.mu, skill.sigma),) for skill in skills]
    rated = maths.rate(groups, ranks=list(ranks))
    after = [Skill(float(group[0].mu), float(group[0].sigma)) for group in rated]
    if not all(math.isfinite(skill.mu) and 0 < skill.sigma < math.inf for skill in after):
        raise FloatingPointError(f"rating {list(skills)} by {list(ranks)} gave {after}")
    return after


def chance_to_beat(one: Skill, other: Skill) -> float:
    """The probability that one would rank above the other in their next match, draws counted half."""
    spread = math.sqrt(2 * BETA**2 + one.sigma**2 + other.sigma**2)
    return _normal((one.mu - other.mu) / spread)


def chance_to_be_better(one: Skill, other: Skill) -> float:
    """The probability that one is truly the stronger, whatever a single match may bring."""
    return _normal((one.mu - other.mu) / math.hypot(one.sigma, other.sigma))


def matches_to_separate(one: Skill, other: Skill, *, confidence_sds: float = 1.96) -> int | None:
    """About how many matches between two players tell them apart; None when they look equal."""
    gap = abs(one.mu - other.mu)
    if gap < 0.05:
        return None
    # A match tells the difference of two skills with variance 2 beta², of which a win or loss keeps 2 / pi.
    told = 2 * BETA**2 * math.pi / 2
    return max(0, math.ceil(told * (confidence_sds / gap) ** 2 - told / (one.sigma**2 + other.sigma**2)))


def _normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))
