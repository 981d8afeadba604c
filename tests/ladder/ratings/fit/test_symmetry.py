"""Players of whom matches say the same get the same answer, whatever the seed."""

import numpy as np
import pytest

from tests.ladder.ratings.fit.matches import FitMatch, fit


def met(one, other, *ranks):
    """A set in which both move first once; `ranks` are those of the first player."""
    return [
        FitMatch((one, other), (0, 1), (ranks[0], 3 - ranks[0]) if ranks[0] < 3 else (1, 1)),
        FitMatch((other, one), (0, 1), (3 - ranks[1], ranks[1]) if ranks[1] < 3 else (1, 1)),
    ]


DRAWN = 3
LEVEL = [FitMatch(tuple((seat + turn) % 6 for seat in range(6)), tuple(range(6)), (1,) * 6) for turn in range(6)]
EVEN = {
    "no match": (2, []),
    "only draws": (2, [met(0, 1, DRAWN, DRAWN)] * 12),
    "the first to move always wins": (2, [met(0, 1, 1, 2)] * 12),
    "as many sets won as lost": (2, [met(0, 1, 1, 1), met(0, 1, 2, 2)] * 6),
    "a table of six, each at each place, all level": (6, [LEVEL] * 3),
    "seven that met nobody": (7, []),
    "eight, all drawn": (8, [met(one, other, DRAWN, DRAWN) for one in range(8) for other in range(one)]),
    "three in a ring": (3, [met(0, 1, 1, 1), met(1, 2, 1, 1), met(2, 0, 1, 1)] * 5),
}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("players", "sets"), [*EVEN.values()], ids=[*EVEN])
def test_equals_are_rated_equal(players, sets, seed):
    found = fit(players=players, sets=sets, seed=seed)
    assert found.rating == pytest.approx(np.full(players, 25.0), abs=1e-4)
    assert found.sd == pytest.approx(np.full(players, found.sd[0]), rel=1e-4)


def test_two_winners_of_two_islands_are_rated_equal():
    found = fit(players=4, sets=[met(0, 1, 1, 1), met(2, 3, 1, 1)] * 8, seed=1)
    assert found.rating[[0, 1]] == pytest.approx(found.rating[[2, 3]], abs=1e-3)


def test_of_eight_those_that_differ_are_told_apart_and_no_others():
    wins = [met(0, other, 1, 1) for other in range(1, 8)] + [met(other, 7, 1, 1) for other in range(1, 7)]
    found = fit(players=8, sets=wins, seed=1)
    assert found.rating[1:7] == pytest.approx(np.full(6, found.rating[1]), abs=1e-3)
    assert found.rating[0] > found.rating[1] + 2 > found.rating[7] + 4


def test_a_prior_or_an_anchor_tells_equals_apart():
    sets = [met(0, 1, DRAWN, DRAWN)] * 3
    assert fit(players=2, sets=sets, priors={0: (30.0, 1.0)}, seed=1).rating[0] > 25.5
    assert fit(players=2, sets=sets, anchors=(0,), seed=1).sd[0] == pytest.approx(0, abs=1e-6)
