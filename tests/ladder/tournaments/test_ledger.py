"""Results in columns, and tables that are turned round a circle: both against the plain way of counting."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import numpy as np
import pytest

from ladder.collector import nothing_collected
from ladder.tournaments.formats import FORMATS, Plan
from ladder.tournaments.formats.differences import base_tables, least_base_tables
from ladder.tournaments.formats.differences import meetings as meetings_of_bases
from ladder.tournaments.formats.knockout import eliminations
from ladder.tournaments.formats.plan import PlanRefused, check_entrants, check_range, seed_commitment, table_seed
from ladder.tournaments.ledger import Ledger, added_up, meetings, read_ledger
from ladder.tournaments.standings import default_points, shared_points

VOID = [[0, None, None, False], [1, None, None, True]]
WON = [[0, 1, 3.0, False], [1, 2, 1.0, False]]
DRAWN = [[1, 1, 2.0, False], [0, 1, None, False]]


def ledger(*matches: list, seats: int = 2) -> Ledger:
    """A ledger of tables with one match each."""
    return read_ledger([(list(range(len(matches))), [[match] for match in matches])], seats)


def test_a_line_is_read_for_each_match_and_a_column_for_each_seat() -> None:
    read = read_ledger([([4, 7], [[WON, DRAWN], [WON]])], 2)
    assert read.sets.tolist() == [4, 4, 7]
    assert read.entrants.tolist() == [[0, 1], [1, 0], [0, 1]]
    assert read.ranks.tolist() == [[1, 2], [1, 1], [1, 2]]
    assert np.isnan(read.scores).tolist() == [[False, False], [False, True], [False, False]]


def test_batches_are_put_together_in_their_order() -> None:
    parts = read_ledger([([0], [[WON]]), ([1], [[DRAWN]])], 2)
    whole = read_ledger([([0, 1], [[WON], [DRAWN]])], 2)
    assert parts.sets.tolist() == whole.sets.tolist()
    assert parts.ranks.tolist() == whole.ranks.tolist()


@pytest.mark.parametrize("tables", [[], [([], [])], [([3], [[]])]])
def test_a_tournament_without_results_has_an_empty_ledger(tables: list) -> None:
    read = read_ledger(tables, 3)
    assert read.ranks.shape == (0, 3)
    assert read.gained(lambda ranks: (1.0,) * 3).shape == (0, 3)


def test_a_void_match_is_no_match_but_its_faults_stay() -> None:
    read = ledger(VOID, WON)
    assert read.is_played.tolist() == [False, True]
    assert read.played().sets.tolist() == [1]
    assert read.summed(2, read.faults) == [0, 1]
    assert ledger(WON).played().ranks.tolist() == [[1, 2]]


def test_points_are_those_that_one_match_would_give() -> None:
    points = default_points(2)
    read = ledger(WON, DRAWN, WON)
    told = read.gained(lambda ranks: shared_points(ranks, points)).tolist()
    assert told == [list(shared_points(ranks, points)) for ranks in read.ranks.tolist()]


def test_each_way_to_be_ranked_is_asked_for_once() -> None:
    asked: list[tuple[int, ...]] = []

    def points_of(ranks: tuple[int, ...]) -> tuple[float, float]:
        asked.append(ranks)
        return (1.0, 0.0)

    ledger(WON, WON, DRAWN, WON).gained(points_of)
    assert sorted(asked) == [(1, 1), (1, 2)]


def test_sums_are_by_entrant_and_zero_for_who_did_not_play() -> None:
    read = ledger(WON, DRAWN)
    everyone = np.ones_like(read.ranks, dtype=np.bool_)
    assert read.summed(4, everyone) == [2, 2, 0, 0]
    assert read.summed(4, everyone, np.array([[1.0, 0.25], [0.5, 0.5]])) == [1.5, 0.75, 0.0, 0.0]


def test_who_met_whom_is_counted_both_ways_round() -> None:
    met = meetings(ledger(WON, DRAWN, [[0, 2, 0.0, False], [2, 1, 1.0, False]]))
    pairs = list(zip(met.who.tolist(), met.other.tolist(), met.share.tolist(), met.count.tolist(), strict=True))
    assert pairs == [(0, 1, 1.5, 2), (0, 2, 0.0, 1), (1, 0, 0.5, 2), (2, 0, 1.0, 1)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_meetings_are_those_of_the_plain_way_of_counting(seats: int) -> None:
    luck = Random(seats)
    matches = []
    for _ in range(40):
        sitting = luck.sample(range(7), seats)
        matches.append([[entrant, luck.randint(1, seats), 0.0, False] for entrant in sitting])
    plain: Counter[tuple[int, int]] = Counter()
    for match in matches:
        for one, other in combinations(match, 2):
            share = 1.0 if one[1] < other[1] else 0.5 if one[1] == other[1] else 0.0
            plain[one[0], other[0]] += share
            plain[other[0], one[0]] += 1 - share
    met = meetings(ledger(*matches, seats=seats))
    told = dict(zip(zip(met.who.tolist(), met.other.tolist(), strict=True), met.share.tolist(), strict=True))
    assert told == pytest.approx({pair: plain[pair] for pair in told})
    assert {pair for pair in plain if plain[pair]} <= set(told)


def test_values_are_added_at_their_places() -> None:
    assert added_up(np.array([0, 2, 0]), np.array([1.0, 2.0, 0.5]), 4).tolist() == [1.5, 0.0, 2.0, 0.0]


@pytest.fixture
def collector() -> Iterator[None]:
    was_on = gc.isenabled()
    yield
    gc.enable() if was_on else gc.disable()


@nothing_collected()
def fail_while_counting() -> None:
    raise ZeroDivisionError(str(gc.isenabled()))


@pytest.mark.parametrize("was_on", [True, False])
def test_the_collector_is_as_it_was_afterwards_even_if_counting_fails(collector: None, was_on: bool) -> None:
    gc.enable() if was_on else gc.disable()
    with pytest.raises(ZeroDivisionError, match="False"):
        fail_while_counting()
    assert gc.isenabled() is was_on


@pytest.mark.parametrize(("entrants", "seats"), [(5, 3), (7, 3), (9, 4), (13, 4), (8, 3), (12, 3)])
def test_base_tables_let_every_pair_meet_and_nearly_equally_often(entrants: int, seats: int) -> None:
    bases = base_tables(entrants, seats)
    met = Counter(
        tuple(sorted(((one + turn) % entrants, (other + turn) % entrants)))
        for base in bases
        for turn in range(entrants)
        for one, other in combinations(base, 2)
    )
    assert set(met) == set(combinations(range(entrants), 2))
    assert max(met.values()) - min(met.values()) <= 1
    assert len(bases) >= least_base_tables(entrants, seats)


@pytest.mark.parametrize("entrants", [4, 5, 8, 11])
def test_meetings_by_distance_agree_with_the_tables_turned_round(entrants: int) -> None:
    bases = base_tables(entrants, 3)
    counts = meetings_of_bases(entrants, bases)
    for distance in range(1, entrants // 2 + 1):
        plain = sum(
            {0, distance} <= {(place + turn) % entrants for place in base} for base in bases for turn in range(entrants)
        )
        assert counts[distance - 1] == plain, distance


def test_as_many_entrants_as_seats_are_one_table_in_every_rotation() -> None:
    assert base_tables(4, 4) == ((0, 1, 2, 3),)


@pytest.mark.parametrize(("entrants", "cycles"), [(4, 1), (5, 2)])
def test_pairs_need_one_base_table_for_each_distance(entrants: int, cycles: int) -> None:
    assert base_tables(entrants, 2, cycles) == tuple((0, d) for d in range(1, entrants // 2 + 1)) * cycles


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("version", [2, 3])
def test_a_knockout_of_any_size_comes_down_to_one_last_table(seats: int, version: int) -> None:
    for entrants in range(seats, 70):
        left = entrants
        plan = Plan(entrants=entrants, seats=seats, seed=1, version=version)
        for _ in range(12):
            homeward = eliminations(plan, left)
            assert all(0 < gone < seats for gone in homeward)
            assert len(homeward) * seats <= left
            if left == seats:
                break
            left -= sum(homeward)
        assert (left, homeward) == (seats, [seats - 1]), entrants


@pytest.mark.parametrize(
    ("name", "plan", "told"),
    [
        ("round_robin", {}, ""),
        ("round_robin", {"cycles": 3}, "3 cycles"),
        ("gauntlet", {"cycles": 2}, "2 cycles"),
        ("swiss", {}, ""),
        ("swiss", {"rounds": 5}, "5 rounds"),
        ("knockout", {}, ""),
        ("knockout", {"best_of": 3}, "best of 3"),
        ("knockout", {"cycles": 9, "rounds": 9}, ""),
    ],
)
def test_a_format_tells_the_setting_that_counts_in_it(name: str, plan: dict, told: str) -> None:
    assert FORMATS[name].setting(Plan(entrants=8, seats=2, seed=1, **plan)) == told


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_says_all_that_pages_ask_it(name: str) -> None:
    shape = FORMATS[name]
    assert shape.name == name
    assert all((shape.title, shape.words, shape.gist, shape.places))
    assert set(shape.settings) <= {"cycles", "rounds", "best_of", "champion"}
    assert ("champion" in shape.settings) is shape.has_champion


@pytest.mark.parametrize(("value", "is_fine"), [(0, False), (1, True), (9, True), (10, False), (-1, False)])
def test_a_setting_has_a_least_and_a_greatest_value(value: int, is_fine: bool) -> None:
    if is_fine:
        check_range("cycles", value, 1, 9)
    else:
        with pytest.raises(PlanRefused, match=f"cycles can't be {value}; choose from 1 to 9"):
            check_range("cycles", value, 1, 9)


@pytest.mark.parametrize(("entrants", "seats", "needed"), [(1, 2, 2), (2, 3, 3), (0, 1, 2)])
def test_a_table_that_can_t_be_filled_says_how_many_are_missing(entrants: int, seats: int, needed: int) -> None:
    with pytest.raises(PlanRefused, match=f"{entrants} entrants are too few: at least {needed}"):
        check_entrants(Plan(entrants=entrants, seats=seats, seed=0))


@pytest.mark.parametrize("seed", [0, 1, (1 << 256) - 1])
def test_seeds_of_tables_are_of_128_bits_and_differ(seed: int) -> None:
    seeds = {table_seed(seed, number) for number in range(100)}
    assert len(seeds) == 100
    assert max(seeds) < 1 << 128
    assert len(seed_commitment(seed)) == 64
