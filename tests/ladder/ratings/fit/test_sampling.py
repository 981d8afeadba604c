"""Few players are drawn by the likelihood itself."""

import numpy as np

from tests.ladder.ratings.fit.matches import FitMatch, fit


def sweeps(players: int, times: int) -> list[list[FitMatch]]:
    """Everybody meets everybody so many times, and the lower number always wins."""
    pairs = [(one, other) for one in range(players) for other in range(one + 1, players)]
    return [[FitMatch(pair, (0, 1), (1, 2)), FitMatch(pair[::-1], (0, 1), (2, 1))] for pair in pairs * times]


def test_three_bots_that_never_lose_to_each_other_have_sure_places_after_twelve_matches():
    found = fit(players=3, sets=sweeps(3, 3), anchors=(0, 1, 2), seed=3)
    assert found.place_low.tolist() == found.place_high.tolist() == [1, 2, 3]
    assert found.p_first[0] > 0.98


def test_who_always_wins_is_hardly_ever_worse_but_may_be_much_better():
    found = fit(players=2, sets=sweeps(2, 6), seed=1)
    gap = found.draws[:, 0] - found.draws[:, 1]
    assert np.mean(gap < 0) < 0.01
    assert np.quantile(gap, 0.975) - np.median(gap) > 1.1 * (np.median(gap) - np.quantile(gap, 0.025))


def test_draws_and_ratings_of_few_players_agree():
    found = fit(players=4, sets=sweeps(4, 1) + [[FitMatch((3, 0), (0, 1), (1, 2))]] * 6, seed=5, draws=2000)
    assert np.abs(found.draws.mean(axis=0) - found.rating).max() < 0.15 * found.sd.max()
    assert np.allclose(found.draws.std(axis=0), found.sd, rtol=0.1)
    assert np.allclose(found.draws.mean(axis=1), 25)
