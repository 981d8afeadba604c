"""Pawns: what can be done in full, what pays for it, and what the actions do."""

from __future__ import annotations

import pytest

from engines import IllegalAction
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import CARDS
from tests.engines.cotton_club.arranging import (
    act,
    begun,
    changed,
    clear_rows,
    clubs,
    fill_board,
    hold,
    legal,
    level,
    loans_until_round,
    occupy,
    order,
    own,
    pass_phase_1,
    set_level,
    set_money,
    set_row,
)


def takes(state: CottonClubState) -> list[str]:
    """The cards that can be taken."""
    return [text for text in legal(state) if text.startswith("take")]


def test_seats_place_in_turn_order_three_times_round() -> None:
    """CC 5.1"""
    state = begun()
    asked = []
    while state.round == 1:
        asked.append(state.to_act)
        act(state, "loan")
    assert asked == [0, 1, 2] * 3


def test_a_pawn_goes_to_the_uppermost_free_space() -> None:
    """CC 5.1"""
    state = begun()
    set_row(state, "A01", "A02", "A03")
    for seat in range(3):
        set_money(state, seat, 20)
    act(state, "take A02", "take A01", "take A03")
    assert state.observe(0)["board"]["artists"] == [0, 1, 2]
    assert state.money == [17, 15, 14]  # no penalty, 1, 2


def test_a_full_action_is_closed() -> None:
    """CC 5.1"""
    state = begun()
    fill_board(state)
    assert legal(state) == ["loan"]
    with pytest.raises(IllegalAction, match="no free space"):
        act(state, "tip-off")


def test_an_action_without_cards_is_closed_and_loan_never_is() -> None:
    """CC 5.1"""
    state = begun()
    clear_rows(state)
    set_money(state, 0, 0)
    assert legal(state) == ["loan", "tip-off"]


def test_nobody_may_pass() -> None:
    """CC 5.1"""
    state = begun()
    with pytest.raises(IllegalAction, match="pass: seat 0 has to choose what to do with a pawn"):
        act(state, "pass")


def test_penalty_and_price_must_both_be_payable() -> None:
    """CC 5.1"""
    state = begun()
    set_row(state, "A12")
    occupy(state, "artists", 1)
    set_money(state, 0, 7)
    with pytest.raises(IllegalAction, match=r"A12 costs \$7 and seat 0 has \$6 after"):
        act(state, "take A12")
    set_money(state, 0, 8)
    act(state, "take A12")
    assert state.money[0] == 0


def test_the_rulebooks_artist_example() -> None:
    """CC 5.1: Ethel Waters, Willie Bryant and Bill Robinson are hired with penalties of 0, 1 and 2 dollars."""
    state = begun()
    set_row(state, "A12", "A14", "A08")
    for seat in range(3):
        set_money(state, seat, 10)
    act(state, "take A12", "take A14", "take A08")
    assert state.money == [3, 1, 2]


def test_money_from_the_space_can_pay() -> None:
    """CC 5.2"""
    state = begun()
    set_row(state, "I02")
    set_money(state, 0, 1)
    assert "take I02" in legal(state)
    occupy(state, "improvements", 1)
    assert "take I02" not in legal(state)


def test_an_initiative_bonus_triggered_by_the_space_can_pay() -> None:
    """CC 5.2: the top space of gangsters lifts initiative to 4, which gives the dollar that is lacking."""
    state = begun()
    set_row(state, "G01")
    set_money(state, 0, 1)
    set_level(state, "initiative", 0, 3)
    act(state, "take G01")
    assert state.money[0] == 0
    state = begun()
    set_row(state, "G01")
    set_money(state, 0, 1)
    set_level(state, "initiative", 0, 2)
    assert "take G01" not in legal(state)


def test_a_bonus_already_paid_does_not_pay_again() -> None:
    """CC 5.2"""
    state = begun()
    set_row(state, "G01")
    set_money(state, 0, 1)
    set_level(state, "initiative", 0, 3)
    state.bonuses[0] = 1
    assert "take G01" not in legal(changed(state))


