"""Others' ways to fit the same model to the same matches come to the same ratings and the same doubt."""

import math

import choix
import numpy as np
import pytest
import trueskillthroughtime as ttt

from ladder.ratings.models import BETA
from tests.ladder.ratings.fit.matches import FitMatch, fit

BOTS, MATCHES = 12, 300


@pytest.fixture(scope="module")
def games():
    """Winners and losers among bots of known skill, each game by itself."""
    rng = np.random.default_rng(31)
    skill = rng.normal(25, 6, BOTS)
    played = []
    for _ in range(MATCHES):
        one, other = (int(bot) for bot in rng.choice(BOTS, 2, replace=False))
        gap = skill[one] - skill[other] + rng.normal(0, math.sqrt(2) * BETA)
        played.append((one, other) if gap > 0 else (other, one))
    return played


@pytest.fixture(scope="module")
def ours(games):
    """Half of the winners moved first: places must not tell who won."""
    places, sets = (0, 1), []
    for i, game in enumerate(games):
        sets.append([FitMatch(game, places, (1, 2)) if i % 2 else FitMatch(game[::-1], places, (2, 1))])
    return fit(players=BOTS, sets=sets, seed=3)


def centred(rating):
    return rating - rating.mean() + 25


def assert_agree(ours, mean, sd):
    assert np.abs(ours.rating - centred(mean)).max() < 0.6  # a fifth to a third of a standard deviation
    assert np.corrcoef(ours.rating, mean)[0, 1] > 0.998
    assert np.abs(np.log(ours.sd / sd)).max() < math.log(1.25)


def test_choix_agrees_by_expectation_propagation(games, ours):
    unit = math.sqrt(2) * BETA
    mean, covariance = choix.ep_pairwise(BOTS, games, alpha=(unit / ours.field_sd) ** 2, model="probit")
    centring = np.eye(BOTS) - 1 / BOTS
    assert_agree(ours, unit * mean, unit * np.sqrt(np.diag(centring @ covariance @ centring)))


def test_trueskill_through_time_agrees_where_time_changes_nothing(games, ours):
    history = ttt.History(
        composition=[[[str(winner)], [str(loser)]] for winner, loser in games],
        mu=25.0, sigma=ours.field_sd, beta=BETA, gamma=0.0, p_draw=0.0,
    )  # fmt: skip
    history.convergence(epsilon=1e-3, iterations=30, verbose=False)
    ends = [history.learning_curves()[str(bot)][-1][1] for bot in range(BOTS)]
    # its doubt is that of each bot alone, ours is that of the distance to the field
    mean, sd = np.array([end.mu for end in ends]), np.array([end.sigma for end in ends])
    assert np.abs(ours.rating - centred(mean)).max() < 0.6
    assert np.corrcoef(ours.rating, mean)[0, 1] > 0.998
    assert (sd > 0.9 * ours.sd).all()
