"""Points, tie-breaks and places of a tournament, from plain results; nothing here knows the database."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

SHARED = "shared"
SEED = "seed"  # knockout: of equals at a table the better seed goes on
BOOTSTRAP_DRAWS = 400
FEWEST_DRAWS = 100
BOOTSTRAP_WORK = 200_000_000  # gains added up; a tournament of a million matches is drawn less often


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One finished match: who sat where, ranks and scores by seat, and the set it belongs to."""

    set_number: int
    entrants: tuple[int, ...]
    ranks: tuple[int, ...]  # empty for a match that was void
    scores: tuple[float | None, ...]  # None when the game was cut short
    faults: tuple[int, ...] = ()  # entrants at fault


@dataclass(slots=True)
class Row:
    """What one entrant has achieved so far."""

    entrant: int
    points: float = 0.0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    matches: int = 0
    voids: int = 0
    faults: int = 0
    byes: int = 0
    score_sum: float = 0.0
    scored: int = 0  # matches that came to scores
    sonneborn_berger: float = 0.0
    progress: float = 0.0  # knockout: rounds gone through, plus half of what the last table gave
    place: int = 0
    tie_rule: str = ""  # what parted this entrant from the one above with equal points
    low: int = 0  # the places that luck allows: 95 % of the tournaments drawn from these sets
    high: int = 0
    opponents: dict[int, list[float]] = field(default_factory=dict)  # share won against each, of how many matches

    @property
    def mean_score(self) -> float:
        return self.score_sum / self.scored if self.scored else 0.0


@dataclass(slots=True)
class Climb:
    """How far everyone came in a knockout, and whom only a worse seed sent home from an even table."""

    progress: dict[int, float]
    out_by_seed: set[int] = field(default_factory=set)


class Gains:
    """What every match gave to everyone, in columns: a big tournament has millions."""

    def __init__(self) -> None:
        self.sets = array("q")
        self.entrants = array("q")
        self.points = array("d")

    def add(self, result: MatchResult, gained: Sequence[float]) -> None:
        self.sets.extend([result.set_number] * len(gained))
        self.entrants.extend(result.entrants)
        self.points.extend(gained)


def default_points(seats: int) -> tuple[float, ...]:
    """Points by rank: 1 for the first, 0 for the last, equal steps between."""
    return tuple((seats - rank) / (seats - 1) for rank in range(1, seats + 1))


def shared_points(ranks: Sequence[int], points: Sequence[float]) -> tuple[float, ...]:
    """Points by seat; seats that share a rank share the points of the ranks they fill."""
    gained = []
    for rank in ranks:
        sharing = ranks.count(rank)
        gained.append(sum(points[rank - 1 : rank - 1 + sharing]) / sharing)
    return tuple(gained)


def tally(entrants: int, results: Iterable[MatchResult], points: Sequence[float], gains: Gains) -> list[Row]:
    """The rows of all entrants, by number, without places; what each match gave is kept in gains."""
    rows = [Row(entrant) for entrant in range(entrants)]
    for result in results:
        for entrant in result.faults:
            rows[entrant].faults += 1
        if result.ranks:
            gained = shared_points(result.ranks, points)
            _count(rows, result, gained)
            gains.add(result, gained)
        else:
            for entrant in result.entrants:
                rows[entrant].voids += 1
    for row in rows:
        row.sonneborn_berger = sum(share * rows[other].points for other, (share, _) in row.opponents.items())
    return rows


def _count(rows: list[Row], result: MatchResult, gained: Sequence[float]) -> None:
    best, worst = min(result.ranks), max(result.ranks)
    for seat, entrant in enumerate(result.entrants):
        row, rank = rows[entrant], result.ranks[seat]
        row.matches += 1
        row.points += gained[seat]
        if (score := result.scores[seat]) is not None:
            row.score_sum += score
            row.scored += 1
        row.wins += rank == best and best != worst
        row.draws += best == worst
        row.losses += rank != best
        for other_seat, other in enumerate(result.entrants):
            if other_seat != seat:
                met = row.opponents.setdefault(other, [0.0, 0])
                met[0] += _duel(rank, result.ranks[other_seat])
                met[1] += 1


def _duel(rank: int, other: int) -> float:
    return 1.0 if rank < other else 0.5 if rank == other else 0.0


