"""The door of the fit: what it takes, what it refuses, and what holds of every answer."""

import numpy as np
import pytest

from ladder.ratings.fit import FitFailed, InvalidMatches, model
from tests.ladder.ratings.fit.matches import FitMatch, fit


def duel(one, other, winner):
    ranks = (1, 2) if winner == one else (2, 1)
    return [FitMatch((one, other), (0, 1), ranks), FitMatch((other, one), (0, 1), ranks[::-1])]


def some_sets(players=5, count=60, seed=3):
    rng = np.random.default_rng(seed)
    skill = rng.normal(25, 6, players)
    sets = []
    for _ in range(count):
        one, other = (int(player) for player in rng.choice(players, 2, replace=False))
        gap = skill[one] - skill[other] + rng.normal(0, 6)
        sets.append(duel(one, other, one if gap > 0 else other))
    return sets


def test_the_same_seed_gives_the_same_answer_to_the_last_bit():
    first, second = (fit(players=5, sets=some_sets(), seed=7, draws=50) for _ in range(2))
    assert np.array_equal(first.draws, second.draws)
    assert np.array_equal(first.rating, second.rating)


def test_a_winner_stands_above_a_loser_and_the_interval_holds_the_rating():
    found = fit(players=3, sets=[duel(0, 1, 0)] * 8 + [duel(1, 2, 1)] * 8, seed=1)
    assert list(np.argsort(-found.rating)) == [0, 1, 2]
    assert ((found.low < found.rating) & (found.rating < found.high)).all()
    assert found.p_first.sum() == pytest.approx(1)
    assert (found.place_low >= 1).all()
    assert (found.place_high <= 3).all()


def test_the_mean_of_the_anchors_is_25_in_every_draw():
    found = fit(players=5, sets=some_sets(), anchors=(0, 2), seed=7, draws=100)
    assert found.rating[[0, 2]].mean() == pytest.approx(25)
    assert found.draws[:, [0, 2]].mean(axis=1) == pytest.approx(np.full(100, 25.0))


def test_without_anchors_the_field_has_a_mean_of_25():
    found = fit(players=5, sets=some_sets(), seed=7, draws=100)
    assert found.rating.mean() == pytest.approx(25)


def test_moving_first_is_seen_as_a_place_effect_not_as_strength():
    rng = np.random.default_rng(5)
    sets = []
    for _ in range(300):
        first = int(rng.random() < 0.7), int(rng.random() < 0.7)
        sets.append(
            [
                FitMatch((0, 1), (0, 1), (1, 2) if first[0] else (2, 1)),
                FitMatch((1, 0), (0, 1), (1, 2) if first[1] else (2, 1)),
            ]
        )
    found = fit(players=2, sets=sets, seed=2)
    assert found.place_effects[0] > 3 * found.place_effects_sd[0] > 0
    assert found.place_effects.sum() == pytest.approx(0, abs=1e-9)
    assert abs(found.rating[0] - found.rating[1]) < 2 * found.sd.max()


def test_a_new_version_without_matches_stands_where_the_old_one_does_but_less_sure():
    found = fit(players=4, sets=[duel(0, 1, 0)] * 10 + [duel(0, 2, 0)] * 10, links={3: 0}, seed=2)
    assert found.rating[3] == pytest.approx(found.rating[0], abs=1e-3)
    assert found.sd[3] > found.sd[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 2, "sets": [duel(0, 2, 0)]}, "player 2 is not from 0 to 1"),
        ({"players": 2, "sets": [[FitMatch((0, 1), (0, 2), (1, 2))]]}, "place 2"),
        ({"players": 2, "sets": [[FitMatch((0, 1), (0, 1), (0, 2))]]}, "rank 0"),
        ({"players": 2, "sets": [], "links": {0: 1, 1: 0}}, "follows itself"),
        ({"players": 2, "sets": [], "links": {0: 5}}, "linked player 5"),
        ({"players": 2, "sets": [], "anchors": (9,)}, "anchor 9"),
        ({"players": 2, "sets": [], "draws": 1}, "1 draws"),
        ({"players": 2, "sets": [], "priors": {7: (25.0, 1.0)}}, "prior's player 7"),
        ({"players": 2, "sets": [], "priors": {0: (float("nan"), 1.0)}}, "prior of player 0 is nan"),
        ({"players": 2, "sets": [], "priors": {0: (25.0, 0.0)}}, "sd above 0"),
        ({"players": 2, "sets": [], "links": {1: 0}, "priors": {1: (25.0, 1.0)}}, "leave one of them out"),
    ],
)
def test_what_cannot_be_fitted_is_refused_with_the_value(arguments, message):
    with pytest.raises(InvalidMatches, match=message):
        fit(seed=1, **arguments)


