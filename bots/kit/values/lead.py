"""From scores to chances."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp


def chances(scores: Sequence[float], scale: float) -> list[float]:
    """The mean chance of each seat to end above another, when a lead of `scale` makes it three to one."""
    others = len(scores) - 1
    return [sum(_beats(mine - theirs, scale) for theirs in scores) / others - 0.5 / others for mine in scores]


def _beats(lead: float, scale: float) -> float:
    return 1 / (1 + exp(max(-30.0, min(30.0, -1.1 * lead / scale))))