def test_the_cards_own_bonus_cannot_pay_for_it() -> None:
    """CC 5.2: Legs Diamond would lift initiative to 4 and bring a dollar, too late to pay his 3."""
    state = begun()
    set_row(state, "G04")
    occupy(state, "gangsters", 1)
    set_money(state, 0, 2)
    set_level(state, "initiative", 0, 2)
    assert "take G04" not in legal(state)
    set_money(state, 0, 3)
    act(state, "take G04")
    assert state.money[0] == 1


def test_influence_from_the_space_can_pay() -> None:
    """CC 5.2"""
    state = begun()
    set_row(state, "C01")
    set_level(state, "influence", 0, 6)
    act(state, "take C01")
    assert level(state, "influence", 0) == 0


def test_influence_gained_beyond_the_end_of_the_track_does_not_pay() -> None:
    """CC 5.2"""
    state = begun()
    set_row(state, "C16")  # costs 13
    set_level(state, "influence", 0, 12)
    assert "take C16" not in legal(state)


def test_an_influence_penalty_must_be_covered_by_the_level() -> None:
    """CC 5.2"""
    state = begun()
    set_row(state, "C01")
    occupy(state, "celebrities", 1, 2)
    own(state, 0, "S17", "S05", "S10", "A06", "A15")
    assert level(state, "influence", 0) == 0
    with pytest.raises(IllegalAction, match="can't pay the penalty"):
        act(state, "take C01")
    set_level(state, "influence", 0, 1)
    act(state, "take C01")
    assert (level(state, "influence", 0), state.reputation[0]) == (0, 5)


def test_the_price_in_influence_must_be_covered_after_the_penalty() -> None:
    """CC 5.2"""
    state = begun()
    set_row(state, "C01")
    occupy(state, "celebrities", 1, 2)
    set_level(state, "influence", 0, 7)
    assert "take C01" not in legal(state)
    set_level(state, "influence", 0, 8)
    assert "take C01" in legal(state)


def test_a_criminality_penalty_can_always_be_taken() -> None:
    """CC 5.2"""
    state = begun()
    set_row(state, "G01")
    occupy(state, "gangsters", 1, 2)
    set_level(state, "criminality", 0, 12)
    act(state, "take G01")
    assert state.reputation[0] == 5 - 2  # 1 for the space, 1 for the card


def test_lucky_luciano_costs_eight_and_lifts_criminality_and_initiative_by_two() -> None:
    """CC 5.3"""
    state = begun()
    set_row(state, "G16")
    occupy(state, "gangsters", 1)
    set_money(state, 0, 10)
    act(state, "take G16")
    assert state.money[0] == 2
    assert (level(state, "initiative", 0), level(state, "criminality", 0)) == (2, 2)
    assert clubs(state, 0) == ["G16"]
    assert state.observe(1)["clubs"][0]["end_reputation"] == 2


def test_tracks_change_in_the_order_influence_initiative_criminality() -> None:
    """CC 5.3: a bonus in influence comes after the card's own influence and before criminality overflows."""
    state = begun()
    set_row(state, "G17")  # +1 initiative, +3 criminality
    occupy(state, "gangsters", 1)
    set_money(state, 0, 9)
    set_level(state, "initiative", 0, 3)
    set_level(state, "criminality", 0, 12)
    act(state, "take G17")
    assert state.money[0] == 1
    assert state.reputation[0] == 5 - 3


def test_smuggling_needs_weapons_owned_before_and_keeps_them() -> None:
    """CC 5.3"""
    state = begun()
    set_row(state, "S07")
    own(state, 0, "G01")
    with pytest.raises(IllegalAction, match="S07 needs 2 weapons and seat 0 has 1"):
        act(state, "take S07")
    own(state, 0, "I15")  # a doorman: security counts
    act(state, "take S07")
    assert state.weapons[0] == 2
    assert state.money[0] == 3


