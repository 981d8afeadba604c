"""Points, tie-breaks and places of a tournament, from plain results; nothing here knows the database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from arena.intervals import wilson
from ladder.tournaments.ledger import (
    RANKS,
    Floats,
    Ints,
    Ledger,
    Meetings,
    SettledSeat,
    added_up,
    meetings,
    read_ledger,
)

SHARED = "shared"
COIN = "coin"  # knockout: decides when a table is level after all its replays
SEED = "seed"  # the same in older draws: the better seed went on
BOOTSTRAP_DRAWS = 400
ORDINARY_SETS = 10
LEAST_SCATTER = 0.1
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

    def seats(self) -> list[SettledSeat]:
        """As a settled table keeps it."""
        blank = (None,) * len(self.entrants)
        told = zip(self.entrants, self.ranks or blank, self.scores or blank, strict=True)
        return [(entrant, rank, score, entrant in self.faults) for entrant, rank, score in told]


@dataclass(slots=True)
class EntrantScore:
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
    p_first: float | None = None  # how often it is first among them, shared places in parts; no knockout says so
    share_low: float | None = None  # what luck allows of the share of points, 95 %
    share_high: float | None = None
    opponents: dict[int, list[float]] = field(default_factory=dict)  # share won against each, of how many matches

    @property
    def mean_score(self) -> float:
        return self.score_sum / self.scored if self.scored else 0.0


@dataclass(slots=True)
class Climb:
    """How far everyone came in a knockout, and whom nothing but the coin (or seed) sent home from a level table."""

    progress: dict[int, float]
    last_rule: str = COIN
    out_by_coin: set[int] = field(default_factory=set)


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


def tally(entrants: int, ledger: Ledger, gained: Floats) -> list[EntrantScore]:
    """The rows of all entrants, by number, without places; gained is what the played matches gave to each seat."""
    played = ledger.played()
    rows = [EntrantScore(entrant) for entrant in range(entrants)]
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


def _add_opponents(rows: list[EntrantScore], met: Meetings) -> None:
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
    luck_by_points: bool = False,
) -> list[EntrantScore]:
    """The standings of a few results, told one by one."""
    told = list(results)
    batch = [result.set_number for result in told], [[result.seats()] for result in told]
    ledger = read_ledger([batch], len(points))
    return ranked(entrants, ledger, points, byes, climb, by_share=by_share, luck_by_points=luck_by_points)


def ranked(
    entrants: int,
    ledger: Ledger,
    points: Sequence[float],
    byes: Sequence[tuple[int, float]] = (),
    climb: Climb | None = None,
    *,
    by_share: bool = False,
    luck_by_points: bool = False,
) -> list[EntrantScore]:
    """All rows, best first, with places, the rule that parted each tie, and the places that luck allows.

    In a knockout only the climb counts: points would punish whoever had a bye. Luck's places are then not told. Where
    entrants play unequally often by design, points a match count, or whoever plays most would be first. Luck goes by
    points a match, because a set drawn twice is no merit; in older draws it went by points.
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
    if not len(played.sets):
        return rows
    sets = _sets_of(played, gained, points[0] or 1.0)
    if climb is None:
        places = _places_by_luck(sets, _byes_by_entrant(rows, byes, points), by_share=by_share, is_old=luck_by_points)
        _add_intervals(rows, places)
        if not luck_by_points:
            _add_chances(rows, places)
    if not luck_by_points:
        _add_share_intervals(rows, sets)
    return rows


def _ranked(rows: list[EntrantScore], *, by_share: bool) -> list[EntrantScore]:
    key = _by_share if by_share else _by_points
    ordered: list[EntrantScore] = []
    for _, group in groupby(sorted(rows, key=key), key=key):
        ordered += _part_ties(list(group), SHARE_TIE_RULES if by_share else TIE_RULES, above=len(ordered))
    return ordered


def _by_points(row: EntrantScore) -> float:
    """Descending, and blind to the last bits of a sum of thirds."""
    return -round(row.points, 9)


def _by_share(row: EntrantScore) -> float:
    """The same of the points a match gave on average; who has not played yet comes last."""
    return -round(row.points / row.matches, 9) if row.matches else 1.0


def _ranked_by_climb(rows: list[EntrantScore], climb: Climb) -> list[EntrantScore]:
    """Whoever came equally far shares the place, in the order of seeds; a level table says what decided."""
    for row in rows:
        row.progress = climb.progress.get(row.entrant, 0.0)
    ordered = sorted(rows, key=lambda row: (-round(row.progress, 9), row.entrant))
    for index, row in enumerate(ordered):
        row.place = index + 1
        if index and round(ordered[index - 1].progress - row.progress, 9) == 0:
            row.place, row.tie_rule = ordered[index - 1].place, SHARED
        if row.entrant in climb.out_by_coin:
            row.tie_rule = climb.last_rule
    return ordered


def _head_to_head(group: Sequence[EntrantScore]) -> list[float]:
    """What each won against the others of the group; it counts only when all of them have met."""
    members = {row.entrant for row in group}
    if any(len(members & row.opponents.keys()) < len(members) - 1 for row in group):
        return [0.0] * len(group)
    return [sum(row.opponents[other][0] for other in sorted(members - {row.entrant})) for row in group]


