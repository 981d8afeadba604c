"""Every kind of event, and how events measure and pay."""

from __future__ import annotations

import pytest

from engines.cotton_club.events import resolve
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import EVENT_NUMBERS, EVENTS
from tests.engines.cotton_club.arranging import (
    act,
    begun,
    level,
    loans_until_round,
    order,
    own,
    pass_phase_1,
    set_level,
    set_money,
)


def happen(state: CottonClubState, event: str) -> CottonClubState:
    """Resolve one event for all seats."""
    resolve(state, EVENTS[EVENT_NUMBERS[event]])
    return state


DRINKS = [("E01", "S05", "S02", "S17"), ("E02", "S04", "S01", "S16"), ("E03", "S07", "S06", "S15")]
ARTISTS = [("E04", "A02", "A04", "A07"), ("E05", "A16", "A03", "A06"), ("E06", "A13", "A01", "A05")]


@pytest.mark.parametrize(("event", "two", "one", "other"), DRINKS)
def test_secret_stash_gives_reputation_for_each_drink(event: str, two: str, one: str, other: str) -> None:
    """CC 6"""
    state = begun()
    own(state, 0, two, one, "A01", "G01")
    own(state, 1, other, "C12")
    happen(state, event)
    assert state.reputation == [5 + 3, 5 + 3, 5]


@pytest.mark.parametrize(("event", "first", "second", "other"), ARTISTS)
def test_jazz_time_gives_reputation_for_each_artist_icon(event: str, first: str, second: str, other: str) -> None:
    """CC 6"""
    state = begun()
    own(state, 1, first, second, "S17")
    own(state, 2, other)
    happen(state, event)
    assert state.reputation == [5, 5 + (2 if event == "E04" else 3), 6]


@pytest.mark.parametrize(
    ("event", "card", "icons"),
    [("E07", "S17", 3), ("E08", "S16", 3), ("E09", "S15", 3), ("E10", "A07", 1), ("E11", "A16", 2), ("E12", "A13", 2)],
)
def test_prohibition_and_live_music_give_two_dollars_for_each_icon(event: str, card: str, icons: int) -> None:
    """CC 6"""
    state = begun()
    own(state, 0, card)
    happen(state, event)
    assert state.money == [6 + 2 * icons, 7, 8]


def test_second_amendment_gives_two_dollars_for_each_weapon() -> None:
    """CC 6"""
    state = begun()
    own(state, 0, "G07", "I16")
    set_money(state, 1, 29)
    own(state, 1, "G01")
    happen(state, "E13")
    assert state.money == [16, 30, 8]


@pytest.mark.parametrize(("event", "cards"), [("E14", "A01 A02"), ("E15", "S01 S02"), ("E16", "C01 C02")])
def test_the_most_cards_of_a_type_give_three_reputation(event: str, cards: str) -> None:
    """CC 6"""
    state = begun()
    own(state, 0, cards.split()[0], "I01", "I02", "I03")
    own(state, 2, *cards.split())
    happen(state, event)
    assert state.reputation == [5, 5, 8]


def test_cosa_nostra_gives_five_dollars_for_the_most_gangsters() -> None:
    """CC 6"""
    state = begun()
    own(state, 0, "G01", "G02")
    own(state, 1, "G03")
    happen(state, "E17")
    assert state.money == [11, 7, 8]


def test_all_tied_seats_have_the_most_cards() -> None:
    """CC 6.1"""
    state = begun()
    own(state, 0, "A01")
    own(state, 1, "A02")
    happen(state, "E14")
    assert state.reputation == [8, 8, 5]


@pytest.mark.parametrize("event", ["E14", "E15", "E16", "E17"])
def test_the_most_cards_needs_at_least_one_card(event: str) -> None:
    """CC 6.1"""
    state = happen(begun(), event)
    assert (state.reputation, state.money) == ([5, 5, 5], [6, 7, 8])


def test_more_raids_is_by_level_not_by_stack_and_hits_all_tied_seats() -> None:
    """CC 6.1"""
    state = begun()
    set_level(state, "criminality", 0, 3)
    set_level(state, "criminality", 1, 3)
    happen(state, "E18")
    assert state.reputation == [3, 3, 7]