def test_gloria_swanson_with_one_beer_and_three_singers_costs_seven() -> None:
    """CC 5.4"""
    state = begun()
    set_row(state, "C12")
    own(state, 0, "S01", "A01", "A13")  # 1 beer; 1 + 2 singers
    occupy(state, "celebrities", 1)
    set_level(state, "influence", 0, 6)
    with pytest.raises(IllegalAction, match="C12 costs 7 influence and seat 0 has 6"):
        act(state, "take C12")
    set_level(state, "influence", 0, 8)
    act(state, "take C12")
    assert level(state, "influence", 0) == 1


def test_icons_that_are_not_preferred_lower_nothing() -> None:
    """CC 5.4"""
    state = begun()
    set_row(state, "C12")
    own(state, 0, "S17", "S15", "A07")  # wine, whisky, dancer
    occupy(state, "celebrities", 1)
    set_level(state, "influence", 0, 11)
    assert "take C12" not in legal(state)


def test_a_price_is_never_below_zero() -> None:
    """CC 5.4"""
    state = begun()
    set_row(state, "C01")
    own(state, 0, "S17", "S05", "S10", "A06", "A15")  # 7 wine and 2 musicians against a price of 7
    act(state, "take C01")
    assert level(state, "influence", 0) == 1  # from the space


def test_celebrities_own_icons_never_count() -> None:
    """CC 5.4"""
    state = begun()
    own(state, 0, "C12", "C13", "C15")
    assert state.prices[0] == state.prices[1]
    assert state.observe(0)["clubs"][0]["icons"] == dict.fromkeys(state.observe(0)["clubs"][0]["icons"], 0)


def test_a_celebrity_changes_criminality_after_the_price() -> None:
    """CC 5.4: Dewey lowers criminality by 2; a step below 0 is reputation."""
    state = begun()
    set_row(state, "C11")
    set_level(state, "influence", 0, 11)
    set_level(state, "criminality", 0, 1)
    act(state, "take C11")
    assert level(state, "criminality", 0) == 0
    assert state.reputation[0] == 6


def test_an_improvement_offers_its_options_and_each_must_be_payable() -> None:
    """CC 5.5"""
    state = begun()
    clear_rows(state)
    set_row(state, "I08", "I12")
    set_money(state, 0, 1)
    assert takes(state) == ["take I08 A", "take I12", "take I08 B"]
    set_money(state, 0, 0)
    assert takes(state) == ["take I08 B"]


def test_option_a_and_option_b_do_different_things() -> None:
    """CC 5.5"""
    state = begun()
    set_row(state, "I08")
    set_level(state, "criminality", 0, 3)
    other = state.copy()
    act(state, "take I08 A")
    assert (state.money[0], level(state, "criminality", 0), level(state, "influence", 0)) == (5, 1, 0)
    act(other, "take I08 B")
    assert (other.money[0], level(other, "criminality", 0), level(other, "influence", 0)) == (7, 4, 2)
    assert other.observe(1)["clubs"][0]["options"] == {"I08": "B"}


def test_an_improvement_without_option_b_has_one_choice() -> None:
    """CC 5.5"""
    with_b = {card.id for card in CARDS if len(card.options) == 2}
    assert with_b == {"I01", "I04", "I08", "I09", "I10", "I11"}


def test_an_improvement_pays_before_its_initiative_bonus() -> None:
    """CC 5.5: dollars come first, so the bonus of level 4 can't pay."""
    state = begun()
    set_row(state, "I02")  # -2 dollars, +3 initiative
    occupy(state, "improvements", 1)
    set_level(state, "initiative", 0, 1)
    set_money(state, 0, 1)
    assert "take I02" not in legal(state)
    set_money(state, 0, 2)
    act(state, "take I02")
    assert state.money[0] == 1


def test_security_and_reforms_bring_weapons_and_end_reputation() -> None:
    """CC 5.5"""
    state = begun()
    set_row(state, "I17")
    act(state, "take I17")
    club = state.observe(0)["clubs"][0]
    assert (club["weapons"], club["end_reputation"], club["cards"]) == (2, 1, ["I17"])


def test_a_loan_gives_five_dollars_and_one_criminality_to_any_number_of_pawns() -> None:
    """CC 5.6"""
    state = begun()
    act(state, *["loan"] * 7)
    assert state.observe(0)["board"]["loan"] == [0, 1, 2, 0, 1, 2, 0]
    assert (state.money[0], level(state, "criminality", 0)) == (6 + 15, 3)


