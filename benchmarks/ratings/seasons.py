"""A season in memory: the ladder's own pairing and TrueSkill, and the fit beside them.

Who meets whom depends on results alone, never on the truth.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from benchmarks.ratings.worlds import Field, Floats, World, new_field
from ladder.matchmaking.pairing import Aims, Contender, choose_tables
from ladder.ratings.fit import Fit
from ladder.ratings.models import START_SIGMA
from ladder.ratings.skill import Manner, Skill, rate
from tests.ladder.ratings.fit.matches import FitMatch, fit

ENDLESS = Aims(sigma_goal=0.0, most_matches=10**9, most_pending=10**9)
TAU = 0.008
STEP = 1.5  # from one version to the next, in true skill


@dataclass
class Season:
    """Bots with true skills, what was played among them, and what TrueSkill makes of it."""

    world: World
    field: Field
    rng: np.random.Generator
    pairing: Random
    skills: list[Skill]
    played: list[int]
    active: list[int]
    sets: list[list[FitMatch]] = dataclasses.field(default_factory=list)
    links: dict[int, int] = dataclasses.field(default_factory=dict)
    priors: dict[int, tuple[float, float]] = dataclasses.field(default_factory=dict)

    def play(self, *, matches_a_bot: float) -> None:
        """Go on until the active bots have had so many matches on average."""
        while sum(self.played[bot] for bot in self.active) < matches_a_bot * len(self.active):
            contenders = [Contender(b, self.skills[b].mu, self.skills[b].sigma, self.played[b]) for b in self.active]
            for table in choose_tables(contenders, seats=self.world.seats, count=1, aims=ENDLESS, rng=self.pairing):
                self.play_set(table)

    def play_set(self, table: tuple[int, ...]) -> None:
        """One deal, all rotations, each rated by TrueSkill at once."""
        manner = Manner(max(self.world.draws, 0.005), TAU)
        matches = []
        for seating, ranks in self.field.set_ranks(table, self.rng):
            matches.append(FitMatch(seating, tuple(range(len(seating))), tuple(ranks)))
            for bot, skill in zip(seating, rate([self.skills[b] for b in seating], ranks, manner), strict=True):
                self.skills[bot] = skill
                self.played[bot] += 1
        self.sets.append(matches)

    def fit(self, *, draws: int = 400) -> Fit:
        """The fit of all that was played."""
        seed, priors = len(self.sets), self.priors
        return fit(players=len(self.skills), sets=self.sets, links=self.links, seed=seed, draws=draws, priors=priors)

    def close(self, *, moved: float, newcomers: int, widened: float = 0.0) -> None:
        """The next season among the same bots, each so far from where it was, and some that nobody knows.

        As on the ladder: the last fit is the prior, TrueSkill begins at the last mu with a wide sigma.
        """
        last, old, bots = self.fit(), self.field, len(self.skills)
        fresh = new_field(self.world, bots=newcomers, rng=self.rng)
        skill = np.concatenate([old.skill + self.rng.normal(0, moved, bots), fresh.skill])
        columns = zip((old.angle, old.fails, old.luck), (fresh.angle, fresh.fails, fresh.luck), strict=True)
        self.field = Field(self.world, skill, *(np.concatenate(both) for both in columns))
        self.skills = [Skill(each.mu, START_SIGMA) for each in self.skills] + [Skill()] * newcomers
        sd = np.hypot(last.sd, widened)
        self.priors = {bot: (float(last.rating[bot]), float(sd[bot])) for bot in range(bots)}
        self.played, self.active = [0] * (bots + newcomers), list(range(bots + newcomers))
        self.sets, self.links = [], {}

    def release(self, olds: list[int], *, step: float = STEP) -> list[int]:
        """New versions of some bots take their places, as the ladder starts them; returns who they are."""
        old, first = self.field, len(self.skills)
        skill = np.concatenate([old.skill, old.skill[olds] + self.rng.normal(0, step, len(olds))])
        also = (np.concatenate([column, column[olds]]) for column in (old.angle, old.fails, old.luck))
        self.field = Field(self.world, skill, *also)
        self.skills += [Skill(self.skills[each].mu, START_SIGMA) for each in olds]
        self.played += [0] * len(olds)
        news = list(range(first, len(self.skills)))
        self.links |= dict(zip(news, olds, strict=True))
        self.active = [each for each in self.active if each not in olds] + news
        return news

    def play_newcomers(self, news: list[int], *, matches: int) -> None:
        """Until each of them has had so many; they are known least, so that pairing asks for them first."""
        aims = replace(ENDLESS, sigma_goal=0.0, most_matches=matches)
        while min(self.played[bot] for bot in news) < matches:
            contenders = [
                Contender(b, self.skills[b].mu, self.skills[b].sigma, self.played[b] if b in news else matches)
                for b in self.active
            ]
            for table in choose_tables(contenders, seats=self.world.seats, count=1, aims=aims, rng=self.pairing):
                self.play_set(table)

    def trueskill(self) -> tuple[Floats, Floats]:
        """Mean and deviation of everyone."""
        return np.array([each.mu for each in self.skills]), np.array([each.sigma for each in self.skills])


def new_season(world: World, *, seed: int, bots: int = 50) -> Season:
    rng = np.random.default_rng([seed, *world.name.encode()])
    start = [Skill() for _ in range(bots)]
    return Season(world, new_field(world, bots=bots, rng=rng), rng, Random(seed), start, [0] * bots, list(range(bots)))
