"""The course of a round: phases, events laid out, income, turn order, filling."""

from __future__ import annotations

import pytest

from engines.cotton_club.tables import EVENTS, TYPES
from tests.engines.cotton_club.arranging import (
    act,
    begun,
    changed,
    hold,
    legal,
    loans_until_round,
    own,
    pass_phase_1,
    set_level,
    set_money,
    set_row,
)


def test_round_one_begins_with_actions_and_resolves_nothing() -> None:
    """CC 3"""
    state = begun()
    view = state.observe(None)
    assert (view["round"], view["phase"], view["event_row"]) == (1, "actions", [])
    loans_until_round(state, 2)
    assert state.used_events == ()


def test_later_rounds_begin_with_events_and_six_rounds_are_the_most() -> None:
    """CC 3"""
    state = begun()
    for number in range(2, 7):
        loans_until_round(state, number)
        view = state.observe(None)
        assert (view["phase"], view["last_round"], len(view["event_row"])) == ("events", number == 6, 1)
    pass_phase_1(state)
    act(state, *["loan"] * 9)
    assert state.to_act is None
    assert state.outcome().ending == "six_rounds"  # type: ignore[union-attr]


def test_the_pile_begins_the_row_and_seats_add_to_the_right_in_turn_order() -> None:
    """CC 4"""
    state = loans_until_round(begun(), 2)
    top = state.deal.event_pile[0]
    first, second, third = state.turn_order
    for seat in range(3):
        hold(state, seat, f"E0{seat + 1}")
    act(state, f"add E0{first + 1}", "pass", f"add E0{third + 1}")
    assert state.event_row == ((None, top), (first, first), (third, third))
    assert [len(hand) for hand in state.hands] == [int(seat == second) for seat in range(3)]


def test_adding_is_a_choice_among_the_hand_with_equal_copies_once() -> None:
    """CC 4"""
    state = loans_until_round(begun(), 2)
    hold(state, state.to_act or 0, "E20", "E20", "E02")
    assert legal(state) == ["pass", "add E02", "add E20"]


def test_a_seat_without_events_is_not_asked() -> None:
    """CC 4"""
    state = begun()
    for seat in (0, 2):
        hold(state, seat)
    loans_until_round(state, 2)
    assert state.to_act == 1
    act(state, "pass")
    assert state.observe(0)["phase"] == "actions"


def test_nobody_with_events_means_no_phase_1_choices() -> None:
    """CC 4"""
    state = begun()
    for seat in range(3):
        hold(state, seat)
    loans_until_round(state, 2)
    assert state.observe(0)["phase"] == "actions"
    assert len(state.event_row) == 1


def test_income_counts_icons_and_the_event_pile() -> None:
    """CC 7.1"""
    state = begun()
    own(state, 0, "G06", "A05")  # 2 + 1 income icons
    act(state, *["loan"] * 8)
    for seat in range(3):
        set_money(state, seat, 10)
    act(state, "loan")
    assert state.money == [18, 15, 20]


def test_income_from_the_pile_falls_by_one_each_round() -> None:
    """CC 7.1"""
    state = begun()
    state.deal = state.deal.__class__(
        state.deal.first_seat, state.deal.piles, tuple(range(13, 18)), state.deal.hands
    )  # events that need cards: nobody has any
    gains = []
    for number in range(1, 7):
        loans_until_round(state, number)
        pass_phase_1(state)
        act(state, *["loan"] * 8)
        seat = state.turn_order[0]
        set_money(state, seat, 1)
        act(state, "loan")
        gains.append(state.money[seat] - 1)
    assert gains == [5, 4, 3, 2, 1, 0]


def test_pawns_come_home() -> None:
    """CC 7.2"""
    state = begun()
    act(state, *["tip-off"] * 3, *["loan"] * 6, *["loan"] * 3)
    view = state.observe(0)
    assert view["round"] == 2
    assert {pawn for place in view["board"].values() for pawn in place} == {None}
    assert [club["pawns"] for club in view["clubs"]] == [3, 3, 3]