def test_a_tip_off_shows_the_whole_row_to_that_seat_alone() -> None:
    """CC 5.7"""
    state = loans_until_round(begun(), 2)
    first = state.to_act or 0
    hold(state, (first + 1) % 3, "E14")
    act(state, "pass", "add E14", "pass")
    assert [entry["event"] for entry in state.observe(first)["event_row"]] == [None, None]
    act(state, "tip-off")
    seen = state.observe(first)["event_row"]
    assert seen == state.observe(None)["event_row"]
    assert [entry["event"] for entry in state.observe((first + 2) % 3)["event_row"]] == [None, None]


def test_tip_off_pawns_move_from_the_top_space_on() -> None:
    """CC 5.7"""
    state = begun()
    act(state, "loan", "tip-off", "loan", "tip-off", "loan", "loan", "loan", "loan", "tip-off")
    moved = []
    while state.round == 1:
        view = state.observe(0)
        assert (view["phase"], view["pending"]) == ("tip_offs", "move_tip_off")
        moved.append((state.to_act, view["board"]["tip-off"]))
        act(state, "loan")
    assert moved == [(1, [1, 0, 2]), (0, [None, 0, 2]), (2, [None, None, 2])]


def test_a_tip_off_pawn_must_move_to_another_action() -> None:
    """CC 5.7"""
    state = begun()
    clear_rows(state)
    act(state, "tip-off", *["loan"] * 8)
    assert legal(state) == ["loan"]
    with pytest.raises(IllegalAction):
        act(state, "tip-off")


def test_a_moved_pawn_takes_the_space_effect_and_is_done_before_the_next() -> None:
    """CC 5.7: the second pawn finds the next space, and what the first has left of the row."""
    state = begun()
    set_row(state, "I05", "I12")
    act(state, "tip-off", "tip-off", *["loan"] * 7)
    money = list(state.money)
    act(state, "take I05")
    assert state.money[0] == money[0] + 1 - 3
    assert state.to_act == 1
    assert takes(state)[0] == "take I12"
    act(state, "take I12")
    assert state.round == 2


def test_one_seat_may_move_several_pawns() -> None:
    """CC 5.7"""
    state = begun()
    act(state, *["tip-off", "loan", "loan"] * 3)
    assert state.to_act == 0
    act(state, "loan", "loan")
    assert (state.to_act, state.round) == (0, 1)
    act(state, "loan")
    assert state.round == 2
    assert level(state, "criminality", 0) == 3


def test_a_tip_off_in_round_one_shows_nothing() -> None:
    """CC 5.7"""
    state = begun()
    act(state, "tip-off")
    view = state.observe(0)
    assert view["event_row"] == []
    assert not view["clubs"][0]["tipped_off"]


def test_cards_are_not_replaced_before_phase_4() -> None:
    """CC 5.8"""
    state = begun()
    row = state.observe(0)["rows"]["improvements"]
    set_money(state, 0, 20)
    act(state, next(text for text in takes(state) if row[0] in text), "loan")
    assert state.observe(0)["rows"]["improvements"] == row[1:]
    assert state.observe(0)["piles"]["improvements"] == 13


def test_each_modifier_is_a_move_of_its_own() -> None:
    """CC 5.3: seat 0 lands on the level of seat 1 by its second change and lies on top."""
    state = begun()
    set_row(state, "G01")
    occupy(state, "gangsters", 1, 2)
    set_level(state, "criminality", 0, 1)
    set_level(state, "criminality", 1, 3)
    act(state, "take G01")
    assert order(state, "criminality") == [0, 1, 2]


def test_knowing_the_row_ends_with_its_resolution() -> None:
    """CC 5.7"""
    state = pass_phase_1(loans_until_round(begun(), 2))
    first = state.to_act or 0
    act(state, "tip-off", *["loan"] * 8, "loan")
    assert state.round == 3
    assert not state.observe(first)["clubs"][first]["tipped_off"]
    assert state.observe(first)["event_row"] == [{"by": None, "event": None}]
