"""How much more, or less, results scatter than the model says: within sets that share a deal, and between pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ladder.ratings.fit.evidence import Evidence, Floats, Ints

FLOOR = 0.05  # of the total
PRIOR_CROSSINGS = 0.5  # information that says: ratings hold everything
PRIOR_SETS = 10  # as many sets of ordinary scatter are believed in before the first was played


@dataclass(frozen=True, slots=True)
class Scores:
    """The derivative of each row's likelihood by its gap, and its information."""

    pull: Floats
    information: Floats


@dataclass(frozen=True)
class Grouping:
    """Where the rows of a fit belong: to players in sets, to pairs in sets, to pairs."""

    evidence: Evidence

    @cached_property
    def _slots(self) -> tuple[Ints, Ints, int]:
        """For each row the (set, player) of its two sides."""
        n, e = self.evidence.players, self.evidence
        keys = np.concatenate([e.set_of * n + e.one, e.set_of * n + e.other])
        unique, place = np.unique(keys, return_inverse=True)
        return place[: e.rows], place[e.rows :], len(unique)

    def squares_of_sets(self, pull: Floats) -> float:
        """The sum of |vector|² over sets, where each row pulls its two players apart."""
        ones, others, count = self._slots
        vector = np.bincount(ones, pull, count) - np.bincount(others, pull, count)
        return float(vector @ vector)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """For each row its pair; for each pair its two players."""
        n, e = self.evidence.players, self.evidence
        unique, place = np.unique(e.one * n + e.other, return_inverse=True)
        return place, unique // n, unique % n

    @cached_property
    def _meetings(self) -> tuple[Ints, Ints]:
        """For each row its meeting, which is a pair in a set; for each meeting pair and set as one number."""
        unique, place = np.unique(
            self.pairs[0] * max(self.evidence.sets, 1) + self.evidence.set_of, return_inverse=True
        )
        return place, unique

    @cached_property
    def set_of_meeting(self) -> Ints:
        return np.asarray(self._meetings[1] % max(self.evidence.sets, 1))

    @cached_property
    def _pair_of_meeting(self) -> Ints:
        return np.asarray(self._meetings[1] // max(self.evidence.sets, 1))

    @cached_property
    def players_of_meeting(self) -> tuple[Ints, Ints]:
        _, one, other = self.pairs
        return one[self._pair_of_meeting], other[self._pair_of_meeting]

    def by_meeting(self, value: Floats) -> Floats:
        """Values of rows, summed up for each meeting."""
        place, unique = self._meetings
        return np.asarray(np.bincount(place, value, len(unique)), dtype=np.float64)

    def cross_terms(self, of_meeting: Floats) -> Floats:
        """For each pair, the sum over its sets squared, less the squares: only different sets are compared."""
        count = len(self.pairs[1])
        total = np.bincount(self._pair_of_meeting, of_meeting, count)
        return np.asarray(total**2 - np.bincount(self._pair_of_meeting, of_meeting**2, count))


def phi_of_sets(grouping: Grouping, scores: Scores, drawn: Floats) -> float:
    """Scatter of whole sets against what the model expects (1); draws restore what fitting took away."""
    e = grouping.evidence
    if not e.rows:
        return 1.0
    removed = [grouping.squares_of_sets(scores.information * (x[e.one] - x[e.other])) for x in drawn]
    expected = 2 * float(scores.information.sum())
    prior = PRIOR_SETS * expected / max(e.sets, 1)
    return (grouping.squares_of_sets(scores.pull) + float(np.mean(removed)) + prior) / (expected + prior)


@dataclass(frozen=True, slots=True)
class Chemistry:
    """What the sets of one pair have in common and no rating holds."""

    phi: float  # scatter against what the model expects
    variance: float  # of a pair's gap around the difference of its ratings


def chemistry(grouping: Grouping, scores: Scores, drawn: Floats) -> Chemistry:
    """By comparing different sets of the same pair; never below 0."""
    if not grouping.evidence.rows:
        return Chemistry(0.0, 0.0)
    _, one, other = grouping.pairs
    doubt = np.mean((drawn[:, one] - drawn[:, other]) ** 2, axis=0)
    shared = grouping.cross_terms(grouping.by_meeting(scores.information))
    found = max(0.0, float(grouping.cross_terms(grouping.by_meeting(scores.pull)).sum()) + float(shared @ doubt))
    expected = float(scores.information.sum())
    prior = PRIOR_SETS * expected / max(grouping.evidence.sets, 1)
    return Chemistry(found / (expected + prior), found / (float(shared.sum()) + PRIOR_CROSSINGS))
