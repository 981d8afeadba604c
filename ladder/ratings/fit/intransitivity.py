"""Whether the field has cycles that no order of ratings can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from ladder.ratings.fit.evidence import Floats
from ladder.ratings.fit.model import Model
from ladder.ratings.fit.solving import Precision

REPLICAS, REPLICAS_IN_LARGE_FIELDS = 99, 19
RARE = 0.1  # what is not rarer by one way of asking is not asked the other way
UNBELIEVED = 0.01  # of what is believed of players: beliefs hold ratings back, which is no cycle
EQUAL = 1e-3  # ratings nearer than this are the same
NOTHING = 1e-9  # of what is expected: rounding


def p_intransitive(model: Model, precision: Precision) -> float:
    """How often a field without chemistry would show as much of it as this one; small means cycles.

    Asked in two ways, and the larger answer counts. By signs: every set keeps its size and gets a sign of its own,
    which ends what the sets of a pair have in common and nothing else. By chance: results are drawn anew as the ratings
    expect them, because a bot that always beats the same one shows no cycle, only that ratings are careful. Where
    nobody got the better of anybody who is rated higher, there is nothing to ask.
    """
    asked = _Cycles(model, precision)
    if not has_upset(model) or abs(asked.found) <= NOTHING * asked.expected:
        return 1.0
    by_signs = asked.share_of(asked.by_signs)
    return by_signs if by_signs > RARE else max(by_signs, asked.share_of(asked.by_chance))


def has_upset(model: Model) -> bool:
    """Whether some player got more than half of the points against one that is not rated lower."""
    e = model.evidence
    pair_of, one, other = model.grouping.pairs
    ahead = np.round(np.bincount(pair_of, e.weight * (e.won - 0.5), len(one)), 6)
    above = model.x[one] - model.x[other]
    return bool((np.sign(ahead) * above < np.abs(np.sign(ahead)) * EQUAL).any())


class _Cycles:
    """What the sets of each pair have in common, as it is and as it would be without cycles."""

    def __init__(self, model: Model, precision: Precision) -> None:
        self.model, self.grouping = model, model.grouping
        self.precision = replace(precision, own=UNBELIEVED * precision.own, shared=None)
        if self.precision.is_small:
            self.precision.root  # noqa: B018  made once, then used by every replica
        self.scores = model.scores()
        self.pull = self.grouping.by_meeting(self.scores.pull)
        self.information = self.grouping.by_meeting(self.scores.information)
        self.found = self._shown(self.pull)
        self.expected = float(self.grouping.cross_terms(self.information).sum())

    def share_of(self, replica: Callable[[], float]) -> float:
        """How many replicas show as much as was found, with what was found as one of them."""
        count = REPLICAS if self.precision.is_small else REPLICAS_IN_LARGE_FIELDS
        return (1 + sum(replica() >= self.found for _ in range(count))) / (1 + count)

    def by_signs(self) -> float:
        signs = 2.0 * self.model.rng.integers(0, 2, self.model.evidence.sets) - 1
        return self._shown(self.pull * signs[self.grouping.set_of_meeting])

    def by_chance(self) -> float:
        win, no_loss = self._chances
        luck = self.model.rng.random(len(win))
        won = ((luck < win) + 1.0 * (luck < no_loss)) / 2
        return self._shown(self.grouping.by_meeting(self._pull_of_a_point * (won - (win + no_loss) / 2)))

    @cached_property
    def _chances(self) -> tuple[Floats, Floats]:
        return self.model.chances()

    @cached_property
    def _pull_of_a_point(self) -> Floats:
        win, no_loss = self._chances
        growth = win * (1 - win) + no_loss * (1 - no_loss)
        share = win + no_loss
        return np.asarray(self.model.beliefs.slope * self.model.evidence.weight * 2 * growth / (share * (2 - share)))

    def _shown(self, pull: Floats) -> float:
        """What the sets of pairs have in common when ratings have taken all that they can hold."""
        one, other = self.grouping.players_of_meeting
        n = self.precision.players
        gradient = np.zeros(self.precision.size)
        gradient[:n] = (np.bincount(one, pull, n) - np.bincount(other, pull, n)) / self.model.beliefs.phi
        moved = self.precision.solve(gradient, tolerance=1e-3)
        return float(self.grouping.cross_terms(pull - self.information * (moved[one] - moved[other])).sum())
