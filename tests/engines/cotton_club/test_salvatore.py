"""The third player of a game for two."""

from __future__ import annotations

import pytest

from engines import IllegalAction
from engines.cotton_club.tables import SALVATORE, TYPES
from tests.engines.cotton_club.arranging import (
    act,
    begun,
    clear_rows,
    fill_board,
    legal,
    loans_until_round,
    occupy,
    order,
    pass_phase_1,
    set_money,
    set_row,
)


def test_his_first_pawn_stands_on_another_action_each_round() -> None:
    """CC 9.1"""
    state = begun(2)
    stands = []
    for number in range(1, 7):
        pass_phase_1(loans_until_round(state, number))
        board = state.observe(0)["board"]
        stands += [(place, spaces[0]) for place, spaces in board.items() if place != "loan" and spaces[0] is not None]
    places = ["tip-off", "improvements", "gangsters", "smuggling", "artists", "celebrities"]
    assert stands == [(place, -1) for place in places]


def test_he_does_not_stand_on_the_board_before_phase_2() -> None:
    """CC 9.1"""
    state = loans_until_round(begun(2), 2)
    view = state.observe(0)
    assert view["phase"] == "events"
    assert view["board"]["improvements"] == [None, None, None]


def test_the_order_of_placing_with_two_seats() -> None:
    """CC 9.2"""
    state = begun(2)
    asked = []
    while state.round == 1:
        view = state.observe(0)
        asked.append((state.to_act, view["pending"], [club["salvatore_pawns"] for club in view["clubs"]]))
        act(state, "loan" if view["pending"] == "place_pawn" else "salvatore loan")
    own, his = "place_pawn", "place_salvatore"
    assert asked == [
        (0, own, [1, 1]),
        (1, own, [1, 1]),
        (1, his, [1, 1]),
        (0, own, [1, 0]),
        (0, his, [1, 0]),
        (1, own, [0, 0]),
        (0, own, [0, 0]),
        (1, own, [0, 0]),
    ]


def test_a_salvatore_pawn_may_go_to_any_action_with_a_free_space_cards_or_not() -> None:
    """CC 9.3"""
    state = begun(2)
    act(state, "loan", "loan")
    clear_rows(state)
    places = [*TYPES, "tip-off", "loan"]
    assert legal(state) == [f"salvatore {place}" for place in places]
    fill_board(state, but=["artists"])
    assert legal(state) == ["salvatore artists", "salvatore loan"]
    with pytest.raises(IllegalAction, match="gangsters has no free space"):
        act(state, "salvatore gangsters")


def test_a_salvatore_pawn_has_no_effect() -> None:
    """CC 9.3"""
    state = begun(2)
    act(state, "loan", "loan")
    before = list(state.money), list(state.levels), list(state.reputation), list(state.rows)
    act(state, "salvatore loan", "loan", "salvatore gangsters")
    state.money[0] -= 5
    state.levels[8] -= 1
    assert (state.money, state.levels, state.reputation, state.rows) == before
    assert state.observe(0)["board"]["gangsters"] == [-1, None, None]


def test_a_salvatore_pawn_must_be_placed() -> None:
    """CC 9.3"""
    state = begun(2)
    act(state, "loan", "loan")
    for text in ("loan", "pass", "take G01"):
        with pytest.raises(IllegalAction, match="a place for Salvatore's pawn"):
            act(state, text)


def test_a_salvatore_pawn_never_moves_on_from_tip_off() -> None:
    """CC 9.3"""
    state = begun(2)  # his first pawn is on tip-off
    act(state, "loan", "loan", "salvatore tip-off", "tip-off", "salvatore loan", "loan", "loan", "loan")
    assert state.to_act == 0
    assert state.observe(0)["board"]["tip-off"] == [-1, -1, 0]
    act(state, "loan")
    assert state.round == 2


def test_each_of_his_pawns_on_a_card_action_discards_the_leftmost_card_left() -> None:
    """CC 9.4"""
    state = begun(2)
    set_money(state, 0, 20)
    row = state.observe(0)["rows"]["gangsters"]
    act(state, f"take {row[0]}", "loan", "salvatore gangsters", "loan", "salvatore gangsters", "loan", "loan", "loan")
    view = state.observe(1)
    assert view["discarded"] == row[1:3]
    assert view["rows"]["gangsters"][0] == row[3]
    assert len(view["rows"]["gangsters"]) == 4
    assert view["piles"]["gangsters"] == 10


def test_he_discards_as_many_cards_as_are_left() -> None:
    """CC 9.4"""
    state = begun(2)
    act(state, "loan", "loan", "salvatore artists", "loan", "salvatore artists", "loan", "loan")
    set_row(state, "A17")
    act(state, "loan")
    assert state.observe(0)["discarded"] == ["A17"]


def test_he_discards_nothing_in_the_last_round() -> None:
    """CC 9.4"""
    state = begun(2)
    state.last_round = True
    act(state, "loan", "loan", "salvatore artists", "loan", "salvatore loan", "loan", "loan", "loan")
    assert state.to_act is None
    assert state.discarded == ()


def test_his_pawns_do_not_stay_after_the_round() -> None:
    """CC 9.4"""
    state = begun(2)
    act(state, "loan", "loan", "salvatore artists", "loan", "salvatore loan", "loan", "loan", "loan")
    assert all(pawns == () for pawns in state.pawns)


def test_he_counts_in_nothing_else() -> None:
    """CC 9.5"""
    state = begun(2)
    occupy(state, "loan", SALVATORE)
    while state.to_act is not None:
        state.apply(state.legal_actions()[-1])
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.ranks) == len(state.money) == 2
    assert sorted(order(state, "criminality")) == [0, 1]


@pytest.mark.parametrize("seats", [3, 4])
def test_he_does_not_play_with_more_than_two_seats(seats: int) -> None:
    """CC 9.1"""
    state = begun(seats)
    while state.to_act is not None:
        view = state.observe(0)
        assert SALVATORE not in [pawn for place in view["board"].values() for pawn in place]
        assert all(club["salvatore_pawns"] == 0 for club in view["clubs"])
        state.apply(state.legal_actions()[-1])
    assert state.discarded == ()
