"""Single elimination: seeded tables, the better part goes on, byes go to the best seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ladder.tournaments.formats.plan import Plan, Round, Table, TableResult, check_entrants, check_range

MOST_ENTRANTS = 1024
MOST_GAMES = 15


class Knockout:
    """With two seats the winner goes on; with more the better half does, until one last table is left."""

    name = "knockout"
    title = "Single elimination"

    def check(self, plan: Plan) -> None:
        check_entrants(plan)
        check_range("entrants", plan.entrants, 2, MOST_ENTRANTS)
        check_range("best of", plan.best_of, 1, MOST_GAMES)

    def round_count(self, plan: Plan) -> int:
        return len(_round_sizes(plan))

    def table_count(self, plan: Plan) -> int:
        return plan.best_of * sum(len(eliminations(left, plan.seats)) for left in _round_sizes(plan))

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult]) -> Round:
        left = list(range(plan.entrants))
        number = 0
        for past in range(round_number):
            groups = _groups(left, plan.seats)
            number += plan.best_of * len(groups)
            out = _eliminated(left, groups, plan.seats, [r for r in results if r.table.round == past])
            left = [entrant for entrant in left if entrant not in out]
        groups = _groups(left, plan.seats)
        playing = {entrant for group in groups for entrant in group}
        tables = [
            Table(number + i * plan.best_of + game, round_number, _rotated(group, game))
            for i, group in enumerate(groups)
            for game in range(plan.best_of)
        ]
        return Round(tables, tuple(entrant for entrant in left if entrant not in playing))


def eliminations(left: int, seats: int) -> list[int]:
    """How many each table of a round sends home, so that the rounds end in one full table."""
    if left == seats:
        return [seats - 1]
    excess = left - _goal(left, seats)
    a_table = seats - seats // 2
    tables: list[int] = []
    while excess > 0 and (len(tables) + 1) * seats <= left:
        tables.append(min(a_table, excess))
        excess -= tables[-1]
    return tables


def _goal(left: int, seats: int) -> int:
    """How many go on: for two seats the next power of two, so that only the first round has byes."""
    if seats > 2:
        return seats
    return 1 << ((left - 1).bit_length() - 1)


def _round_sizes(plan: Plan) -> list[int]:
    """How many entrants are left at the start of each round."""
    sizes = [plan.entrants]
    while sizes[-1] > plan.seats:
        sizes.append(sizes[-1] - sum(eliminations(sizes[-1], plan.seats)))
    return sizes


def _groups(left: list[int], seats: int) -> list[tuple[int, ...]]:
    """The tables of a round: best seed with worst, the strong dealt out evenly, the best ones free."""
    count = len(eliminations(len(left), seats))
    playing = left[len(left) - count * seats :]
    rows = [playing[i * count : (i + 1) * count] for i in range(seats)]
    dealt = [row if i % 2 == 0 else row[::-1] for i, row in enumerate(rows)]
    return [tuple(row[table] for row in dealt) for table in range(count)]


def _eliminated(left: list[int], groups: list[tuple[int, ...]], seats: int, results: Sequence[TableResult]) -> set[int]:
    """Who goes home: the fewest points at each table; of equals the worse seed."""
    points: dict[int, float] = defaultdict(float)
    for result in results:
        for entrant, share in zip(result.table.entrants, result.points, strict=True):
            points[entrant] += share
    out: set[int] = set()
    for group, count in zip(groups, eliminations(len(left), seats), strict=True):
        worst_first = sorted(group, key=lambda entrant: (points[entrant], -entrant))
        out.update(worst_first[:count])
    return out


def _rotated(group: tuple[int, ...], game: int) -> tuple[int, ...]:
    turn = game % len(group)
    return group[turn:] + group[:turn]
