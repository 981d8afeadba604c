"""A bot that wins every match is first, whatever the format, the seed and the number of entrants."""

from __future__ import annotations

from random import Random

import pytest

from ladder.tournaments import standings as counting
from ladder.tournaments.formats import FORMATS, Plan, TableResult
from ladder.tournaments.formats.knockout import played_rounds
from ladder.tournaments.standings import EntrantScore, MatchResult, default_points, shared_points, standings

SIZES = range(2, 34)
SEEDS = 500  # of the long form


@pytest.fixture(autouse=True)
def no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """The places that luck allows are not looked at here, and drawing them takes most of the time."""
    monkeypatch.setattr(counting, "BOOTSTRAP_DRAWS", 1)
    monkeypatch.setattr(counting, "FEWEST_DRAWS", 1)


def ranks_at(table: tuple[int, ...], best: int, luck: Random, noise: float) -> tuple[int, ...]:
    """The best is first; the others come by their number, or as it happens."""
    order = sorted(table, key=lambda entrant: (entrant != best, entrant + noise * luck.random()))
    return tuple(1 + order.index(entrant) for entrant in table)


def winners(name: str, plan: Plan, best: int, luck: Random) -> list[int]:
    """Who is first after all rounds; in a gauntlet also who never lost, since challengers don't meet."""
    noise = luck.choice((0, 0, 8, 40))
    shape, points = FORMATS[name], default_points(plan.seats)
    results: list[TableResult] = []
    told: list[MatchResult] = []
    byes: list[tuple[int, float]] = []
    for number in range(shape.round_count(plan)):
        drawn = shape.draw(plan, number, results)
        byes += [(entrant, points[0]) for entrant in drawn.byes]
        tables = list(drawn.tables)
        while tables:
            played = [(table, ranks_at(table.entrants, best, luck, noise)) for table in tables]
            results += [TableResult(table, shared_points(ranks, points)) for table, ranks in played]
            told += [
                MatchResult(table.number, table.entrants, ranks, tuple(map(float, ranks))) for table, ranks in played
            ]
            again = shape.draw(plan, number, results, first=len(results)).tables if shape.sends_home else ()
            tables = list(again)
    if name == "knockout":
        *_, last = played_rounds(plan, shape.round_count(plan), results)
        return last.through
    rows = standings(plan.entrants, told, points, byes if name == "swiss" else (), by_share=name == "gauntlet")
    return [row.entrant for row in rows if row.place == 1 or (always_won(row) and name == "gauntlet")]


def always_won(row: EntrantScore) -> bool:
    return row.wins == row.matches > 0


def losers(name: str, seats: int, entrants: int, seeds: range, **more: int) -> list[int]:
    """The seeds with which the best is not first and alone; challengers of a gauntlet may share that."""
    failed = []
    for seed in seeds:
        luck = Random(seed)
        best = luck.randrange(entrants)
        champion = best if seed % 2 else luck.randrange(entrants)
        plan = Plan(entrants=entrants, seats=seats, seed=luck.getrandbits(256), champion=champion, **more)
        first = winners(name, plan, best, luck)
        if best not in first or (len(first) > 1 and (name != "gauntlet" or champion == best)):
            failed.append(seed)
    return failed


CASES = [(name, seats) for name in FORMATS for seats in (2, 3, 4)]


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_who_always_wins_is_first_at_every_size(name, seats):
    failed = {n: losers(name, seats, n, range(3 * n, 3 * n + 3)) for n in SIZES if n >= seats}
    assert not any(failed.values()), failed


@pytest.mark.parametrize(("entrants", "seats"), [(5, 2), (6, 2), (8, 3), (11, 4)])
def test_a_swiss_does_not_leave_two_unbeaten_who_could_have_met(entrants, seats):
    assert losers("swiss", seats, entrants, range(150)) == []


def test_what_was_drawn_in_the_first_way_is_drawn_so_again():
    assert losers("swiss", 2, 5, range(150), version=1) != []


@pytest.mark.soak
@pytest.mark.parametrize(("name", "seats"), CASES)
def test_who_always_wins_is_first_at_every_size_with_every_seed(name, seats):
    failed = {n: losers(name, seats, n, range(SEEDS)) for n in SIZES if n >= seats}
    assert not any(failed.values()), failed
