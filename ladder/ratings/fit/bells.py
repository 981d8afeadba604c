"""Fields that are no single bell: two camps, a long tail, a few far outside, told as two bells.

Where a bell stands is not known and never estimated by itself: its players have the doubt about its middle in common.
So two camps that hardly ever surprise each other lie apart by what results say, and by no belief in one bell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ladder.ratings.fit.evidence import Floats

FEWEST_PLAYERS = 12  # fewer can't tell two bells from one
MIDDLE_SD = 9.0  # of where the middle of a bell may be
BELL_SD, BELL_WEIGHT = 4.0, 1.0  # what is believed of a bell's width, worth so many players
NARROWEST = 0.7
FAR_OUT = 0.7  # of a field, the part that is nearer to its middle


@dataclass(frozen=True, slots=True)
class Bells:
    """How far each player belongs to each of two bells, how wide these are, and what part of the field each has."""

    member: Floats  # players x bells
    sd: Floats
    part: Floats

    @property
    def own(self) -> Floats:
        """How precisely each player is known from its bells, if their middles were certain."""
        return np.asarray(self._strength.sum(axis=1))

    @property
    def shared(self) -> Floats:
        """What the players of a bell have in common because its middle is not: shared @ shared.T less is known."""
        return np.asarray(self._strength / np.sqrt(self._strength.sum(axis=0) + MIDDLE_SD**-2))

    @property
    def log_belief(self) -> float:
        """What the belief about all players is divided by, and how probable it is that these belong to those bells."""
        member, strength = self.member, self._strength.sum(axis=0)
        belong = (member * (np.log(self.part) - np.log(np.maximum(member, 1e-12)))).sum()
        return float(belong - (member @ np.log(self.sd)).sum() - np.log1p(strength * MIDDLE_SD**2).sum() / 2)

    @property
    def _strength(self) -> Floats:
        return np.asarray(self.member / self.sd**2)


def guesses(x: Floats) -> Iterator[NDArray[np.bool_]]:
    """Who may be in the second bell: the stronger of two camps, or those far outside."""
    order = np.sort(x)
    within = [_squares(order[:at]) + _squares(order[at:]) for at in range(2, len(x) - 1)]
    yield x > order[1 + int(np.argmin(within))]
    away = np.abs(x - np.median(x))
    yield away > np.quantile(away, FAR_OUT)


def _squares(x: Floats) -> float:
    return float(((x - x.mean()) ** 2).sum())


def first_bells(is_second: NDArray[np.bool_], x: Floats, variance: Floats) -> Bells:
    """Bells around a guess, which is not quite believed."""
    return _bells(np.where(is_second[:, None], [0.1, 0.9], [0.9, 0.1]), x, variance)


def better_bells(bells: Bells, x: Floats, variance: Floats) -> Bells:
    """One step of expectation and maximisation, with players where they are now and as sure as that is."""
    logarithm = np.log(bells.part / bells.sd) - _away(bells.member, x, variance) / (2 * bells.sd**2)
    member = np.exp(logarithm - logarithm.max(axis=1, keepdims=True))
    return _bells(member / member.sum(axis=1, keepdims=True), x, variance)


def _bells(member: Floats, x: Floats, variance: Floats) -> Bells:
    count = member.sum(axis=0)
    squares = (member * _away(member, x, variance)).sum(axis=0)
    sd = np.sqrt((BELL_WEIGHT * BELL_SD**2 + squares) / (BELL_WEIGHT + count))
    return Bells(member, np.maximum(sd, NARROWEST), (1 + count) / (2 + len(x)))


def _away(member: Floats, x: Floats, variance: Floats) -> Floats:
    """The expected square of each player's distance from the middle of each bell."""
    middles = x @ member / member.sum(axis=0)
    return np.asarray((x[:, None] - middles) ** 2 + variance[:, None])
