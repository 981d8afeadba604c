"""Balanced tables for any number of seats, by turning a few base tables round a circle of entrants.

Put n entrants on a circle. A base table is a set of places; turning it through all n positions gives n tables in which
everybody sits once in every seat, and two entrants at distance d meet once for each pair of places at distance d in it.
So seats balance by themselves, and pairs balance when the base tables together have every distance about equally often.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

MOVES = 200_000
MOVES_BETWEEN_LOOKS = 32
TRIES = 3  # with the same number of base tables, from another start
ROOM_ABOVE = 64  # entrants; perfect schedules of more are too rare to look for, so those get a little room


@lru_cache(maxsize=256)
def base_tables(entrants: int, seats: int, cycles: int = 1) -> tuple[tuple[int, ...], ...]:
    """Base tables that let every pair meet at least `cycles` times, and as equally often as could be found."""
    if seats == 2:
        return tuple((0, distance) for distance in range(1, entrants // 2 + 1)) * cycles
    fewest = least_base_tables(entrants, seats, cycles)
    best: tuple[int, tuple[tuple[int, ...], ...]] | None = None
    for count in range(fewest, fewest + 4 + fewest // 4):
        for attempt in range(TRIES):
            spread, tables = _search(entrants, seats, count, cycles, Random(f"{entrants}/{seats}/{count}/{attempt}"))
            if best is None or spread < best[0]:
                best = (spread, tables)
            if spread <= 1:
                return tables
    assert best is not None
    return best[1]


def least_base_tables(entrants: int, seats: int, cycles: int = 1) -> int:
    """How many base tables the search begins with: as many as all meetings fill, and room where that is needed."""
    fewest = -(-cycles * (entrants - 1) // (seats * (seats - 1)))
    one_cycle = -(-(entrants - 1) // (seats * (seats - 1)))
    return fewest + one_cycle * seats // 20 if entrants > ROOM_ABOVE else fewest


def meetings(entrants: int, tables: tuple[tuple[int, ...], ...]) -> list[int]:
    """How often two entrants at distance 1, 2, … meet when these tables are turned all the way round."""
    counts = [0] * (entrants // 2 + 1)
    for table in tables:
        for distance in _distances(entrants, table):
            counts[distance] += 2 if 2 * distance == entrants else 1
    return counts[1:]


def _distances(entrants: int, table: tuple[int, ...] | list[int]) -> Iterator[int]:
    for i, place in enumerate(table):
        for other in table[:i]:
            gap = (place - other) % entrants
            yield min(gap, entrants - gap)


def _search(entrants: int, seats: int, count: int, cycles: int, rng: Random) -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Move single places of the base tables as long as the distances get more even; says how uneven they stay."""
    if seats == entrants:
        return 0, (tuple(range(seats)),) * count
    tables = [sorted(rng.sample(range(entrants), seats)) for _ in range(count)]
    counts = [0, *meetings(entrants, tuple(map(tuple, tables)))]
    target = count * seats * (seats - 1) / (entrants - 1)
    for move in range(MOVES if entrants > ROOM_ABOVE else MOVES // 8):
        if move % MOVES_BETWEEN_LOOKS == 0 and _unevenness(counts, cycles, entrants) <= 1:
            break
        _try_move(entrants, rng, tables, counts, target)
    return _unevenness(counts, cycles, entrants), tuple(tuple(table) for table in tables)


def _unevenness(counts: list[int], cycles: int, entrants: int) -> int:
    low, high = min(counts[1:]), max(counts[1:])
    return high - low if low >= cycles else high - low + entrants


def _try_move(entrants: int, rng: Random, tables: list[list[int]], counts: list[int], target: float) -> None:
    """Put one place of one table elsewhere; keep that unless the distances become less even."""
    table = tables[rng.randrange(len(tables))]
    index, place = rng.randrange(len(table)), rng.randrange(entrants)
    if place in table:
        return
    changes: dict[int, int] = {}
    for i, other in enumerate(table):
        if i != index:
            for mover, sign in ((table[index], -1), (place, 1)):
                gap = (mover - other) % entrants
                distance = min(gap, entrants - gap)
                changes[distance] = changes.get(distance, 0) + sign * (2 if 2 * distance == entrants else 1)
    before = sum((counts[d] - target) ** 2 for d in changes)
    after = sum((counts[d] + change - target) ** 2 for d, change in changes.items())
    if after <= before:
        table[index] = place
        for distance, change in changes.items():
            counts[distance] += change
