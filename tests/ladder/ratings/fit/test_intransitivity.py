"""Cycles are seen where they are, and never where one is simply better."""

from itertools import combinations

import numpy as np
import pytest

from tests.ladder.ratings.fit.matches import FitMatch, fit


def won(one, other):
    return [FitMatch((one, other), (0, 1), (1, 2)), FitMatch((other, one), (0, 1), (2, 1))]


@pytest.mark.parametrize("players", [2, 3, 6, 9])
def test_who_always_beats_those_below_shows_no_cycle(players):
    sets = [won(*pair) for pair in combinations(range(players), 2)] * 6
    assert fit(players=players, sets=sets, seed=1).p_intransitive > 0.05


def test_a_ring_of_three_shows_one():
    ring = [won(0, 1), won(1, 2), won(2, 0)] * 10
    field = [won(*pair) for pair in combinations(range(3, 9), 2)] * 2
    across = [won(one, other) if (one + other) % 2 else won(other, one) for one in range(3) for other in range(3, 9)]
    assert fit(players=9, sets=ring + field + across * 2, seed=1).p_intransitive <= 0.02


def test_results_that_ratings_explain_show_none():
    rng, p = np.random.default_rng(4), []
    for seed in range(6):
        skill = rng.normal(25, 6, 10)
        pairs = [rng.choice(10, 2, replace=False) for _ in range(150)]
        sets = [won(a, b) if skill[a] - skill[b] + rng.normal(0, 6) > 0 else won(b, a) for a, b in pairs]
        p.append(fit(players=10, sets=sets, seed=seed, draws=50).p_intransitive)
    assert np.median(p) > 0.1
    assert sum(each <= 0.05 for each in p) <= 1
