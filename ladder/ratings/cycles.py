"""Triangles that hold: bots of which each beats the next and the last beats the first, all three shown at once.

Pure: scores in, triangles out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

from arena.intervals import wilson

FEWEST_SETS = 5  # of a pair, before an edge is drawn
ERROR = 0.05  # over all triangles together

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edge:
    """One beats the other: its share of points in so many sets, and the least it can be."""

    winner: int
    loser: int
    share: float
    low: float
    sets: int


@dataclass(frozen=True, slots=True)
class Cycles:
    """How many triangles could be looked at, and those in which all three edges hold."""

    triangles: int
    holding: tuple[tuple[Edge, Edge, Edge], ...]


def cycles_of(scores: Mapping[Pair, Sequence[float]]) -> Cycles:
    """From the set scores of pairs (of the first against the second).

    A triangle needs all three edges, so each edge is tested at the level of the whole; because every triangle is looked
    at both ways round, that level is shared out among them.
    """
    met = {pair: found for pair, found in scores.items() if len(found) >= FEWEST_SETS}
    beside: dict[int, set[int]] = {}
    for one, other in met:
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)
    triangles = sum(len(beside[one] & beside[other]) for one, other in met) // 3
    if not triangles:
        return Cycles(0, ())
    z = NormalDist().inv_cdf(1 - ERROR / (2 * triangles))
    edges = {(edge.winner, edge.loser): edge for pair, found in met.items() if (edge := _edge(pair, found, z))}
    return Cycles(triangles, _cycles(edges))


def _edge(pair: Pair, found: Sequence[float], z: float) -> Edge | None:
    share = sum(found) / len(found)
    winner, loser = pair if share > 0.5 else pair[::-1]
    share = max(share, 1 - share)
    low = wilson(share, len(found), z)[0]
    return Edge(winner, loser, share, low, len(found)) if low > 0.5 else None


def _cycles(edges: Mapping[Pair, Edge]) -> tuple[tuple[Edge, Edge, Edge], ...]:
    beaten: dict[int, set[int]] = {}
    for winner, loser in edges:
        beaten.setdefault(winner, set()).add(loser)
    found = [
        (edges[first, second], edges[second, third], edges[third, first])
        for first, second in edges
        for third in beaten.get(second, ())
        if (third, first) in edges and first == min(first, second, third)
    ]
    return tuple(sorted(found, key=lambda triangle: -min(edge.low for edge in triangle)))


def points(mine: int, theirs: int) -> float:
    """What one gets against another by their ranks: 1, 0.5 for a tie, or 0."""
    return 0.5 if mine == theirs else float(mine < theirs)


def pair_scores(tables: Sequence[tuple[int, Sequence[int], Sequence[int]]]) -> dict[Pair, list[float]]:
    """The mean points of each pair in each set; a table is its set, who sat there, and their ranks."""
    met: dict[tuple[Pair, int], list[float]] = {}
    for match_set, players, ranks in tables:
        for (one, mine), (other, theirs) in combinations(sorted(zip(players, ranks, strict=True)), 2):
            if one != other:
                met.setdefault(((one, other), match_set), []).append(points(mine, theirs))
    scores: dict[Pair, list[float]] = {}
    for (pair, _), found in met.items():
        scores.setdefault(pair, []).append(sum(found) / len(found))
    return scores
