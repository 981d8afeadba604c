"""Evaluations and policies of Capone and Cotton Club."""

from __future__ import annotations

from random import Random

import pytest

from bots.kit.policies import capone as capone_policy
from bots.kit.policies import cotton_club as cotton_policy
from bots.kit.search import random_policy
from bots.kit.values import capone, cotton_club
from engines import GAMES, State

GAMES_HERE = [("capone", 4, capone.evaluate, capone_policy), ("cotton_club", 3, cotton_club.evaluate, cotton_policy)]


@pytest.mark.parametrize(("game", "seats", "evaluate", "_policy"), GAMES_HERE)
def test_every_position_gets_a_chance_between_0_and_1_for_each_seat(game, seats, evaluate, _policy) -> None:
    state, rng = GAMES[game].new(seats=seats, seed=2), Random(2)
    while state.to_act is not None:
        chances = evaluate(state)
        assert len(chances) == seats
        assert all(0 <= chance <= 1 for chance in chances)
        assert sum(chances) == pytest.approx(seats / 2)
        state.apply(random_policy(state, rng))


@pytest.mark.parametrize(("game", "seats", "evaluate", "policy"), GAMES_HERE)
def test_shortly_before_the_end_the_evaluation_mostly_knows_the_winner(game, seats, evaluate, policy) -> None:
    right = 0
    for seed in range(12):
        state, rng = GAMES[game].new(seats=seats, seed=seed), Random(seed)
        before: list[State] = []
        while state.to_act is not None:
            before = [*before[-5:], state.copy()]
            state.apply(policy.likely_action(state, rng))
        chances = evaluate(before[0])
        outcome = state.outcome()
        assert outcome is not None
        right += outcome.ranks[chances.index(max(chances))] == 1
    assert right >= 7  # a blind guess is right 3 or 4 times


@pytest.mark.parametrize(("game", "seats", "_evaluate", "policy"), GAMES_HERE)
def test_the_policy_plays_whole_games_and_beats_chance(game, seats, _evaluate, policy) -> None:
    firsts = 0
    for seed in range(8):
        state, rng = GAMES[game].new(seats=seats, seed=seed), Random(seed)
        while state.to_act is not None:
            mine = state.to_act == seed % seats
            state.apply(policy.likely_action(state, rng) if mine else random_policy(state, rng))
        outcome = state.outcome()
        assert outcome is not None
        firsts += outcome.ranks[seed % seats] == 1
    assert firsts >= 7


def test_capone_values_a_dead_don_below_a_jailed_one_and_both_below_a_free_one() -> None:
    free = GAMES["capone"].new(seats=3, seed=1)
    jailed, dead = free.copy(), free.copy()
    for state in (jailed, dead):
        state.home[0] &= ~1
    jailed.prison[2 * 3] |= 1
    dead.harbour[0] |= 1
    worths = [capone.expected_wealth(state)[0] for state in (dead, jailed, free)]
    assert worths == sorted(worths)
    assert len(set(worths)) == 3


def test_cotton_club_values_income_more_in_early_rounds() -> None:
    assert cotton_club.CARD_WORTH[0][22] > cotton_club.CARD_WORTH[5][22]  # G06: two income icons, nothing else
