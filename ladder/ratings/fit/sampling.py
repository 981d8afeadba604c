"""Few players: samples by the likelihood itself, where a normal curve around the best guess is a poor picture.

Who wins always may be better by any margin and is hardly ever worse; a normal curve would say both with equal chances.
Players of whom matches say the same get the same answer: what chance made of one of them is shared by all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ladder.ratings.fit.evidence import Floats, Ints
from ladder.ratings.fit.model import Model
from ladder.ratings.fit.solving import Precision

MOST_PLAYERS = 10  # more have too many directions to try; versions of one bot are as good as known from each other
PROPOSALS = 3000
WIDER = 1.3  # than the normal curve, so that what lies beyond it is tried too


@dataclass(frozen=True, slots=True)
class Sample:
    """Parameters (players, then places) with how probable each row is, and the ways to swap players."""

    rows: Floats
    weight: Floats
    swaps: Ints  # for each way, who stands for whom

    def mean(self) -> Floats:
        return self._shared(self.weight @ self.rows)

    def sd(self) -> Floats:
        mean = self.mean()
        return np.sqrt(np.maximum(self._shared(self.weight @ self.rows**2) - mean**2, 0.0))

    def draws(self, rng: np.random.Generator, count: int) -> Floats:
        """Rows as often as they are probable, each with players swapped in one of the ways."""
        marks = (np.arange(count) + rng.random()) / max(count, 1)
        picked = self.rows[np.searchsorted(np.cumsum(self.weight), marks).clip(max=len(self.rows) - 1)]
        ways = self.swaps[rng.integers(0, len(self.swaps), count)]
        return np.concatenate([np.take_along_axis(picked, ways, axis=1), picked[:, self.swaps.shape[1] :]], axis=1)

    def _shared(self, values: Floats) -> Floats:
        """Values of parameters, the mean of all ways to swap players."""
        return np.concatenate([values[self.swaps].mean(axis=0), values[self.swaps.shape[1] :]])


def sample(model: Model, precision: Precision, *, fixed: Ints, swaps: Ints) -> Sample:
    """Parameters as probable as the model says at its present beliefs, each tried with its opposite."""
    half = model.rng.standard_normal((PROPOSALS // 2, precision.size))
    noise = np.concatenate([half, -half])
    tried = model.x + WIDER * noise @ precision.root.T
    logarithm = model.log_posterior(tried, precision) + (noise**2).sum(axis=1) / 2
    weight = np.exp(logarithm - logarithm.max())
    return Sample(centred(tried, precision.players, fixed), weight / weight.sum(), swaps)


def centred(rows: Floats, players: int, fixed: Ints) -> Floats:
    """Rows in which the fixed players, and the places, have a mean of 0."""
    middle = rows[:, fixed].mean(axis=1, keepdims=True) if len(fixed) else 0.0
    places = rows[:, players:]
    return np.concatenate([rows[:, :players] - middle, places - places.mean(axis=1, keepdims=True)], axis=1)
