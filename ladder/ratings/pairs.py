"""TrueSkill for two seats: many times as fast as the library, and the same to the last bit.

The library builds a graph of objects for every match. With two seats its shape is always the same, so here are the same
sums in the same order as plain numbers. What is believed is a pair: a precision, and the precision times the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from trueskill import DELTA, TrueSkill, calc_draw_margin

ROUNDS = 10  # the library's
Belief = tuple[float, float]
NOTHING: Belief = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Pairs:
    """The maths of one manner of rating, for two players."""

    maths: TrueSkill
    margin: float
    drift: float
    variance: float

    @classmethod
    def of(cls, maths: TrueSkill) -> Pairs:
        return cls(maths, calc_draw_margin(maths.draw_probability, 2, maths), maths.tau**2, maths.beta**2)

    def rate(self, better: Belief, worse: Belief, *, is_draw: bool) -> tuple[Belief, Belief]:
        """Mu and sigma of both after their match; raises ArithmeticError or ValueError where doubles don't suffice."""
        skill, rival_skill = self._skill(*better), self._skill(*worse)
        play, rival_play = self._seen_through(skill), self._seen_through(rival_skill)
        team, rival = _team(play), _team(rival_play)
        gap = self._gap(team, rival, is_draw=is_draw)
        told = _sum(gap, rival, 1.0)
        rival_told = _sum(_less(_both(team, told), told), gap, -1.0)
        return (
            _mu_and_sigma(self._learned(skill, play, team, told)),
            _mu_and_sigma(self._learned(rival_skill, rival_play, rival, rival_told)),
        )

    def _skill(self, mu: float, sigma: float) -> Belief:
        """A skill that may have drifted since the last match; through the precision, as the library keeps it."""
        mean, deviation = _mu_and_sigma((sigma**-2, sigma**-2 * mu), is_kept=True)
        precision = sqrt(deviation**2 + self.drift) ** -2
        return precision, precision * mean

    def _seen_through(self, belief: Belief) -> Belief:
        """What a skill says of one match, or one match of a skill: luck lies between them."""
        share = 1.0 / (1.0 + self.variance * belief[0])
        return share * belief[0], share * belief[1]

    def _gap(self, team: Belief, rival: Belief, *, is_draw: bool) -> Belief:
        """What the result says of the difference between both plays, beyond what was believed."""
        before = _sum(team, rival, -1.0)
        gap, said = before, NOTHING
        for _ in range(ROUNDS):
            gap = _both(_less(gap, before), before) if said is not NOTHING else gap
            seen = self._cut(_less(gap, said), is_draw=is_draw)
            said = _less(_both(seen, said), gap)
            change = max(abs(gap[1] - seen[1]), sqrt(abs(gap[0] - seen[0])))
            gap = seen
            if change <= DELTA:
                break
        return _less(gap, before)

    def _cut(self, gap: Belief, *, is_draw: bool) -> Belief:
        """The difference, now that its sign or its smallness is known."""
        root = sqrt(gap[0])
        found = gap[1] / root, self.margin * root
        v = self.maths.v_draw(*found) if is_draw else self.maths.v_win(*found)
        w = self.maths.w_draw(*found) if is_draw else self.maths.w_win(*found)
        return gap[0] / (1.0 - w), (gap[1] + root * v) / (1.0 - w)

    def _learned(self, skill: Belief, play: Belief, team: Belief, told: Belief) -> Belief:
        """A skill after what the match has told of the play."""
        seen = _team(_less(_both(team, told), team))
        return _both(skill, self._seen_through(_less(_both(play, seen), play)))


def _both(one: Belief, other: Belief) -> Belief:
    return one[0] + other[0], one[1] + other[1]


def _less(whole: Belief, part: Belief) -> Belief:
    return whole[0] - part[0], whole[1] - part[1]


def _team(play: Belief) -> Belief:
    """A team of one: the same, but for the rounding."""
    return _believed(play[1] / play[0], 1.0 / play[0])


def _sum(one: Belief, other: Belief, sign: float) -> Belief:
    """The sum of both, the second with this sign."""
    return _believed(one[1] / one[0] + sign * (other[1] / other[0]), 1.0 / one[0] + 1.0 / other[0])


def _believed(mean: float, variance: float) -> Belief:
    precision = 1.0 / variance
    return precision, precision * mean


def _mu_and_sigma(belief: Belief, *, is_kept: bool = False) -> Belief:
    """Mean and deviation; a result is once more turned into a precision before the library shows it."""
    mu, sigma = belief[1] / belief[0], sqrt(1 / belief[0])
    return (mu, sigma) if is_kept else _mu_and_sigma((sigma**-2, sigma**-2 * mu), is_kept=True)
