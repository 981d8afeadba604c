"""Worlds in which the true skills are known, and how a set of matches ends in each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ladder.matches.services import rotations
from ladder.ratings.models import BETA

Floats = NDArray[np.float64]
MEAN = 25.0
_normal = np.vectorize(NormalDist().cdf)


@dataclass(frozen=True, slots=True)
class World:
    """What luck is made of; performances vary by beta around the skill unless it says otherwise."""

    name: str
    spread: float = 6.0  # of the skills
    seats: int = 2
    first_move: float = 0.0  # what moving first is worth
    deal: float = 0.0  # share of the variance that a seat gets in all matches of a set
    taste: float = 0.0  # share of the variance that a bot gets in all matches of a set
    draws: float = 0.0  # between equals
    cycle: float = 0.0  # how much a rock gains on its scissors
    faulty: float = 0.0  # share of bots that fail
    fault_rate: float = 0.0  # in so many of their matches
    wild: float = 0.0  # how far the bots' own luck differs: its logarithm's standard deviation
    clones: int = 1  # so many bots in a row have the same skill but for 0.2
    camps: float = 0.0  # how far two camps lie apart
    tails: float = 0.0  # degrees of freedom of heavy tails; 0: a bell
    marks: tuple[int, ...] = (40, 78)  # matches a bot after which it is measured


WORLDS = {
    world.name: world
    for world in (
        World("plain", marks=(20, 40, 78, 200)),
        World("tight", spread=2.0),
        World("seat", first_move=3.0),
        World("deal", deal=0.81),
        World("draws", draws=0.3),
        World("cycle", cycle=3.0, marks=(40, 78, 200)),
        World("fault", faulty=0.2, fault_rate=0.15),
        World("four seats", seats=4, marks=(40, 60)),
        # Nothing of the fit was chosen by looking at the worlds below.
        World("taste", taste=0.5),
        World("wild", wild=0.4),
        World("clones", clones=5),
        World("camps", spread=2.0, camps=16.0),
        World("tails", tails=2.0),
    )
}


@dataclass(frozen=True)
class Field:
    """The bots of one season."""

    world: World
    skill: Floats
    angle: Floats
    fails: Floats
    luck: Floats  # standard deviation of each one's performance

    def set_ranks(self, table: tuple[int, ...], rng: np.random.Generator) -> list[tuple[tuple[int, ...], list[int]]]:
        """A table played in all rotations: each seating with its ranks."""
        world = self.world
        of_seat = rng.normal(0, math.sqrt(world.deal) * BETA, world.seats)
        of_bot = dict(zip(table, rng.normal(0, math.sqrt(world.taste) * BETA, world.seats), strict=True))
        rest = math.sqrt(1 - world.deal - world.taste)
        played = []
        for seating in rotations(table):
            bots = list(seating)
            shown = self.skill[bots] + of_seat + rng.normal(0, rest, world.seats) * self.luck[bots]
            shown += [of_bot[bot] for bot in bots]
            shown[0] += world.first_move
            if world.cycle:
                shown[0] += world.cycle * math.sin(self.angle[bots[0]] - self.angle[bots[1]])
            shown -= 1000.0 * (rng.random(world.seats) < self.fails[bots])
            played.append((seating, self._ranks(shown)))
        return played

    def _ranks(self, shown: Floats) -> list[int]:
        margin = math.sqrt(2) * BETA * NormalDist().inv_cdf((1 + self.world.draws) / 2)
        return [1 + int(np.count_nonzero(shown > own + margin)) for own in shown]

    def true_ratings(self) -> Floats:
        """Skills; where more counts, the ratings that expect what an endless round robin would give."""
        world = self.world
        rating = self.skill
        if world.cycle or world.faulty or world.wild:
            rating = ratings_that_expect(self._shares())
        return np.asarray(rating - rating.mean() + MEAN)

    def _shares(self) -> Floats:
        """What each (row) gets against each (column), in the long run."""
        gap = self.skill[:, None] - self.skill[None, :]
        gap = gap + self.world.cycle * np.sin(self.angle[:, None] - self.angle[None, :])
        sane = _normal(gap / np.sqrt(self.luck[:, None] ** 2 + self.luck[None, :] ** 2))
        own, other = self.fails[:, None], self.fails[None, :]
        return np.asarray((1 - own) * (1 - other) * sane + (1 - own) * other + own * other / 2)


def ratings_that_expect(shares: Floats) -> Floats:
    """The ratings with which TrueSkill's model expects each one's share in a round robin."""
    n = len(shares)
    others = ~np.eye(n, dtype=bool)
    wanted = np.where(others, shares, 0).sum(axis=1)
    rating = np.full(n, MEAN)
    for _ in range(100):
        gap = (rating[:, None] - rating[None, :]) / (math.sqrt(2) * BETA)
        expected = np.where(others, _normal(gap), 0).sum(axis=1)
        slope = np.where(others, np.exp(-(gap**2) / 2), 0) / (2 * BETA * math.sqrt(math.pi))
        bend = np.diag(slope.sum(axis=1) + 1e-9) - slope
        step = np.linalg.solve(bend + 1e-9, wanted - expected)
        rating = rating + np.clip(step, -BETA, BETA)
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(rating - rating.mean() + MEAN)


def new_field(world: World, *, bots: int, rng: np.random.Generator) -> Field:
    """A season's bots."""
    skill = np.repeat(_bell_or_tails(world, -(-bots // world.clones), rng), world.clones)[:bots]
    if world.camps:
        skill = skill + np.where(np.arange(bots) % 2, world.camps / 2, -world.camps / 2)
    if world.clones > 1:
        skill = skill + rng.normal(0, 0.2, bots)
    fails = np.where(rng.random(bots) < world.faulty, world.fault_rate, 0.0)
    luck = BETA * np.exp(rng.normal(0, world.wild, bots)) if world.wild else np.full(bots, BETA)
    return Field(world, skill, rng.uniform(0, 2 * math.pi, bots), fails, luck)


def _bell_or_tails(world: World, count: int, rng: np.random.Generator) -> Floats:
    """Skills around the mean; heavy tails have the middle of a bell and a few far outside."""
    if world.tails:
        return np.asarray(MEAN + world.spread / 2 * rng.standard_t(world.tails, count))
    return rng.normal(MEAN, world.spread, count)
