"""How well predictions came true: the share of points predicted before each match against the share that was won.

Pure: predictions in, bins out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.intervals import wilson

BINS = 10


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one was expected to win from another, and what it won: 1, 0.5 or 0."""

    expected: float
    won: float
    match_set: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions that are about the same, and how they came out; the interval counts sets, which share a deal."""

    low: float
    high: float
    pairs: int
    sets: int
    expected: float
    observed: float
    observed_low: float
    observed_high: float

    @property
    def holds(self) -> bool:
        """Whether what was predicted lies in the interval of what came."""
        return self.observed_low <= self.expected <= self.observed_high


@dataclass(frozen=True, slots=True)
class Calibration:
    """All bins that have predictions, and how far these were off."""

    pairs: int
    brier: float  # mean square of the difference; 0.25 is what 50 % for everything gets where nothing is drawn
    brier_even: float  # of 50 % for everything, on the same matches
    gap: float  # mean distance between predicted and observed share, by bins
    bins: tuple[Bin, ...]

    @property
    def holding(self) -> int:
        return sum(each.holds for each in self.bins)


def calibration_of(predictions: Sequence[Prediction]) -> Calibration | None:
    """None without predictions."""
    if not predictions:
        return None
    groups: dict[int, list[Prediction]] = {}
    for each in predictions:
        groups.setdefault(min(int(each.expected * BINS), BINS - 1), []).append(each)
    bins = tuple(_bin(number, groups[number]) for number in sorted(groups))
    count = len(predictions)
    return Calibration(
        pairs=count,
        brier=sum((each.expected - each.won) ** 2 for each in predictions) / count,
        brier_even=sum((0.5 - each.won) ** 2 for each in predictions) / count,
        gap=sum(each.pairs * abs(each.expected - each.observed) for each in bins) / count,
        bins=bins,
    )


def _bin(number: int, group: Sequence[Prediction]) -> Bin:
    sets = len({each.match_set for each in group})
    observed = sum(each.won for each in group) / len(group)
    return Bin(
        number / BINS,
        (number + 1) / BINS,
        len(group),
        sets,
        sum(each.expected for each in group) / len(group),
        observed,
        *wilson(observed, sets),
    )
