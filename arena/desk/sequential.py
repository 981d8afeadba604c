"""Is the new version better? A sequential test on the scores of seat-balanced sets, stopping as soon as it is clear.

Scores of sets, not of matches, are counted, because the matches of a set share a deal. The test is Wald's with the
likelihood ratio generalised to any distribution of scores: the likeliest one whose mean is even plus the margin against
the likeliest one whose mean is even, both fitted to what was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import log

EVEN = 0.5
_LITTLE = 1e-3  # of a set, at either extreme: so that a mean can be fitted to scores that are all the same
_STEPS = 60


class Verdict(StrEnum):
    """What the test says so far."""

    BETTER = "better"
    NO_BETTER = "no better"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Even strength against a score that is better by margin; error is the chance of either wrong verdict."""

    margin: float = 0.05
    error: float = 0.05

    @property
    def bound(self) -> float:
        """The log likelihood ratio at which the test ends, above as below."""
        return log((1 - self.error) / self.error)

    def ratio(self, scores: Iterable[float]) -> float:
        """The log likelihood ratio of these set scores: above 0 they speak for better."""
        return self.ratio_of(Counter(scores))

    def ratio_of(self, counts: Mapping[float, int]) -> float:
        """The same for scores that were counted already."""
        seen: dict[float, float] = {0.0: _LITTLE, 1.0: _LITTLE}
        for score, count in counts.items():
            seen[score] = seen.get(score, 0.0) + count
        even, better = _tilt(seen, EVEN), _tilt(seen, EVEN + self.margin)
        return sum(
            count * log((1 + even * (score - EVEN)) / (1 + better * (score - EVEN - self.margin)))
            for score, count in seen.items()
        )

    def verdict(self, ratio: float) -> Verdict:
        """Where a log likelihood ratio stands to the bounds."""
        if ratio >= self.bound:
            return Verdict.BETTER
        return Verdict.NO_BETTER if ratio <= -self.bound else Verdict.OPEN


def _tilt(seen: Mapping[float, float], mean: float) -> float:
    """The t for which shares proportional to count / (1 + t (score - mean)) have this mean: the likeliest such shares.

    The excess falls with t, so Newton's steps are kept between the ends that are known to be too far.
    """
    low, high = -1 / (1 - mean), 1 / mean
    tilt = 0.0
    for _ in range(_STEPS):
        excess = slope = 0.0
        for score, count in seen.items():
            part = (score - mean) / (1 + tilt * (score - mean))
            excess += count * part
            slope -= count * part * part
        low, high = (tilt, high) if excess > 0 else (low, tilt)
        step = tilt - excess / slope
        following = step if low < step < high else (low + high) / 2
        if abs(following - tilt) < 1e-12:
            break
        tilt = following
    return tilt
