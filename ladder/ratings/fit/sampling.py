"""Few players: samples by the likelihood itself, where a normal curve around the best guess is a poor picture.

Who wins always may be better by any margin and is hardly ever worse; a normal curve would say both with equal chances.
"""

from __future__ import annotations

import numpy as np

from ladder.ratings.fit.evidence import Floats
from ladder.ratings.fit.model import Model
from ladder.ratings.fit.solving import Precision

MOST_PLAYERS = 6  # more have too many directions to try; versions of one bot are as good as known from each other
PROPOSALS, KEPT = 3000, 1000
WIDER = 1.3  # than the normal curve, so that what lies beyond it is tried too


def sample(model: Model, precision: Precision, rng: np.random.Generator) -> Floats:
    """Parameters as probable as the model says at its present beliefs, a row each."""
    noise = rng.standard_normal((PROPOSALS, precision.size))
    tried = model.x + WIDER * noise @ precision.root.T
    logarithm = model.log_posterior(tried, precision) + (noise**2).sum(axis=1) / 2
    weight = np.exp(logarithm - logarithm.max())
    marks = (np.arange(KEPT) + rng.random()) / KEPT
    return np.asarray(tried[np.searchsorted(np.cumsum(weight / weight.sum()), marks).clip(max=PROPOSALS - 1)])
