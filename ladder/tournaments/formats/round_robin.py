"""Round robin: everybody meets everybody, seats and meetings balanced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.chance import shuffle
from ladder.tournaments.formats.differences import base_tables
from ladder.tournaments.formats.plan import Plan, Round, Table, TableResult, check_entrants, check_range

MOST_CYCLES = 20
MOST_ENTRANTS = 2000


class RoundRobin:
    name = "round_robin"
    title = "Round robin"

    def check(self, plan: Plan) -> None:
        check_entrants(plan)
        check_range("entrants", plan.entrants, 2, MOST_ENTRANTS)
        check_range("cycles", plan.cycles, 1, MOST_CYCLES)

    def round_count(self, plan: Plan) -> int:
        return 1

    def table_count(self, plan: Plan) -> int:
        if plan.seats == 2:
            return plan.cycles * plan.entrants * (plan.entrants - 1) // 2
        return plan.entrants * len(base_tables(plan.entrants, plan.seats, plan.cycles))

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult]) -> Round:
        return Round(_pairs(plan) if plan.seats == 2 else _turned_tables(plan))


def _pairs(plan: Plan) -> Iterator[Table]:
    """Every pair once a cycle; each second cycle swaps the seats of the one before."""
    number = 0
    for cycle in range(plan.cycles):
        circle = shuffle(plan.seed % (1 << 128), f"circle/{cycle // 2}", range(plan.entrants))
        for first, second in _distances_round(plan.entrants):
            pair = (circle[first], circle[second])
            yield Table(number, 0, pair if cycle % 2 == 0 else pair[::-1])
            number += 1


def _distances_round(entrants: int) -> Iterator[tuple[int, int]]:
    """Every pair of places once; each place is first as often as second, or once more or less."""
    for distance in range(1, (entrants - 1) // 2 + 1):
        for place in range(entrants):
            yield place, (place + distance) % entrants
    if entrants % 2 == 0:
        half = entrants // 2
        for place in range(half):
            yield (place, place + half) if place % 2 == 0 else (place + half, place)


def _turned_tables(plan: Plan) -> Iterator[Table]:
    """The base tables turned round the circle, so that at any moment everybody has played about as often."""
    circle = shuffle(plan.seed % (1 << 128), "circle/0", range(plan.entrants))
    bases = base_tables(plan.entrants, plan.seats, plan.cycles)
    number = 0
    for turn in range(plan.entrants):
        for base in bases:
            yield Table(number, 0, tuple(circle[(place + turn) % plan.entrants] for place in base))
            number += 1
