"""Single elimination: seeded tables, the better part goes on, byes go to the best seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ladder.tournaments.formats.plan import Format, Plan, Round, Table, TableResult, check_entrants, check_range

MOST_ENTRANTS = 1024
MOST_GAMES = 15


class Knockout(Format):
    """With two seats the winner goes on; with more the better half does, until one last table is left."""

    name = "knockout"
    title = "Single elimination"
    words = "knockout"
    places = "Places follow the round reached; when a table is tied, the better seed advances."
    has_rounds = True
    sends_home = True

    def setting(self, plan: Plan) -> str:
        return f"best of {plan.best_of}" if plan.best_of > 1 else ""

    def check(self, plan: Plan) -> None:
        check_entrants(plan)
        check_range("entrants", plan.entrants, 2, MOST_ENTRANTS)
        check_range("best of", plan.best_of, 1, MOST_GAMES)

    def round_count(self, plan: Plan) -> int:
        return len(_round_sizes(plan))

    def table_count(self, plan: Plan) -> int:
        return self.tables_through(plan, self.round_count(plan) - 1)

    def tables_through(self, plan: Plan, round_number: int) -> int:
        sizes = _round_sizes(plan)[: round_number + 1]
        return plan.best_of * sum(len(eliminations(left, plan.seats)) for left in sizes)

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult], *, first: int = 0) -> Round:
        left = list(range(plan.entrants))
        for played in played_rounds(plan, round_number, results):
            left = played.through
        groups = _groups(left, plan.seats)
        number = self.tables_through(plan, round_number - 1) if round_number else 0
        tables = [
            Table(number + i * plan.best_of + game, round_number, _rotated(group, game))
            for i, group in enumerate(groups)
            for game in range(plan.best_of)
        ]
        playing = {entrant for group in groups for entrant in group}
        return Round(
            [table for table in tables if table.number >= first],
            tuple(entrant for entrant in left if entrant not in playing),
        )


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """Who went on from a round, who went home, and whom only the worse seed sent home."""

    through: list[int]
    out: set[int]
    out_by_seed: set[int]


def played_rounds(plan: Plan, rounds: int, results: Sequence[TableResult]) -> Iterator[PlayedRound]:
    """The first so many rounds, all of whose tables have results."""
    left = list(range(plan.entrants))
    of_round: dict[int, list[TableResult]] = defaultdict(list)
    for result in results:
        of_round[result.table.round].append(result)
    for number in range(rounds):
        out, by_seed = _eliminated(left, plan.seats, of_round[number])
        left = [entrant for entrant in left if entrant not in out]
        yield PlayedRound(left, out, by_seed)


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


def _eliminated(left: list[int], seats: int, results: Sequence[TableResult]) -> tuple[set[int], set[int]]:
    """Who goes home: the fewest points at each table, of equals the worse seed; and whom only that rule sends."""
    points: dict[int, float] = defaultdict(float)
    for result in results:
        for entrant, share in zip(result.table.entrants, result.points, strict=True):
            points[entrant] += share
    out: set[int] = set()
    by_seed: set[int] = set()
    for group, count in zip(_groups(left, seats), eliminations(len(left), seats), strict=True):
        worst_first = sorted(group, key=lambda entrant: (round(points[entrant], 9), -entrant))
        last_through = worst_first[count]
        out.update(worst_first[:count])
        by_seed.update(e for e in worst_first[:count] if round(points[e] - points[last_through], 9) == 0)
    return out, by_seed


def _rotated(group: tuple[int, ...], game: int) -> tuple[int, ...]:
    turn = game % len(group)
    return group[turn:] + group[:turn]
