"""From a fit to the lines of a leaderboard: who is ranked, in which places, and who can't be told apart.

Pure: a fit in, lines out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ladder.ratings.fit import Fit, places_of_draws
from ladder.ratings.fit.evidence import Floats
from ladder.ratings.models import BELOW_ALL, RANKED_MATCHES, RANKED_SD

SURE_PLACES = 2  # a place interval this wide says enough where ratings can't: who always wins has no upper bound
TOLD_APART = 0.05  # a storey ends where one is better than its first with less probability


@dataclass(frozen=True, slots=True)
class FittedLine:
    """What a fit says about a version; places and storeys are for those that are listed and ranked."""

    version: int
    player: int
    matches: int
    rating: float
    sd: float
    missing: int
    storey: int | None = None
    place_low: int | None = None
    place_high: int | None = None
    p_first: float | None = None

    @property
    def is_provisional(self) -> bool:
        return self.missing > 0

    @property
    def board_key(self) -> float:
        return self.rating - BELOW_ALL if self.is_provisional else self.rating


def missing_matches(matches: int, sd: float) -> int:
    """About how many more matches a player needs to be ranked: the variance falls as matches come in."""
    for_sd = math.ceil(max(matches, 1) * ((sd / RANKED_SD) ** 2 - 1)) if sd > RANKED_SD else 0
    return max(0, RANKED_MATCHES - matches, for_sd)


def lines_of(fit: Fit, of_version: Mapping[int, int], listed: Collection[int]) -> list[FittedLine]:
    """A line for each version, best first; identical uploads have the same."""
    plain = [_plain(fit, version, player) for version, player in of_version.items()]
    sure = _with_sure_place(fit, [line for line in plain if line.version in listed and line.matches >= RANKED_MATCHES])
    lines = [replace(line, missing=0) if line.version in sure else line for line in plain]
    lines.sort(key=lambda line: (-line.board_key, line.version))
    ranked = [line for line in lines if line.version in listed and not line.is_provisional]
    drawn = fit.draws[:, [line.player for line in ranked]]
    low, high, first = places_of_draws(drawn)
    storeys = storeys_of(drawn)
    placed = {
        line.version: (storeys[at], int(low[at]), int(high[at]), float(first[at])) for at, line in enumerate(ranked)
    }
    return [_with_place(line, placed.get(line.version)) for line in lines]


def _plain(fit: Fit, version: int, player: int) -> FittedLine:
    matches, sd = int(fit.matches[player]), float(fit.sd[player])
    return FittedLine(version, player, matches, float(fit.rating[player]), sd, missing_matches(matches, sd))


def _with_sure_place(fit: Fit, lines: Sequence[FittedLine]) -> set[int]:
    """Versions known by their place if not by their rating: who wins always is first, by how much nobody can tell."""
    low, high, _ = places_of_draws(fit.draws[:, [line.player for line in lines]])
    widest = min(SURE_PLACES, len(lines) - 2)
    return {line.version for at, line in enumerate(lines) if high[at] - low[at] <= widest and len(lines) > 1}


def _with_place(line: FittedLine, place: tuple[int, int, int, float] | None) -> FittedLine:
    if place is None:
        return line
    storey, low, high, first = place
    return replace(line, storey=storey, place_low=low, place_high=high, p_first=first)


def storeys_of(drawn: Floats) -> list[int]:
    """The storey of each column, from 1: a new one begins where the first of the last one is better almost surely."""
    storeys: list[int] = []
    leader, storey = 0, 1
    for at in range(drawn.shape[1]):
        if float(np.mean(drawn[:, at] >= drawn[:, leader])) < TOLD_APART:
            leader, storey = at, storey + 1
        storeys.append(storey)
    return storeys
