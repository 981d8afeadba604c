"""Whether the field has cycles that no order of ratings can hold."""

from __future__ import annotations

import numpy as np

from ladder.ratings.fit.dispersion import Grouping, Scores
from ladder.ratings.fit.evidence import Floats
from ladder.ratings.fit.solving import Precision

REPLICAS, REPLICAS_IN_LARGE_FIELDS = 99, 19


def p_intransitive(grouping: Grouping, scores: Scores, precision: Precision, rng: np.random.Generator) -> float:
    """How often a field without chemistry would show as much of it as this one; small means cycles.

    In each replica every set keeps its size and gets a sign of its own, which ends what the sets of a pair have in
    common and nothing else; then the fit takes its share again, as it took it from the real ones.
    """
    pull, information = grouping.by_meeting(scores.pull), grouping.by_meeting(scores.information)
    if not grouping.cross_terms(information).any():
        return 1.0
    found = float(grouping.cross_terms(pull).sum())
    replicas = REPLICAS if precision.is_small else REPLICAS_IN_LARGE_FIELDS
    as_large = sum(_replica(grouping, pull, information, precision, rng) >= found for _ in range(replicas))
    return (1 + as_large) / (1 + replicas)


def _replica(
    grouping: Grouping, pull: Floats, information: Floats, precision: Precision, rng: np.random.Generator
) -> float:
    signed = pull * (2.0 * rng.integers(0, 2, grouping.evidence.sets) - 1)[grouping.set_of_meeting]
    one, other = grouping.players_of_meeting
    n = precision.players
    gradient = np.zeros(precision.size)
    gradient[:n] = np.bincount(one, signed, n) - np.bincount(other, signed, n)
    moved = precision.solve(gradient, tolerance=1e-3)
    return float(grouping.cross_terms(signed - information * (moved[one] - moved[other])).sum())
