"""Swiss: each round seats entrants with like scores together who have not met before.

The unbeaten come first: they meet each other, so that each round leaves half of them or less, and the last one is the
winner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import ceil, log2

from engines.chance import shuffle
from ladder.tournaments.formats.plan import Format, Plan, Round, Table, TableResult, check_entrants, check_range

MOST_ENTRANTS = 512
MOST_ROUNDS = 50
REMATCH = 10**9  # dearer than all distances in the standings together
MISSED = 10**12  # dearer still: an unbeaten entrant who meets a beaten one
NEIGHBOURS = (16, 64)  # how far down the standing a partner is looked for first


class Swiss(Format):
    name = "swiss"
    title = "Swiss"
    words = "Swiss"
    gist = "In every round, bots with equal points meet."
    settings = ("rounds",)
    has_rounds = True
    byes_win = True

    def setting(self, plan: Plan) -> str:
        return f"{plan.rounds} rounds" if plan.rounds else ""

    def check(self, plan: Plan) -> None:
        check_entrants(plan)
        check_range("entrants", plan.entrants, 2, MOST_ENTRANTS)
        check_range("rounds", plan.rounds, 0, MOST_ROUNDS)

    def round_count(self, plan: Plan) -> int:
        return plan.rounds or max(1, ceil(log2(plan.entrants)))

    def table_count(self, plan: Plan) -> int:
        return self.round_count(plan) * (plan.entrants // plan.seats)

    def tables_through(self, plan: Plan, round_number: int, results: Sequence[TableResult]) -> int:
        return (round_number + 1) * (plan.entrants // plan.seats)

    def draw(self, plan: Plan, round_number: int, results: Sequence[TableResult], *, first: int = 0) -> Round:
        before = tuple(result for result in results if result.table.round < round_number)
        return Round(_tables(plan, round_number, before, first), _History(plan, before).byes_of_next_round())


def _tables(plan: Plan, round_number: int, results: tuple[TableResult, ...], first: int) -> Iterator[Table]:
    """Nothing is matched before the first table is asked for: who only wants the byes need not wait."""
    number = round_number * (plan.entrants // plan.seats)
    for i, seated in enumerate(_seatings(plan, results)):
        if number + i >= first:
            yield Table(number + i, round_number, seated)


@lru_cache(maxsize=8)
def _seatings(plan: Plan, results: tuple[TableResult, ...]) -> tuple[tuple[int, ...], ...]:
    """The tables of the next round, kept because a round is queued in parts and a big matching takes a while."""
    history = _History(plan, results)
    byes = set(history.byes_of_next_round())
    standing = [entrant for entrant in history.standing() if entrant not in byes]
    groups = _pairs(standing, history) if plan.seats == 2 else _groups(standing, plan.seats, history)
    return tuple(history.seated(group) for group in groups)


class _History:
    """What the rounds so far say of each entrant."""

    def __init__(self, plan: Plan, results: Sequence[TableResult]) -> None:
        self.plan = plan
        self.score = dict.fromkeys(range(plan.entrants), 0.0)
        self.met: Counter[tuple[int, int]] = Counter()
        self.sat: Counter[tuple[int, int]] = Counter()
        self.played: Counter[int] = Counter()
        self.equalled: set[int] = set()  # by another at the same table
        rounds = 1 + max((result.table.round for result in results), default=-1)
        for result in results:
            self._count(result)
        for entrant in self.score:  # a round sat out counts as won
            self.score[entrant] += rounds - self.played[entrant]
        self.byes = {entrant: rounds - self.played[entrant] for entrant in self.score}
        full = {entrant for entrant, score in self.score.items() if round(score - rounds, 9) == 0}
        self.unbeaten = full - self.equalled if plan.version > 1 else set()
        self.drawn_order = shuffle(plan.seed % (1 << 128), f"swiss/{rounds}", range(plan.entrants))
        self.drawn_place = {entrant: place for place, entrant in enumerate(self.drawn_order)}

    def _count(self, result: TableResult) -> None:
        for seat, (entrant, points) in enumerate(zip(result.table.entrants, result.points, strict=True)):
            self.score[entrant] += points
            self.played[entrant] += 1
            self.sat[entrant, seat] += 1
        if result.points.count(max(result.points)) > 1:
            self.equalled.update(result.table.entrants)
        for pair in combinations(sorted(result.table.entrants), 2):
            self.met[pair] += 1

    def standing(self) -> list[int]:
        """Best score first; entrants with equal scores in an order drawn anew each round."""
        return sorted(self.drawn_order, key=lambda entrant: -self.score[entrant])

    def byes_of_next_round(self) -> tuple[int, ...]:
        """Who sits out: whoever did so least often, the lowest in the standing first; of several unbeaten nobody."""
        count = self.plan.entrants % self.plan.seats
        lowest_first = self.standing()[::-1]
        rivals = self.unbeaten if len(self.unbeaten) > 1 else set()
        candidates = sorted(lowest_first, key=lambda entrant: (entrant in rivals, self.byes[entrant]))
        return tuple(sorted(candidates[:count]))

    def seated(self, group: Sequence[int]) -> tuple[int, ...]:
        """The group by seats: each seat to whoever of the rest had it least."""
        rest = sorted(group)
        order = []
        for seat in range(len(group)):
            chosen = min(rest, key=lambda entrant: (self.sat[entrant, seat], self.drawn_place[entrant]))
            rest.remove(chosen)
            order.append(chosen)
        return tuple(order)

    def rematches(self, entrant: int, others: Sequence[int]) -> int:
        return sum(self.met[min(entrant, other), max(entrant, other)] for other in others)


def _pairs(standing: list[int], history: _History) -> list[tuple[int, ...]]:
    """The matching in which the unbeaten meet, with the fewest rematches, and of those the closest in the standing."""
    reaches = [reach for reach in NEIGHBOURS if reach < len(standing)]
    for reach in (*reaches, len(standing)):
        pairs = _matching(standing, history, reach, rematches=False)
        if 2 * len(pairs) == len(standing) and sum(_is_missed(pair, history) for pair in pairs) <= 1:
            break
    else:
        pairs = _matching(standing, history, len(standing), rematches=True)
    place = {entrant: i for i, entrant in enumerate(standing)}
    ordered = [tuple(sorted(pair, key=place.__getitem__)) for pair in pairs]
    return sorted(ordered, key=lambda pair: place[pair[0]])


def _matching(standing: list[int], history: _History, reach: int, *, rematches: bool) -> set[tuple[int, int]]:
    import networkx as nx  # only who draws needs it: it is large, and a worker's image does without

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(standing)
    for i, one in enumerate(standing):
        for j, other in enumerate(standing[i + 1 : i + 1 + reach], start=i + 1):
            met = history.rematches(one, [other])
            if rematches or not met:
                apart = abs(history.score[one] - history.score[other])
                dear = MISSED * _is_missed((one, other), history) + REMATCH * met
                graph.add_edge(one, other, weight=-(dear + round(100 * apart * apart) + (j - i)))
    return nx.max_weight_matching(graph, maxcardinality=True)


def _is_missed(pair: Sequence[int], history: _History) -> bool:
    """Whether an unbeaten entrant would meet a beaten one; with an odd number of them one has to."""
    return (pair[0] in history.unbeaten) != (pair[1] in history.unbeaten)


def _groups(standing: list[int], seats: int, history: _History) -> list[tuple[int, ...]]:
    """Tables filled from the top of the standing, each place with the nearest entrant who met fewest of the table."""
    rest = list(standing)
    groups: list[list[int]] = []
    while rest:
        group = [rest.pop(0)]
        while len(group) < seats:
            chosen = min(rest, key=lambda entrant: (history.rematches(entrant, group), rest.index(entrant)))
            rest.remove(chosen)
            group.append(chosen)
        groups.append(group)
    while _swap_a_rematch_away(groups, history):
        pass
    return [tuple(group) for group in groups]


def _swap_a_rematch_away(groups: list[list[int]], history: _History) -> bool:
    """Change two entrants between tables if fewer meet again that way; the nearest tables are tried first."""
    troubled = [i for i, group in enumerate(groups) if _met_again(group, history)]
    for i in troubled:
        for j in sorted(range(len(groups)), key=lambda other: (abs(other - i), other)):
            if j != i and _swap_between(groups[i], groups[j], history):
                return True
    return False


def _swap_between(one: list[int], other: list[int], history: _History) -> bool:
    before = _met_again(one, history) + _met_again(other, history)
    for a, b in product(range(len(one)), range(len(other))):
        if _is_missed((one[a], other[b]), history):
            continue
        one[a], other[b] = other[b], one[a]
        if _met_again(one, history) + _met_again(other, history) < before:
            return True
        one[a], other[b] = other[b], one[a]
    return False


def _met_again(group: Sequence[int], history: _History) -> int:
    return sum(history.rematches(entrant, group[:i]) for i, entrant in enumerate(group))
