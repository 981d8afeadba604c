"""Intervals at 95 %: the one number behind them, and Wilson's for shares."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959964  # standard deviations to either end


def wilson(share: float, count: float, z: float = Z95) -> tuple[float, float]:
    """The interval of a share of so many; it stays inside 0 to 1 and is honest about few; z says how sure."""
    if count <= 0:
        return 0.0, 1.0
    shrink = 1 + z**2 / count
    middle = (share + z**2 / (2 * count)) / shrink
    half = z * sqrt(max(0.0, share * (1 - share) / count + z**2 / (4 * count**2))) / shrink
    return max(0.0, middle - half), min(1.0, middle + half)