def test_a_fit_that_comes_to_no_end_says_so(monkeypatch):
    monkeypatch.setattr(model, "NEWTON_STEPS", 1)
    with pytest.raises(FitFailed, match="no end after 1 steps over 120 pairs"):
        fit(players=5, sets=some_sets(), seed=1)


@pytest.mark.parametrize("start", [np.nan, np.inf])
def test_a_fit_that_begins_nowhere_fails_and_is_not_told_as_a_rating(start):
    with pytest.raises(FitFailed, match="ratings of 5 players ran away"), np.errstate(invalid="ignore"):
        fit(players=5, sets=some_sets(), seed=1, start=np.full(5, start))


def draw(one, other):
    return [FitMatch((one, other), (0, 1), (1, 1)), FitMatch((other, one), (0, 1), (1, 1))]


@pytest.mark.parametrize(
    ("players", "sets"),
    [
        (1, []),
        (2, []),
        (2, [duel(0, 1, 0)]),
        (2, [duel(0, 1, 0)] * 500),
        (3, [draw(0, 1), draw(1, 2), draw(0, 2)] * 30),
        (4, [duel(0, 1, 0)] * 20 + [duel(2, 3, 2)] * 20),
        (2, [[FitMatch((0, 0), (0, 1), (1, 2))]]),
    ],
    ids=["one bot", "no match", "one set", "never loses", "only draws", "two islands", "only itself"],
)
def test_odd_ladders_have_finite_answers(players, sets):
    found = fit(players=players, sets=sets, seed=1, draws=50)
    assert np.isfinite(found.rating).all()
    assert (found.low <= found.rating).all()
    assert (found.rating <= found.high).all()
    assert 0 < found.p_intransitive <= 1
    assert found.draws.shape == (50, players)


def test_a_table_of_four_counts_every_pair():
    sets = [[FitMatch((0, 1, 2, 3), (0, 1, 2, 3), (1, 2, 3, 4))] for _ in range(30)]
    found = fit(players=4, sets=sets, seed=1)
    assert list(np.argsort(-found.rating)) == [0, 1, 2, 3]


def test_players_begin_where_their_priors_say_and_matches_move_them():
    priors = {0: (30.0, 1.0), 1: (25.0, 1.0), 2: (20.0, 1.0)}
    before = fit(players=8, sets=[], priors=priors, seed=1)
    after = fit(players=8, sets=[duel(2, 1, 2), duel(1, 0, 1)] * 4, priors=priors, seed=1)
    assert before.rating[0] - before.rating[2] == pytest.approx(10, abs=0.5)
    assert before.sd[0] < before.sd[7]  # of whom nothing is known
    assert 0 < after.rating[0] - after.rating[2] < 9.5
    assert after.moved_sd > before.moved_sd  # nobody expected that


def test_an_empty_prior_changes_no_bit():
    plain, empty = (fit(players=5, sets=some_sets(), seed=7, draws=50, **more) for more in ({}, {"priors": {}}))
    assert np.array_equal(plain.draws, empty.draws)


@pytest.mark.parametrize("players", [3, 12])
def test_a_field_in_which_everybody_is_known_has_a_finite_answer(players):
    priors = {player: (20.0 + player, 1.5) for player in range(players)}
    found = fit(players=players, sets=some_sets(players), priors=priors, links={}, seed=1, draws=50)
    assert np.isfinite(found.draws).all()
    assert (found.sd < 3).all()


def test_of_ten_thousand_who_met_nobody_nothing_is_known_but_what_is_believed_of_everybody():
    found = fit(players=10_000, sets=[duel(0, 1, 0)], seed=1, draws=100)
    assert found.field_sd > 4
    assert found.rating[0] - found.rating[1] > 2
    assert found.sd[2:].min() > 3
