"""What matches say, as columns: one row for each pair of seats that met, and the set it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class InvalidMatches(ValueError):
    """Matches, links or anchors that can't be fitted; the message shows the value."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Pairs of seats as rows: `one` < `other` are players, `won` is 1, 0.5 or 0 for `one`, weights are 2 / seats."""

    players: int
    places: int
    one: Ints
    other: Ints
    one_place: Ints
    other_place: Ints
    won: Floats
    weight: Floats
    set_of: Ints
    sets: int
    matches: Ints  # of each player

    @property
    def rows(self) -> int:
        return len(self.one)


class Seatings(NamedTuple):
    """Matches: one row each, one column a seat; places in turn order from 0, ranks from 1, ties share."""

    players: Ints
    places: Ints
    ranks: Ints
    set_of: Ints


def evidence_of(players: int, table: Seatings, *, sets: int) -> Evidence:
    """The rows of matches that were played in so many sets; raises InvalidMatches."""
    _check(players, table)
    one, other, one_place, other_place, won, weight, set_of = _pairs(table)
    return Evidence(
        players=players, places=int(table.places.max(initial=1)) + 1, one=one, other=other, one_place=one_place,
        other_place=other_place, won=won, weight=weight, set_of=set_of, sets=sets,
        matches=np.bincount(table.players.ravel(), minlength=players),
    )  # fmt: skip


def _check(players: int, table: Seatings) -> None:
    seats = table.players.shape[1]
    for name, values, least, most in (
        ("player", table.players, 0, players - 1),
        ("place", table.places, 0, seats - 1),
        ("rank", table.ranks, 1, seats),
    ):
        wrong = values[(values < least) | (values > most)]
        if wrong.size:
            raise InvalidMatches(f"{name} {wrong[0]} is not from {least} to {most} (matches of {seats} seats)")


def _pairs(table: Seatings) -> tuple[NDArray, ...]:  # type: ignore[type-arg]
    """Each pair of seats of each match, the lower player first; a player has nothing to prove against itself."""
    seats = table.players.shape[1]
    first, second = (np.array(side) for side in zip(*combinations(range(seats), 2), strict=True))
    swap = table.players[:, first] > table.players[:, second]
    low, high = np.where(swap, second, first), np.where(swap, first, second)
    rows = np.arange(len(table.players))[:, None]
    gap = table.ranks[rows, high] - table.ranks[rows, low]
    columns = (
        table.players[rows, low], table.players[rows, high], table.places[rows, low], table.places[rows, high],
        (np.sign(gap) + 1) / 2, np.full(gap.shape, 2.0 / seats), np.broadcast_to(table.set_of[:, None], gap.shape),
    )  # fmt: skip
    met = columns[0] != columns[1]
    return tuple(column[met] for column in columns)