def standings(
    entrants: int,
    results: Iterable[MatchResult],
    points: Sequence[float],
    byes: Sequence[tuple[int, float]] = (),
    climb: Climb | None = None,
) -> list[Row]:
    """All rows, best first, with places, the rule that parted each tie, and the places that luck allows.

    In a knockout only the climb counts: points would punish whoever had a bye. Luck's places are then not told.
    """
    gains = Gains()
    rows = tally(entrants, results, points, gains)
    for entrant, gained in byes:
        rows[entrant].points += gained
        rows[entrant].byes += 1
    rows = _ranked(rows) if climb is None else _ranked_by_climb(rows, climb)
    _add_intervals(rows, gains if climb is None else Gains(), byes)
    return rows


def _ranked(rows: list[Row]) -> list[Row]:
    ordered: list[Row] = []
    for _, group in groupby(sorted(rows, key=_by_points), key=_by_points):
        ordered += _part_ties(list(group), above=len(ordered))
    return ordered


def _by_points(row: Row) -> float:
    """Descending, and blind to the last bits of a sum of thirds."""
    return -round(row.points, 9)


def _ranked_by_climb(rows: list[Row], climb: Climb) -> list[Row]:
    """Whoever came equally far shares the place, in the order of seeds; an even table says that the seed decided."""
    for row in rows:
        row.progress = climb.progress.get(row.entrant, 0.0)
    ordered = sorted(rows, key=lambda row: (-round(row.progress, 9), row.entrant))
    for index, row in enumerate(ordered):
        row.place = index + 1
        if index and round(ordered[index - 1].progress - row.progress, 9) == 0:
            row.place, row.tie_rule = ordered[index - 1].place, SHARED
        if row.entrant in climb.out_by_seed:
            row.tie_rule = SEED
    return ordered


def _head_to_head(group: Sequence[Row]) -> list[float]:
    """What each won against the others of the group; it counts only when all of them have met."""
    members = {row.entrant for row in group}
    if any(len(members & row.opponents.keys()) < len(members) - 1 for row in group):
        return [0.0] * len(group)
    return [sum(row.opponents[other][0] for other in sorted(members - {row.entrant})) for row in group]


TIE_RULES: tuple[tuple[str, Callable[[Sequence[Row]], Sequence[float]]], ...] = (
    ("head-to-head", _head_to_head),
    ("Sonneborn-Berger", lambda group: [row.sonneborn_berger for row in group]),
    ("wins", lambda group: [row.wins for row in group]),
    ("mean score", lambda group: [row.mean_score for row in group]),
)


def _part_ties(group: list[Row], *, above: int) -> list[Row]:
    """Rows with equal points in order, placed; the first rule in which two neighbours differ parts them."""
    measured = zip(*(measure(group) for _, measure in TIE_RULES), strict=True)
    measures = {row.entrant: [-round(value, 9) for value in each] for row, each in zip(group, measured, strict=True)}
    group.sort(key=lambda row: (measures[row.entrant], row.entrant))
    for index, row in enumerate(group):
        row.place = above + index + 1
        if index:
            neighbour = group[index - 1]
            row.tie_rule = _parting_rule(measures[neighbour.entrant], measures[row.entrant])
            row.place = neighbour.place if row.tie_rule == SHARED else row.place
    return group


def _parting_rule(better: Sequence[float], worse: Sequence[float]) -> str:
    for (name, _), one, other in zip(TIE_RULES, better, worse, strict=True):
        if one != other:
            return name
    return SHARED


def _add_intervals(rows: list[Row], gains: Gains, byes: Sequence[tuple[int, float]]) -> None:
    """Draw as many sets with replacement, many times; the middle 95 % of each entrant's places."""
    for row in rows:
        row.low = row.high = row.place
    if not gains.points:
        return
    numbers, of_set = np.unique(np.frombuffer(gains.sets, dtype=np.int64), return_inverse=True)
    who, gain = np.frombuffer(gains.entrants, dtype=np.int64), np.frombuffer(gains.points)
    fixed = np.zeros(len(rows))
    for entrant, gained in byes:
        fixed[entrant] += gained
    rng = np.random.default_rng(len(numbers))
    draws = max(FEWEST_DRAWS, min(BOOTSTRAP_DRAWS, BOOTSTRAP_WORK // len(gain)))
    places = np.empty((draws, len(rows)))
    for draw in range(draws):
        times = np.bincount(rng.integers(len(numbers), size=len(numbers)), minlength=len(numbers))
        totals = np.round(fixed + np.bincount(who, weights=gain * times[of_set], minlength=len(rows)), 9)
        places[draw] = 1 + np.searchsorted(np.sort(-totals), -totals)
    low, high = np.quantile(places, (0.025, 0.975), axis=0, method="nearest")
    for row in rows:
        row.low, row.high = int(low[row.entrant]), int(high[row.entrant])
