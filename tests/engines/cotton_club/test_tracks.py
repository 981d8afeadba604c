"""Tracks: ends, stacks, bonuses, money."""

from __future__ import annotations

import pytest

from engines.cotton_club.tables import Change
from engines.cotton_club.tracks import CRIMINALITY, INFLUENCE, INITIATIVE, change, move
from tests.engines.cotton_club.arranging import (
    act,
    begun,
    level,
    order,
    own,
    set_level,
    set_money,
    set_row,
)


@pytest.mark.parametrize(
    ("track", "start", "steps", "ends_at", "reputation"),
    [
        (INFLUENCE, 11, 3, 12, 2),
        (INITIATIVE, 11, 3, 12, 2),
        (CRIMINALITY, 11, 3, 12, -2),
        (INFLUENCE, 1, -3, 0, -2),
        (INITIATIVE, 1, -3, 0, -2),
        (CRIMINALITY, 1, -3, 0, 2),
        (CRIMINALITY, 12, 1, 12, -1),
    ],
)
def test_a_step_beyond_an_end_becomes_reputation(
    track: int, start: int, steps: int, ends_at: int, reputation: int
) -> None:
    """CC 1.1"""
    state = begun()
    state.bonuses[1] = 3
    state.levels[track + 1] = start
    move(state, track, 1, steps)
    assert state.levels[track + 1] == ends_at
    assert state.reputation == [5, 5 + reputation, 5]


def test_reputation_starts_at_five_and_can_go_below_zero() -> None:
    """CC 1.2"""
    state = begun()
    assert state.reputation == [5, 5, 5]
    set_level(state, "criminality", 0, 12)
    move(state, CRIMINALITY, 0, 9)
    assert state.reputation[0] == -4


def test_money_beyond_thirty_is_lost() -> None:
    """CC 1.2"""
    state = begun()
    set_money(state, 0, 28)
    act(state, "loan")
    assert state.money[0] == 30


def test_a_disc_that_moves_to_a_level_goes_on_top() -> None:
    """CC 1.3"""
    state = begun()
    assert order(state, "criminality") == [0, 1, 2]
    act(state, "loan", "loan")
    assert order(state, "criminality") == [1, 0, 2]
    act(state, "loan")
    assert order(state, "criminality") == [2, 1, 0]


def test_the_higher_level_is_first_whatever_the_stacks() -> None:
    """CC 1.3"""
    state = begun()
    set_level(state, "initiative", 2, 5)
    set_level(state, "initiative", 1, 4)
    set_level(state, "initiative", 0, 4)
    assert order(state, "initiative") == [2, 0, 1]


def test_a_disc_that_leaves_a_level_and_comes_back_lies_on_top() -> None:
    """CC 1.3: the space gives 1 influence, the price of 1 takes it away again."""
    state = begun()
    set_level(state, "influence", 0, 6)
    set_level(state, "influence", 1, 6)
    set_row(state, "C12")
    own(state, 0, "S16", "S09", "A01")  # five beers, doubled, and a singer: 12 - 11 = 1
    act(state, "take C12")
    assert level(state, "influence", 0) == 6
    assert order(state, "influence") == [0, 1, 2]


def test_a_change_of_zero_is_no_move() -> None:
    """CC 1.3"""
    state = begun()
    change(state, 2, Change(usd=1))
    for track in (INFLUENCE, INITIATIVE, CRIMINALITY):
        move(state, track, 2, 0)
    assert order(state, "initiative") == order(state, "criminality") == [0, 1, 2]


def test_a_price_of_zero_is_no_move() -> None:
    """CC 1.3: a celebrity that costs nothing leaves the disc where it lies."""
    state = begun()
    own(state, 0, "S17", "S05", "S10", "A06", "A15")
    for seat in (0, 1):
        set_level(state, "influence", seat, 3)
    set_row(state, "C01")
    act(state, "tip-off", "tip-off", "tip-off", "loan", "loan", "loan", "loan", "loan", "loan")
    state.pawns[4] = (2,)  # the second space of celebrities has no effect
    act(state, "take C01")
    assert level(state, "influence", 0) == 3
    assert order(state, "influence")[:2] == [1, 0]


def test_a_step_that_became_reputation_is_no_move() -> None:
    """CC 1.3"""
    state = begun()
    set_level(state, "criminality", 0, 12)
    set_level(state, "criminality", 1, 12)
    act(state, "loan")
    assert order(state, "criminality") == [1, 0, 2]
    assert state.reputation[0] == 4


@pytest.mark.parametrize(
    ("start", "steps", "usd", "influence", "reputation"),
    [(0, 3, 0, 0, 0), (3, 1, 1, 0, 0), (3, 3, 1, 1, 0), (3, 5, 1, 1, 1), (7, 1, 1, 1, 1), (5, 1, 1, 1, 0)],
)
def test_initiative_bonuses_are_paid_when_reached_or_passed(
    start: int, steps: int, usd: int, influence: int, reputation: int
) -> None:
    """CC 1.4: a bonus not yet paid at or below the level reached is paid too."""
    state = begun()
    money = state.money[0]
    set_level(state, "initiative", 0, start)
    change(state, 0, Change(initiative=steps))
    assert state.money[0] - money == usd
    assert level(state, "influence", 0) == influence
    assert state.reputation[0] - 5 == reputation


def test_initiative_bonuses_are_paid_once_a_game() -> None:
    """CC 1.4"""
    state = begun()
    change(state, 0, Change(initiative=4))
    assert state.money[0] == 7
    move(state, INITIATIVE, 0, -2)
    change(state, 0, Change(initiative=3))
    assert state.money[0] == 7
    assert state.observe(1)["clubs"][0]["bonuses"] == [4]


def test_the_influence_bonus_at_the_end_of_the_track_is_reputation() -> None:
    """CC 1.4"""
    state = begun()
    set_level(state, "influence", 0, 12)
    change(state, 0, Change(initiative=6))
    assert level(state, "influence", 0) == 12
    assert state.reputation[0] == 6


def test_the_influence_bonus_is_a_move_on_influence() -> None:
    """CC 1.4: it lands on the level of seat 1 and so on top of its disc."""
    state = begun()
    change(state, 0, Change(initiative=6))
    assert order(state, "influence") == [2, 0, 1]
