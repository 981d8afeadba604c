"""Points, tie-breaks and places of a tournament, from plain results; nothing here knows the database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from ladder.tournaments.ledger import RANKS, Floats, Ints, Ledger, Meetings, SeatResult, added_up, meetings, read_ledger

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

    def seats(self) -> list[SeatResult]:
        """As a settled table keeps it."""
        blank = (None,) * len(self.entrants)
        told = zip(self.entrants, self.ranks or blank, self.scores or blank, strict=True)
        return [(entrant, rank, score, entrant in self.faults) for entrant, rank, score in told]


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


def tally(entrants: int, ledger: Ledger, gained: Floats) -> list[Row]:
    """The rows of all entrants, by number, without places; gained is what the played matches gave to each seat."""
    played = ledger.played()
    rows = [Row(entrant) for entrant in range(entrants)]
    for name, values in _sums(entrants, ledger, played, gained).items():
        for row, value in zip(rows, values, strict=True):
            setattr(row, name, value)
    _add_opponents(rows, meetings(played))
    return rows


def _sums(entrants: int, ledger: Ledger, played: Ledger, gained: Floats) -> dict[str, list[float]]:
    """What is counted or added up for every entrant."""
    ranks = played.ranks
    best, worst = ranks.min(axis=1, initial=RANKS, keepdims=True), ranks.max(axis=1, initial=0, keepdims=True)
    is_even, everyone = np.broadcast_to(best == worst, ranks.shape), np.ones_like(ranks, dtype=np.bool_)
    scored = ~np.isnan(played.scores)
    return {
        "faults": ledger.summed(entrants, ledger.faults),
        "voids": ledger.summed(entrants, np.broadcast_to(~ledger.is_played[:, None], ledger.ranks.shape)),
        "matches": played.summed(entrants, everyone),
        "points": played.summed(entrants, everyone, gained),
        "scored": played.summed(entrants, scored),
        "score_sum": played.summed(entrants, scored, played.scores),
        "wins": played.summed(entrants, (ranks == best) & ~is_even),
        "draws": played.summed(entrants, is_even),
        "losses": played.summed(entrants, ranks != best),
    }


def _add_opponents(rows: list[Row], met: Meetings) -> None:
    """Whom each met; Sonneborn-Berger is the points of the opponents, each by the share won against it."""
    points = np.array([row.points for row in rows])
    worth = np.bincount(met.who, weights=met.share * points[met.other], minlength=len(rows)).tolist()
    starts = np.searchsorted(met.who, np.arange(len(rows) + 1)).tolist()
    others, shares, counts = met.other.tolist(), met.share.tolist(), met.count.tolist()
    for row in rows:
        row.sonneborn_berger = worth[row.entrant]
        own = slice(starts[row.entrant], starts[row.entrant + 1])
        row.opponents = dict(zip(others[own], map(list, zip(shares[own], counts[own], strict=True)), strict=True))


def standings(
    entrants: int,
    results: Iterable[MatchResult],
    points: Sequence[float],
    byes: Sequence[tuple[int, float]] = (),
    climb: Climb | None = None,
    *,
    by_share: bool = False,
) -> list[Row]:
    """The standings of a few results, told one by one."""
    told = list(results)
    batch = [result.set_number for result in told], [[result.seats()] for result in told]
    return ranked(entrants, read_ledger([batch], len(points)), points, byes, climb, by_share=by_share)


def ranked(
    entrants: int,
    ledger: Ledger,
    points: Sequence[float],
    byes: Sequence[tuple[int, float]] = (),
    climb: Climb | None = None,
    *,
    by_share: bool = False,
) -> list[Row]:
    """All rows, best first, with places, the rule that parted each tie, and the places that luck allows.

    In a knockout only the climb counts: points would punish whoever had a bye. Luck's places are then not told. Where
    entrants play unequally often by design, points a match count, or whoever plays most would be first.
    """
    played = ledger.played()
    gained = played.gained(lambda ranks: shared_points(ranks, points))
    rows = tally(entrants, ledger, gained)
    for entrant, bye in byes:
        rows[entrant].points += bye
        rows[entrant].byes += 1
    rows = _ranked(rows, by_share=by_share) if climb is None else _ranked_by_climb(rows, climb)
    for row in rows:
        row.low = row.high = row.place
    if climb is None and len(played.sets):
        _add_intervals(rows, played, gained, byes, by_share=by_share)
    return rows


def _ranked(rows: list[Row], *, by_share: bool) -> list[Row]:
    key = _by_share if by_share else _by_points
    ordered: list[Row] = []
    for _, group in groupby(sorted(rows, key=key), key=key):
        ordered += _part_ties(list(group), SHARE_TIE_RULES if by_share else TIE_RULES, above=len(ordered))
    return ordered


def _by_points(row: Row) -> float:
    """Descending, and blind to the last bits of a sum of thirds."""
    return -round(row.points, 9)


def _by_share(row: Row) -> float:
    """The same of the points a match gave on average; who has not played yet comes last."""
    return -round(row.points / row.matches, 9) if row.matches else 1.0


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


TieRules = tuple[tuple[str, Callable[[Sequence[Row]], Sequence[float]]], ...]
TIE_RULES: TieRules = (
    ("head-to-head", _head_to_head),
    ("Sonneborn-Berger", lambda group: [row.sonneborn_berger for row in group]),
    ("wins", lambda group: [row.wins for row in group]),
    ("mean score", lambda group: [row.mean_score for row in group]),
)
SHARE_TIE_RULES: TieRules = (TIE_RULES[0], TIE_RULES[3])  # the others grow with the number of matches


def _part_ties(group: list[Row], rules: TieRules, *, above: int) -> list[Row]:
    """Rows with equal points in order, placed; the first rule in which two neighbours differ parts them."""
    measured = zip(*(measure(group) for _, measure in rules), strict=True)
    measures = {row.entrant: [-round(value, 9) for value in each] for row, each in zip(group, measured, strict=True)}
    group.sort(key=lambda row: (measures[row.entrant], row.entrant))
    for index, row in enumerate(group):
        row.place = above + index + 1
        if index:
            neighbour = group[index - 1]
            row.tie_rule = _parting_rule(rules, measures[neighbour.entrant], measures[row.entrant])
            row.place = neighbour.place if row.tie_rule == SHARED else row.place
    return group


def _parting_rule(rules: TieRules, better: Sequence[float], worse: Sequence[float]) -> str:
    for (name, _), one, other in zip(rules, better, worse, strict=True):
        if one != other:
            return name
    return SHARED


def _add_intervals(
    rows: list[Row], played: Ledger, gained: Floats, byes: Sequence[tuple[int, float]], *, by_share: bool
) -> None:
    """Draw as many sets with replacement, many times; the middle 95 % of each entrant's places."""
    numbers, of_match = np.unique(played.sets, return_inverse=True)
    of_set, who, gain = _gains_by_set(played, of_match, gained)
    _, _, matches = _gains_by_set(played, of_match, np.ones_like(gained))
    starts = np.flatnonzero(np.diff(who, prepend=-1))
    fixed = np.zeros(len(rows))
    for entrant, bye in byes:
        fixed[entrant] += bye
    rng = np.random.default_rng(len(numbers))
    draws = max(FEWEST_DRAWS, min(BOOTSTRAP_DRAWS, BOOTSTRAP_WORK // gained.size))
    places = np.empty((draws, len(rows)), dtype=np.int32)
    for draw in range(draws):
        times = np.bincount(rng.integers(len(numbers), size=len(numbers)), minlength=len(numbers)).astype(np.float64)
        totals = fixed.copy()
        totals[who[starts]] += np.add.reduceat(gain * times[of_set], starts)
        if by_share:  # who is not in the sets drawn has won nothing in them
            totals[who[starts]] /= np.maximum(1, np.add.reduceat(matches * times[of_set], starts))
        totals = np.round(totals, 9)
        places[draw] = 1 + np.searchsorted(np.sort(-totals), -totals)
    low, high = np.quantile(places, (0.025, 0.975), axis=0, method="nearest")
    for row in rows:
        row.low, row.high = int(low[row.entrant]), int(high[row.entrant])


def _gains_by_set(played: Ledger, of_match: Ints, gained: Floats) -> tuple[Ints, Ints, Floats]:
    """Set, entrant and what the set's matches gave in all, by entrant."""
    sets = int(of_match.max()) + 1
    keys, place = np.unique(played.entrants * sets + of_match[:, None], return_inverse=True)
    return keys % sets, keys // sets, added_up(place.ravel(), gained.ravel(), len(keys))
