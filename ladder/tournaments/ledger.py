"""Every result of a tournament in columns: a big one has millions, and they are counted at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
SettledSeat = Sequence[object]  # entrant, rank, score, fault: as a settled table keeps it
TableResults = Sequence[Sequence[SettledSeat]]  # the matches of one table
VOID = 0  # the rank of everybody in a match that has none
RANKS = 8  # more than any table has seats


@dataclass(frozen=True)
class Ledger:
    """A line for each match, a column for each seat."""

    sets: Ints
    entrants: Ints
    ranks: Ints
    scores: Floats  # not a number where the game was cut short
    faults: Flags

    @cached_property
    def is_played(self) -> Flags:
        return np.not_equal(self.ranks[:, 0], VOID)

    def played(self) -> Ledger:
        """The lines of matches that have ranks."""
        has = self.is_played
        if has.all():
            return self
        return Ledger(self.sets[has], self.entrants[has], self.ranks[has], self.scores[has], self.faults[has])

    def gained(self, points_of: Callable[[tuple[int, ...]], Sequence[float]]) -> Floats:
        """What each seat got, from its match's ranks; there are few ways to be ranked, so each is asked for once."""
        seats = self.ranks.shape[1]
        keys = self.ranks @ (RANKS ** np.arange(seats))
        _, example, way = np.unique(keys, return_index=True, return_inverse=True)
        if not len(example):
            return np.zeros_like(self.ranks, dtype=np.float64)
        return np.array([points_of(tuple(self.ranks[line].tolist())) for line in example], dtype=np.float64)[way]

    def summed(self, size: int, chosen: Flags, values: Floats | None = None) -> list[float]:
        """By entrant, how many of these seats there are, or their values added up in the order of the matches."""
        weights = None if values is None else values[chosen]
        return np.bincount(self.entrants[chosen], weights=weights, minlength=size).tolist()  # type: ignore[no-any-return]


def read_ledger(tables: Iterable[tuple[Sequence[int], Sequence[TableResults]]], seats: int) -> Ledger:
    """The ledger of tables that come in batches: their numbers, and the results of each."""
    batches = [_batch(numbers, results, seats) for numbers, results in tables]
    if not batches:
        return Ledger(*_batch((), (), seats))
    return Ledger(*(np.concatenate(columns) for columns in zip(*batches, strict=True)))


def _batch(numbers: Sequence[int], results: Sequence[TableResults], seats: int) -> tuple[np.ndarray, ...]:
    """The columns of one batch; a match without ranks is void for everybody in it."""
    lines = list(chain.from_iterable(chain.from_iterable(results)))
    entrants, ranks, scores, faults = zip(*lines, strict=True) if lines else ((), (), (), ())
    sets = np.repeat(np.array(numbers, dtype=np.int64), [len(matches) for matches in results])
    return (
        sets,
        np.array(entrants, dtype=np.int64).reshape(-1, seats),
        np.array([VOID if rank is None else rank for rank in ranks], dtype=np.int64).reshape(-1, seats),
        np.array(scores, dtype=np.float64).reshape(-1, seats),  # None becomes not a number
        np.array([bool(fault) for fault in faults], dtype=np.bool_).reshape(-1, seats),
    )


@dataclass(frozen=True, slots=True)
class Meetings:
    """Who met whom, in the order of both: share of the duels won, and how many there were."""

    who: Ints
    other: Ints
    share: Floats
    count: Ints


def meetings(played: Ledger) -> Meetings:
    """Every two entrants that sat at one table, both ways round."""
    seats = played.entrants.shape[1]
    pairs = [(one, other) for one in range(seats) for other in range(seats) if one != other]
    size = int(played.entrants.max(initial=0)) + 1
    keys = np.concatenate([played.entrants[:, one] * size + played.entrants[:, other] for one, other in pairs])
    duels = np.concatenate([_duels(played.ranks[:, one], played.ranks[:, other]) for one, other in pairs])
    met, place = np.unique(keys, return_inverse=True)
    share = added_up(place, duels, len(met))
    return Meetings(met // size, met % size, share, np.bincount(place, minlength=len(met)))


def added_up(places: Ints, values: Floats, size: int) -> Floats:
    """The sum of the values at each place, added in their order."""
    return np.bincount(places, weights=values, minlength=size).astype(np.float64, copy=False)


def _duels(one: Ints, other: Ints) -> Floats:
    """1 for the better rank, 0 for the worse, a half each for equal ones."""
    return np.where(one < other, 1.0, np.where(one == other, 0.5, 0.0))
