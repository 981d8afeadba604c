"""Which table teaches most: what a fit leaves open about some versions, and how much of it a table would take away.

Pure: the fit's draws in, tables out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import combinations

import numpy as np

from ladder.ratings.fit.evidence import Floats
from ladder.ratings.fit.model import LOGISTIC
from ladder.ratings.models import BETA

MATCHES_OF_A_PAIR = 2.0  # a table tells of each of its pairs what so many matches of two seats would
CONTESTED = 4.0  # a rating counts so much more where it surely belongs to the best and an order there is wholly open
NORMAL = 1.7  # a logistic curve this steep is the normal one, nearly
MayMeet = Callable[[int, int], bool]


class Doubt:
    """The joint uncertainty of some ratings; tables that were chosen lessen it as if they had been played.

    A pair that has met since the fit, or will, is worth less: what it told is not known yet.
    """

    def __init__(self, versions: Collection[int], drawn: Floats, *, best: int, phi: float = 1.0) -> None:
        """Ratings as the fit drew them, a row each draw and a column each version; best 0: no place is open."""
        self._at = {version: at for at, version in enumerate(versions)}
        self._versions = list(versions)
        self._now = np.atleast_2d(np.cov(drawn.T))
        self._told = _information(drawn.mean(axis=0)) / phi
        self._stake = _stake(drawn, best)
        self._met = np.zeros_like(self._now)  # matches of each pair since the fit

    def note(self, met: Mapping[tuple[int, int], float]) -> None:
        """Take in matches of pairs that were played since the fit, or will be."""
        for (one, other), matches in met.items():
            if one in self._at and other in self._at:
                self._learn(self._at[one], self._at[other], matches)

    def best_table(self, free: Iterable[int], askers: Collection[int], seats: int, may_meet: MayMeet) -> list[int]:
        """The versions that together tell most, somebody who asks among them; none where all have met."""
        known = [version for version in free if version in self._at]
        pair = self._best_pair(known, askers, may_meet)
        table = list(pair)
        while table and len(table) < seats:
            if (one := self._best_guest(known, table, may_meet)) is None:
                return []
            table.append(one)
        self.note(dict.fromkeys(combinations(table, 2), MATCHES_OF_A_PAIR))
        return table

    def _best_pair(self, known: list[int], askers: Collection[int], may_meet: MayMeet) -> tuple[int, ...]:
        at = [self._at[version] for version in known]
        asks = np.array([version in askers for version in known], dtype=bool)
        worth = np.where(np.triu(asks[:, None] | asks, 1), self._worth()[np.ix_(at, at)], 0.0)
        for place in np.argsort(-worth, axis=None, kind="stable"):
            one, other = divmod(int(place), len(known))
            if worth[one, other] <= 0:
                break
            if may_meet(known[one], known[other]):
                return known[one], known[other]
        return ()

    def _best_guest(self, known: list[int], table: list[int], may_meet: MayMeet) -> int | None:
        """Who tells most beside those at a table, which may be somebody that one of them has met."""
        worth = self._worth()[:, [self._at[version] for version in table]].sum(axis=1)
        fit = [one for one in known if one not in table and all(may_meet(one, other) for other in table)]
        return max(fit, key=lambda version: (worth[self._at[version]], -self._at[version]), default=None)

    def _worth(self) -> Floats:
        """How much less doubtful all ratings would be after a table of each pair, weighed by what is at stake."""
        told, felt = MATCHES_OF_A_PAIR * self._told, (self._now * self._stake) @ self._now
        worth = told * _of_gaps(felt) / (1 + told * _of_gaps(self._now))
        return np.asarray(worth / (1 + self._met / MATCHES_OF_A_PAIR))

    def _learn(self, one: int, other: int, matches: float) -> None:
        way = self._now[:, one] - self._now[:, other]
        told = matches * self._told[one, other]
        self._now = self._now - np.outer(way, way) * told / (1 + told * (way[one] - way[other]))
        self._met[[one, other], [other, one]] += matches


def _of_gaps(covariance: Floats) -> Floats:
    """The same for the difference of every two."""
    own = np.diag(covariance)
    return np.asarray(own[:, None] + own - 2 * covariance)


def _information(rating: Floats) -> Floats:
    """What a match of two tells of the gap between them: the less, the surer its end is."""
    slope = LOGISTIC / (math.sqrt(2) * BETA)
    share = 1 / (1 + np.exp(-np.clip(slope * (rating[:, None] - rating), -30, 30)))
    return np.asarray(slope**2 * share * (1 - share))


def _stake(drawn: Floats, best: int) -> Floats:
    """How much each rating matters: most among the best, where it is open who of two is better."""
    if not best:
        return np.ones(drawn.shape[1])
    is_best = np.mean(drawn >= np.sort(drawn, axis=1)[:, [-min(best, drawn.shape[1])]], axis=0)
    return np.asarray(1 + CONTESTED * is_best * _openness(drawn).max(axis=1))


def _openness(drawn: Floats) -> Floats:
    """How open the order of every two is, from 0 to 1."""
    rating, gaps = drawn.mean(axis=0), _of_gaps(np.atleast_2d(np.cov(drawn.T)))
    far = (rating[:, None] - rating) / np.sqrt(np.maximum(gaps, 1e-9))
    better = 1 / (1 + np.exp(-np.clip(NORMAL * far, -30, 30)))
    return np.asarray(4 * better * (1 - better) * (1 - np.eye(len(rating))))
