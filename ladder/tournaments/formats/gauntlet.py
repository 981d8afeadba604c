"""Gauntlet: one champion meets everybody; the others meet only at the champion's tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.chance import shuffle
from ladder.tournaments.formats.plan import Format, Plan, Round, Table, TableResult, check_entrants, check_range
from ladder.tournaments.formats.round_robin import MOST_CYCLES, MOST_ENTRANTS


class Gauntlet(Format):
    name = "gauntlet"
    title = "Gauntlet"
    words = "gauntlet"
    gist = "One champion meets everybody; the others meet only at the champion’s tables."
    settings = ("cycles", "champion")
    places = (
        "Places follow the average points per match; ties are broken by the direct encounter, then by the mean score."
    )
    has_champion = True
    places_by_average = True

    def check(self, plan: Plan) -> None:
        check_entrants(plan)
        check_range("entrants", plan.entrants, 2, MOST_ENTRANTS)
        check_range("cycles", plan.cycles, 1, MOST_CYCLES)
        check_range("champion", plan.champion, 0, plan.entrants - 1)

    def round_count(self, plan: Plan) -> int:
        return 1

    def table_count(self, plan: Plan) -> int:
        return plan.cycles * -(-(plan.entrants - 1) // (plan.seats - 1))

    def tables_through(self, plan: Plan, round_number: int, results: Sequence[TableResult]) -> int:
        return self.table_count(plan)

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult], *, first: int = 0) -> Round:
        return Round(table for table in _tables(plan) if table.number >= first)


def _tables(plan: Plan) -> Iterator[Table]:
    """Challengers sit down in a drawn order; a last table that is not full takes some of them a second time."""
    challengers = [entrant for entrant in range(plan.entrants) if entrant != plan.champion]
    number = 0
    for cycle in range(plan.cycles):
        order = shuffle(plan.seed % (1 << 128), f"challengers/{cycle}", challengers)
        for start in range(0, len(order), plan.seats - 1):
            rivals = order[start : start + plan.seats - 1]
            rivals += order[: plan.seats - 1 - len(rivals)]
            seat = number % plan.seats
            yield Table(number, 0, (*rivals[:seat], plan.champion, *rivals[seat:]))
            number += 1
