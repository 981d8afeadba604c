"""What matches say, as columns: one row for each pair of seats that met, and the set it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class InvalidMatches(ValueError):
    """Matches, links or anchors that can't be fitted; the message shows the value."""


class FitMatch(NamedTuple):
    """One match: who sat there, each one's place in turn order (from 0) and rank (from 1, ties shared)."""

    players: tuple[int, ...]
    places: tuple[int, ...]
    ranks: tuple[int, ...]


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
    """Matches with the same number of seats: one row a match, one column a seat."""

    players: Ints
    places: Ints
    ranks: Ints
    set_of: Ints


def evidence_of(players: int, sets: Sequence[Sequence[FitMatch]]) -> Evidence:
    """The rows of matches that were played in sets; raises InvalidMatches."""
    if players < 0:
        raise InvalidMatches(f"{players} players can't be fitted")
    by_seats: dict[int, list[tuple[FitMatch, int]]] = defaultdict(list)
    for number, played in enumerate(sets):
        for match in played:
            if not len(match.players) == len(match.places) == len(match.ranks) >= 2:
                raise InvalidMatches(
                    f"{match} of set {number} needs a player, a place and a rank for each of its seats"
                )
            by_seats[len(match.players)].append((match, number))
    tables = [
        Seatings(
            _whole("players", [match.players for match, _ in played]),
            _whole("places", [match.places for match, _ in played]),
            _whole("ranks", [match.ranks for match, _ in played]),
            np.array([number for _, number in played], dtype=np.int64),
        )
        for _, played in sorted(by_seats.items())
    ]
    return evidence_of_tables(players, tables, sets=len(sets))


def _whole(name: str, rows: Sequence[Sequence[int]]) -> Ints:
    """Rows of numbers as a table; raises InvalidMatches for anything but whole numbers."""
    table = np.array(rows)
    if table.dtype.kind not in "iu":
        wrong = next(row for row in rows if np.array(row).dtype.kind not in "iu")
        raise InvalidMatches(f"{name} {wrong} are not all whole numbers")
    return table.astype(np.int64)


def evidence_of_tables(players: int, tables: Sequence[Seatings], *, sets: int) -> Evidence:
    """The rows of matches that are columns already; raises InvalidMatches."""
    for table in tables:
        _check(players, table)
    pieces = [_pairs(table) for table in tables] or [
        _pairs(Seatings(*(np.zeros((0, 2), np.int64),) * 3, np.zeros(0, np.int64)))
    ]
    one, other, one_place, other_place, won, weight, set_of = (
        np.concatenate(column) for column in zip(*pieces, strict=True)
    )
    played = sum(
        (np.bincount(table.players.ravel(), minlength=players) for table in tables), np.zeros(players, np.int64)
    )
    places = max((int(table.places.max()) + 1 for table in tables if table.places.size), default=2)
    return Evidence(
        players=players, places=max(places, 2), one=one, other=other, one_place=one_place, other_place=other_place,
        won=won, weight=weight, set_of=set_of, sets=sets, matches=played,
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
