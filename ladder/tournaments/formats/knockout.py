"""Single elimination: seeded tables, the better part goes on, byes in the first round go to the best seeds.

A table that leaves open who goes on is played again on a new deal, at most five times; then a coin decides, which was
committed to with the seed. So a seed is worth a bye and easier opponents, and never a level match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from engines.chance import shuffle
from ladder.tournaments.formats.plan import Format, Plan, Round, Table, TableResult, check_entrants, check_range

MOST_ENTRANTS = 1024
MOST_GAMES = 15
MOST_REPLAYS = 5
REPLAYS_SINCE = 3  # before, the better seed of two equals went on, and tables of many seats had byes in every round


class Knockout(Format):
    """With two seats the winner goes on; with more the better half does, until one last table is left."""

    name = "knockout"
    title = "Single elimination"
    words = "knockout"
    gist = "Whoever wins a table goes on; the others are out."
    settings = ("best_of",)
    places = (
        "Places follow the round reached; a tied table is replayed on a new deal, up to five times, and then decided "
        "by a coin toss fixed in advance by the committed seed."
    )
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
        return plan.best_of * sum(len(eliminations(plan, left)) for left in _round_sizes(plan))

    def tables_through(self, plan: Plan, round_number: int, results: Sequence[TableResult]) -> int:
        return _number_after(_rounds(plan, round_number, results)[-1])

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult], *, first: int = 0) -> Round:
        this = _rounds(plan, round_number, results)[-1]
        playing = {entrant for encounter in this.encounters for entrant in encounter.group}
        return Round(
            [table for table in this.tables if table.number >= first],
            tuple(entrant for entrant in this.left if entrant not in playing),
        )


@dataclass(slots=True)
class Encounter:
    """One table with all its games: `parts` are the points of the planned games, then those of each replay."""

    group: tuple[int, ...]
    sent_home: int
    coin: Callable[[], dict[int, int]]  # a place for each; in older draws the seed
    parts: list[dict[int, float]] = field(default_factory=list)

    def worst_first(self) -> list[int]:
        coin = self.coin() if self.is_level else dict.fromkeys(self.group, 0)
        return sorted(self.group, key=lambda entrant: (self._worth(entrant), -coin[entrant]))

    @property
    def is_level(self) -> bool:
        """Whether the games leave open who goes home."""
        worths = sorted(map(self._worth, self.group))
        return worths[self.sent_home - 1] == worths[self.sent_home]

    def _worth(self, entrant: int) -> tuple[float, ...]:
        """The first part in which two differ parts them."""
        return tuple(round(part.get(entrant, 0.0), 9) for part in self.parts)

    def by_coin(self) -> set[int]:
        """Whom nothing but the coin sends home."""
        if not self.is_level:
            return set()
        order = self.worst_first()
        last_through = self._worth(order[self.sent_home])
        return {entrant for entrant in order[: self.sent_home] if self._worth(entrant) == last_through}


@dataclass(slots=True)
class _PlayedRound:
    """A round as far as its results allow: who came into it, its encounters, and all tables that are known."""

    left: list[int]
    encounters: list[Encounter]
    tables: list[Table]


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """Who went on from a round, who went home, and whom only the coin (or once the worse seed) sent home."""

    through: list[int]
    out: set[int]
    out_by_coin: set[int]


def played_rounds(plan: Plan, rounds: int, results: Sequence[TableResult]) -> Iterator[PlayedRound]:
    """The first so many rounds, all of whose tables have results."""
    if not rounds:
        return
    for this in _rounds(plan, rounds - 1, results):
        out = _out(this)
        by_coin = {entrant for encounter in this.encounters for entrant in encounter.by_coin()}
        yield PlayedRound([entrant for entrant in this.left if entrant not in out], out, by_coin)


def _out(this: _PlayedRound) -> set[int]:
    return {entrant for each in this.encounters for entrant in each.worst_first()[: each.sent_home]}


def _rounds(plan: Plan, last: int, results: Sequence[TableResult]) -> list[_PlayedRound]:
    """All rounds up to this one."""
    points = {result.table.number: dict(zip(result.table.entrants, result.points, strict=True)) for result in results}
    left, first, rounds = list(range(plan.entrants)), 0, []
    for number in range(last + 1):
        this = _round(plan, number, left, first, points)
        rounds.append(this)
        first = _number_after(this)
        if number < last:
            out = _out(this)
            left = [entrant for entrant in left if entrant not in out]
    return rounds


def _number_after(this: _PlayedRound) -> int:
    return this.tables[-1].number + 1


def _round(plan: Plan, number: int, left: list[int], first: int, points: dict[int, dict[int, float]]) -> _PlayedRound:
    """The planned games, then, as long as all known ones are played, another for each encounter that is level."""
    encounters = [
        Encounter(group, sent_home, partial(_coin, plan, number, group))
        for group, sent_home in zip(_groups(plan, left), eliminations(plan, len(left)), strict=True)
    ]
    seatings = [_rotated(each.group, game) for each in encounters for game in range(plan.best_of)]
    tables = [Table(first + i, number, seating) for i, seating in enumerate(seatings)]
    for i, encounter in enumerate(encounters):
        games = [table.number for table in tables[i * plan.best_of : (i + 1) * plan.best_of]]
        encounter.parts.append(_added_up([points.get(game, {}) for game in games]))
    for replay in range(MOST_REPLAYS if plan.version >= REPLAYS_SINCE else 0):
        level = [each for each in encounters if each.is_level]
        if not level or not all(table.number in points for table in tables):
            break
        for encounter in level:
            again = Table(_next(tables), number, _rotated(encounter.group, plan.best_of + replay))
            tables.append(again)
            encounter.parts.append(points.get(again.number, {}))
    return _PlayedRound(left, encounters, tables)


def _next(tables: list[Table]) -> int:
    return tables[-1].number + 1


def _added_up(games: Sequence[dict[int, float]]) -> dict[int, float]:
    total: dict[int, float] = defaultdict(float)
    for game in games:
        for entrant, share in game.items():
            total[entrant] += share
    return total


def _coin(plan: Plan, round_number: int, group: tuple[int, ...]) -> dict[int, int]:
    """An order of the group that follows from the seed of the tournament; the last of it goes home first."""
    if plan.version < REPLAYS_SINCE:
        return {entrant: entrant for entrant in group}
    order = shuffle(plan.seed % (1 << 128), f"coin/{round_number}/{min(group)}", sorted(group))
    return {entrant: place for place, entrant in enumerate(order)}


def eliminations(plan: Plan, left: int) -> list[int]:
    """How many each table of a round sends home."""
    return _eliminations(left, plan.seats) if plan.version >= REPLAYS_SINCE else _old_eliminations(left, plan.seats)


def _eliminations(left: int, seats: int) -> list[int]:
    """From the second round on everybody plays, because full tables are left, two, four, eight … or the last one."""
    if left == seats:
        return [seats - 1]
    goal = seats
    while 2 * goal < left:
        goal *= 2
    excess, a_table = left - goal, seats - seats // 2
    tables = left // seats if excess == goal else min(left // seats, -(-excess // a_table))
    return [(i + 1) * excess // tables - i * excess // tables for i in range(tables)]


def _old_eliminations(left: int, seats: int) -> list[int]:
    if left == seats:
        return [seats - 1]
    goal = seats if seats > 2 else 1 << ((left - 1).bit_length() - 1)
    excess, a_table = left - goal, seats - seats // 2
    tables: list[int] = []
    while excess > 0 and (len(tables) + 1) * seats <= left:
        tables.append(min(a_table, excess))
        excess -= tables[-1]
    return tables


def _round_sizes(plan: Plan) -> list[int]:
    """How many entrants are left at the start of each round."""
    sizes = [plan.entrants]
    while sizes[-1] > plan.seats:
        sizes.append(sizes[-1] - sum(eliminations(plan, sizes[-1])))
    return sizes


def _groups(plan: Plan, left: list[int]) -> list[tuple[int, ...]]:
    """The tables of a round: best seed with worst, the strong dealt out evenly, the best ones free."""
    count = len(eliminations(plan, len(left)))
    playing = left[len(left) - count * plan.seats :]
    rows = [playing[i * count : (i + 1) * count] for i in range(plan.seats)]
    dealt = [row if i % 2 == 0 else row[::-1] for i, row in enumerate(rows)]
    return [tuple(row[table] for row in dealt) for table in range(count)]


def _rotated(group: tuple[int, ...], game: int) -> tuple[int, ...]:
    turn = game % len(group)
    return group[turn:] + group[:turn]