TieRules = tuple[tuple[str, Callable[[Sequence[EntrantScore]], Sequence[float]]], ...]
TIE_RULES: TieRules = (
    ("head-to-head", _head_to_head),
    ("Sonneborn-Berger", lambda group: [row.sonneborn_berger for row in group]),
    ("wins", lambda group: [row.wins for row in group]),
    ("mean score", lambda group: [row.mean_score for row in group]),
)
SHARE_TIE_RULES: TieRules = (TIE_RULES[0], TIE_RULES[3])  # the others grow with the number of matches


def _part_ties(group: list[EntrantScore], rules: TieRules, *, above: int) -> list[EntrantScore]:
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


@dataclass(frozen=True, slots=True)
class _Sets:
    """What each set gave to each of its entrants, one line for each of the two, by entrant."""

    count: int
    of_line: Ints
    who: Ints
    gain: Floats  # in wins
    matches: Floats

    @property
    def starts(self) -> Ints:
        return np.asarray(np.flatnonzero(np.diff(self.who, prepend=-1)))

    def by_entrant(self, values: Floats) -> Floats:
        return np.asarray(np.add.reduceat(values, self.starts))


def _sets_of(played: Ledger, gained: Floats, win: float) -> _Sets:
    numbers, of_match = np.unique(played.sets, return_inverse=True)
    keys, place = np.unique(played.entrants * len(numbers) + of_match[:, None], return_inverse=True)
    gain, matches = (
        added_up(place.ravel(), values.ravel(), len(keys)) for values in (gained / win, np.ones_like(gained))
    )
    return _Sets(len(numbers), keys % len(numbers), keys // len(numbers), gain, matches)


def _byes_by_entrant(rows: list[EntrantScore], byes: Sequence[tuple[int, float]], points: Sequence[float]) -> Floats:
    """Each one's byes in wins."""
    fixed = np.zeros(len(rows))
    for entrant, bye in byes:
        fixed[entrant] += bye / (points[0] or 1.0)
    return fixed


def _places_by_luck(sets: _Sets, byes: Floats, *, by_share: bool, is_old: bool) -> Ints:
    """Everyone's place in tournaments of as many sets, drawn with replacement from those played; a row a draw."""
    present, entrants = sets.who[sets.starts], len(byes)
    usual = np.zeros(entrants)
    if not is_old:  # who is not in the sets drawn has its usual share
        usual[present] = sets.by_entrant(sets.gain) / sets.by_entrant(sets.matches)
    rng = np.random.default_rng(sets.count)
    draws = max(FEWEST_DRAWS, min(BOOTSTRAP_DRAWS, BOOTSTRAP_WORK // int(sets.matches.sum())))
    places = np.empty((draws, entrants), dtype=np.int64)
    for row in places:
        times = np.bincount(rng.integers(sets.count, size=sets.count), minlength=sets.count).astype(np.float64)
        won, played = byes.copy(), byes.copy()
        won[present] += sets.by_entrant(sets.gain * times[sets.of_line])
        if by_share or not is_old:
            played[present] += sets.by_entrant(sets.matches * times[sets.of_line])
            won = np.where(played > 0, won / np.maximum(played, 1), usual)
        won = np.round(won, 9)
        row[:] = 1 + np.searchsorted(np.sort(-won), -won)
    return places


def _add_intervals(rows: list[EntrantScore], places: Ints) -> None:
    """The middle 95 % of each entrant's places."""
    low, high = np.quantile(places, (0.025, 0.975), axis=0, method="nearest")
    for row in rows:
        row.low, row.high = int(low[row.entrant]), int(high[row.entrant])


def _add_chances(rows: list[EntrantScore], places: Ints) -> None:
    """How often each is first, shared first places in parts."""
    is_first = places == 1
    chance = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    for row in rows:
        row.p_first = float(chance[row.entrant])


def _add_share_intervals(rows: list[EntrantScore], sets: _Sets) -> None:
    """Wilson's 95 % interval, with as many matches as the sets are worth: those of one set share a deal."""
    present = sets.who[sets.starts]
    matches = sets.by_entrant(sets.matches)
    share = sets.by_entrant(sets.gain) / matches
    worth = matches / _scatter_of_sets(sets, matches, share)
    by_entrant = {row.entrant: row for row in rows}
    for entrant, gained, count in zip(present.tolist(), share.tolist(), worth.tolist(), strict=True):
        by_entrant[entrant].share_low, by_entrant[entrant].share_high = wilson(gained, count)


def _scatter_of_sets(sets: _Sets, matches: Floats, share: Floats) -> float:
    """How much more sets scatter than as many single matches would; some ordinary ones are believed in."""
    line_of = np.repeat(np.arange(len(share)), np.diff([*sets.starts.tolist(), len(sets.who)]))
    away = sets.gain - sets.matches * share[line_of]
    found, expected = float(away @ away), float((matches * share * (1 - share)).sum())
    prior = ORDINARY_SETS * expected / max(1, len(sets.who))
    return max(LEAST_SCATTER, (found + prior) / (expected + prior)) if expected else 1.0