def test_more_raids_spares_those_between() -> None:
    """CC 6.1"""
    state = begun()
    set_level(state, "criminality", 0, 3)
    set_level(state, "criminality", 1, 2)
    happen(state, "E18")
    assert state.reputation == [3, 5, 7]


@pytest.mark.parametrize("event", ["E18", "E19", "E20"])
def test_most_and_least_do_nothing_if_all_are_equal(event: str) -> None:
    """CC 6.1"""
    state = begun()
    for seat in range(3):
        set_level(state, "criminality", seat, 4)
        own(state, seat, f"G1{seat}" if seat else "G08")
        state.weapons[seat] = 1
    happen(state, event)
    assert state.reputation == [5, 5, 5]
    assert [level(state, "influence", seat) for seat in range(3)] == [0, 1, 2]


def test_police_tribute_moves_influence_both_ways() -> None:
    """CC 6.1"""
    state = begun()
    set_level(state, "criminality", 2, 1)
    happen(state, "E19")
    assert [level(state, "influence", seat) for seat in range(3)] == [2, 3, 0]


def test_mob_shooting_rewards_the_most_weapons_and_shames_the_fewest() -> None:
    """CC 6.1"""
    state = begun()
    own(state, 0, "G07")
    own(state, 1, "G01")
    happen(state, "E20")
    assert state.reputation == [7, 5, 4]


def test_an_event_measures_after_the_one_before_it() -> None:
    """CC 6.1"""
    state = begun()
    own(state, 0, "A01")
    set_money(state, 0, 0)
    happen(state, "E12")
    happen(state, "E21")
    assert (state.money[0], state.reputation[0]) == (0, 5 - 3)  # 2 dollars from the song, 6 lacking


def test_changes_are_applied_in_turn_order() -> None:
    """CC 6.2: both rise to level 3; who comes later in the turn order lies on top."""
    for turn_order, first in (((0, 1, 2), 1), ((1, 0, 2), 0)):
        state = begun()
        state.turn_order = turn_order
        set_level(state, "influence", 0, 1)
        set_level(state, "influence", 1, 1)
        set_level(state, "influence", 2, 0)
        set_level(state, "criminality", 2, 5)
        happen(state, "E19")
        assert [level(state, "influence", seat) for seat in range(3)] == [3, 3, 0]
        assert order(state, "influence")[0] == first


@pytest.mark.parametrize(
    ("money", "weapons", "money_after", "reputation"),
    [
        (10, 0, 2, 5),
        (8, 0, 0, 5),
        (7, 0, 0, 5),
        (5, 0, 0, 4),
        (0, 0, 0, 1),
        (3, 3, 1, 5),
        (0, 3, 0, 4),
        (0, 4, 0, 5),
        (4, 6, 4, 5),
    ],
)
def test_night_theft_takes_cash_and_then_reputation_for_each_full_lack(
    money: int, weapons: int, money_after: int, reputation: int
) -> None:
    """CC 6.3"""
    state = begun()
    set_money(state, 0, money)
    state.weapons[0] = weapons
    happen(state, "E21")
    assert (state.money[0], state.reputation[0]) == (money_after, reputation)


def test_police_tribute_below_zero_costs_reputation() -> None:
    """CC 6.3"""
    state = begun()
    set_level(state, "criminality", 1, 2)
    happen(state, "E19")  # seat 1 has influence 1
    assert (level(state, "influence", 1), state.reputation[1]) == (0, 4)


def test_events_are_resolved_from_left_to_right_at_the_end_of_phase_2_and_leave_the_game() -> None:
    """CC 6.4"""
    state = loans_until_round(begun(), 2)
    pass_phase_1(state)
    state.event_row = ((None, EVENT_NUMBERS["E21"]), (2, EVENT_NUMBERS["E13"]))
    own(state, 0, "G01")
    act(state, *["loan"] * 8)
    for seat in range(3):
        set_money(state, seat, 0)
    reputation = list(state.reputation)
    act(state, "loan")
    # Theft first: seat 0 lacks 6 dollars; the weapon pays 2 dollars only afterwards. The last loan was seat 2's.
    assert state.reputation[0] == reputation[0] - 3
    assert state.money[0] == 2 + 4
    assert [event for _, _, event in state.used_events] == [EVENT_NUMBERS["E21"], EVENT_NUMBERS["E13"]]
    assert len(state.event_row) == 1
