"""Fits of a few matches that are written down one by one, for tests and benchmarks; the service has columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ladder.ratings.fit import Fit, Seatings, evidence_of, fit_evidence


class FitMatch(NamedTuple):
    """One match: who sat there, each one's place in turn order and rank; all of a fit have as many seats."""

    players: tuple[int, ...]
    places: tuple[int, ...]
    ranks: tuple[int, ...]


def fit(*, players: int, sets: Sequence[Sequence[FitMatch]], **more: Any) -> Fit:
    """The fit of matches that were played in sets."""
    columns = np.array([match for played in sets for match in played], dtype=np.int64)
    set_of = np.repeat(np.arange(len(sets)), list(map(len, sets)))
    seated, places, ranks = columns.swapaxes(0, 1) if columns.size else np.zeros((3, 0, 2), np.int64)
    return fit_evidence(evidence_of(players, Seatings(seated, places, ranks, set_of), sets=len(sets)), **more)