def test_the_turn_order_becomes_the_order_on_initiative() -> None:
    """CC 7.3"""
    state = begun()
    set_level(state, "initiative", 1, 3)
    set_level(state, "initiative", 2, 5)
    set_level(state, "initiative", 0, 3)  # above seat 1
    loans_until_round(state, 2)
    assert state.turn_order == (2, 0, 1)
    assert state.to_act == 2


def test_rows_slide_left_and_are_filled_from_their_piles() -> None:
    """CC 7.4"""
    state = begun()
    set_money(state, 0, 30)
    row = list(state.observe(0)["rows"]["gangsters"])
    act(state, f"take {row[1]}")
    loans_until_round(state, 2)
    view = state.observe(0)
    assert view["rows"]["gangsters"][:3] == [row[0], row[2], row[3]]
    assert view["rows"]["gangsters"][3] == view["shown"]["gangsters"][4]
    assert view["piles"]["gangsters"] == 12


def test_a_gap_that_cannot_be_filled_makes_the_next_round_the_last() -> None:
    """CC 7.4"""
    state = begun(4)
    state.shown[1] = 15
    set_row(state, "G01")
    loans_until_round(changed(state), 2)
    assert state.last_round
    assert len(state.rows[1]) == 3
    pass_phase_1(state)
    act(state, *["loan"] * 12)
    assert state.outcome().ending == "empty_pile"  # type: ignore[union-attr]


def test_a_pile_emptied_exactly_does_not_end_the_game() -> None:
    """CC 7.4"""
    state = begun(4)
    state.shown[1] = 14
    set_row(state, "G01")
    loans_until_round(changed(state), 2)
    assert state.observe(0)["piles"]["gangsters"] == 0
    assert len(state.rows[1]) == 4
    assert not state.last_round


@pytest.mark.parametrize("seats", [2, 3])
def test_with_two_or_three_seats_no_round_is_lost(seats: int) -> None:
    """CC 7.4: three cards a round leave one card for three gaps before round 6, which is the last anyway."""
    state = begun(seats)
    while state.round < 5:
        state.shown = [4] * len(TYPES)
        loans_until_round(state, state.round + 1)
    state.shown[1] = 16
    set_row(state, "G01")
    loans_until_round(changed(state), 6)
    assert len(state.rows[1]) < 4
    while state.to_act is not None:
        state.apply(state.legal_actions()[0])
    assert state.outcome().ending == "six_rounds"  # type: ignore[union-attr]


def test_the_last_round_has_income_and_turn_order_but_no_filling() -> None:
    """CC 7.5"""
    state = begun()
    state.last_round = True
    own(state, 0, "G06")
    set_level(state, "initiative", 2, 4)
    set_row(state, "G01", "G02")
    rows = list(state.rows)
    act(state, *["loan"] * 8)
    set_money(state, 0, 0)
    act(state, "loan")
    assert state.to_act is None
    assert state.money[0] == 2 + 5
    assert state.turn_order == (2, 0, 1)
    assert state.rows == rows
    assert state.round == 1


def test_no_event_stays_in_the_row_when_the_game_is_over() -> None:
    """CC 6.4"""
    state = pass_phase_1(loans_until_round(begun(), 6))
    act(state, *["loan"] * 9)
    view = state.observe(None)
    assert (view["phase"], view["event_row"], view["event_pile"]) == ("over", [], 0)
    assert [used["round"] for used in view["used_events"]] == [2, 3, 4, 5, 6]


def test_events_used_are_listed_with_round_and_giver() -> None:
    """CC 6.4"""
    state = loans_until_round(begun(), 2)
    seat = state.to_act or 0
    hold(state, seat, "E14")
    act(state, "add E14")
    pass_phase_1(state)
    loans_until_round(state, 3)
    used = state.observe(0)["used_events"]
    pile = EVENTS[state.deal.event_pile[0]].id
    assert used == [{"round": 2, "by": None, "event": pile}, {"round": 2, "by": seat, "event": "E14"}]
    assert "E14" not in state.observe(None)["hands"][seat]
