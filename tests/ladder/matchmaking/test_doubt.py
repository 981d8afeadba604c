"""Which table teaches most, by draws that are made up."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ladder.matchmaking.doubt import Doubt

EVERYBODY = range(8)


def drawn(sds: list[float], *, ratings: list[float] | None = None, seed: int = 1) -> np.ndarray:
    """Independent draws of as many versions, to the digit as wide as they are said to be."""
    noise = np.random.default_rng(seed).standard_normal((400, len(sds)))
    noise = (noise - noise.mean(axis=0)) / noise.std(axis=0)
    return np.array(ratings or [25.0] * len(sds)) + noise * sds


def doubt_of(sds: list[float], *, best: int = 0, **more) -> Doubt:
    return Doubt(range(len(sds)), drawn(sds, **more), best=best)


def choose(doubt: Doubt, *, askers=EVERYBODY, free=EVERYBODY, seats: int = 2, may_meet=lambda one, other: True):
    return doubt.best_table(free, set(askers), seats, may_meet)


def test_the_two_that_are_known_least_meet_first() -> None:
    assert set(choose(doubt_of([1, 1, 3, 1, 3, 1]))) == {2, 4}


def test_a_match_whose_end_is_sure_teaches_less_than_an_even_one() -> None:
    assert set(choose(doubt_of([3, 2, 3, 2], ratings=[45, 45, 10, 10]), askers=[0])) == {0, 1}


def test_what_is_already_known_of_a_difference_needs_no_match() -> None:
    """Two whose errors are the same one differ by what is known; neither is known against the third."""
    shared = drawn([3, 3])
    table = choose(Doubt(range(3), shared[:, [0, 0, 1]] + drawn([0.1] * 3, seed=2) - 25, best=0))
    assert 2 in table


def test_an_order_among_the_best_that_is_open_counts_more() -> None:
    ratings, sds = [50, 40, 40, 30, 10, 10], [1.0, 1.0, 1.0, 1.0, 1.3, 1.3]
    assert set(choose(doubt_of(sds, ratings=ratings))) == {4, 5}
    assert set(choose(doubt_of(sds, ratings=ratings, best=3))) == {1, 2}


def test_the_same_two_do_not_meet_over_and_over_between_two_fits() -> None:
    doubt = doubt_of([3, 3, 2, 2])
    tables = [frozenset(choose(doubt)) for _ in range(12)]
    assert max(map(tables.count, tables)) <= 4
    assert all(one != next_one for one, next_one in pairwise(tables))


def test_what_was_met_since_the_fit_is_neither_chosen_nor_forgotten() -> None:
    fresh, told = doubt_of([3, 3, 2, 1]), doubt_of([3, 3, 2, 1])
    told.note({(0, 1): 40, (0, 99): 3})
    assert set(choose(fresh)) == {0, 1}
    assert 2 in choose(told)


def test_somebody_at_the_table_asks() -> None:
    assert 3 in choose(doubt_of([3, 3, 3, 1]), askers=[3])
    assert choose(doubt_of([3, 3, 3, 1]), askers=[]) == []


def test_who_is_not_free_or_not_in_the_fit_is_left_out() -> None:
    assert set(choose(doubt_of([3, 3, 1, 1]), free=[0, 2, 99])) == {0, 2}
    assert choose(doubt_of([3, 3]), free=[99]) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_those_who_may_not_meet_never_share_a_table(seats: int) -> None:
    doubt = doubt_of([3.0] * 8)
    for _ in range(4):
        table = choose(doubt, seats=seats, may_meet=lambda one, other: one // 2 != other // 2)
        assert len({each // 2 for each in table}) == seats


def test_a_table_that_can_not_be_filled_is_none() -> None:
    assert choose(doubt_of([3, 3, 3]), seats=4) == []


def test_the_same_draws_give_the_same_tables() -> None:
    one, other = doubt_of([3.0] * 8, seed=4), doubt_of([3.0] * 8, seed=4)
    assert [choose(one, seats=3) for _ in range(5)] == [choose(other, seats=3) for _ in range(5)]
