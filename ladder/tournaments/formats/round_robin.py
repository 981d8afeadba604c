"""Round robin: everybody meets everybody, seats and meetings balanced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engines.chance import shuffle
from ladder.tournaments.formats.differences import base_tables
from ladder.tournaments.formats.plan import Format, Plan, Round, Table, TableResult, check_entrants, check_range

MOST_CYCLES = 20
MOST_ENTRANTS = 2000
MOST_TURNED = 4000  # entrants times cycles when tables have 3 seats or more: balancing those takes a search


class RoundRobin(Format):
    name = "round_robin"
    title = "Round robin"
    words = "round robin"
    gist = "Everybody meets everybody equally often."
    all_meet = True

    def check(self, plan: Plan) -> None:
        check_entrants(plan)
        check_range("entrants", plan.entrants, 2, MOST_ENTRANTS)
        check_range("cycles", plan.cycles, 1, MOST_CYCLES)
        if plan.seats > 2:
            what = f"entrants times cycles at tables of {plan.seats}"
            check_range(what, plan.entrants * plan.cycles, plan.seats, MOST_TURNED)

    def round_count(self, plan: Plan) -> int:
        return 1

    def table_count(self, plan: Plan) -> int:
        if plan.seats == 2:
            return plan.cycles * plan.entrants * (plan.entrants - 1) // 2
        return plan.entrants * len(base_tables(plan.entrants, plan.seats, plan.cycles))

    def tables_through(self, plan: Plan, round_number: int, results: Sequence[TableResult]) -> int:
        return self.table_count(plan)

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult], *, first: int = 0) -> Round:
        return Round(_pairs(plan, first) if plan.seats == 2 else _turned_tables(plan, first))


@lru_cache(maxsize=64)
def _circle(seed: int, label: str, entrants: int) -> tuple[int, ...]:
    return tuple(shuffle(seed % (1 << 128), label, range(entrants)))


def _pairs(plan: Plan, first: int) -> Iterator[Table]:
    """Every pair once a cycle; each second cycle swaps the seats of the one before."""
    a_cycle = plan.entrants * (plan.entrants - 1) // 2
    for number in range(first, plan.cycles * a_cycle):
        cycle, index = divmod(number, a_cycle)
        circle = _circle(plan.seed, f"circle/{cycle // 2}", plan.entrants)
        one, other = _places(plan.entrants, index)
        pair = (circle[one], circle[other])
        yield Table(number, 0, pair if cycle % 2 == 0 else pair[::-1])


def _places(entrants: int, index: int) -> tuple[int, int]:
    """The pair of places of this index, by distance; each place is first as often as second, or once more or less."""
    distance, place = divmod(index, entrants)
    if distance < (entrants - 1) // 2:
        return place, (place + distance + 1) % entrants
    half = entrants // 2  # only an even circle has opposite places
    return (place, place + half) if place % 2 == 0 else (place + half, place)


def _turned_tables(plan: Plan, first: int) -> Iterator[Table]:
    """The base tables turned round the circle, so that at any moment everybody has played about as often."""
    circle = _circle(plan.seed, "circle/0", plan.entrants)
    bases = base_tables(plan.entrants, plan.seats, plan.cycles)
    for number in range(first, plan.entrants * len(bases)):
        turn, base = divmod(number, len(bases))
        yield Table(number, 0, tuple(circle[(place + turn) % plan.entrants] for place in bases[base]))
