"""CA 5: rest places, FBI, Protection, Takeover, prison and Offer."""

from __future__ import annotations

import pytest

from engines.capone.position import BAIL
from tests.engines.capone.table import Table, turns

REST_PLACES = ("penthouse", "barber", "restaurant")


def with_card(card: str, *, seats: int = 3) -> Table:
    """Seat 0 holds the card and another; the others hold bars."""
    return turns([f"{card} bar", *["bar bar"] * (seats - 1)], seats=seats)


@pytest.mark.parametrize("place", REST_PLACES)
def test_a_rest_card_moves_another_familys_member_from_an_illegal_site_to_that_place(place: str) -> None:
    """CA 5.1"""
    table = with_card(place)
    table.station(0, "bar1", "lawyer")
    table.station(1, "bank1", "don", guards=2)
    table.rest(2, "barber", "novice")
    table.do(f"use {place}")
    assert table.legal() == ["move 1 don"]
    table.do("move 1 don")
    assert table.site("bank1") == {"owner": 1, "members": [], "guards": 2, "total": 10}
    assert {"seat": 1, "member": "don"} in table.state.observe(2)["rests"][place]


def test_a_rest_place_has_room_for_all_and_keeps_them_till_year_end_without_income() -> None:
    """CA 5.1"""
    table = with_card("barber")
    table.station(1, "bank1", "don")
    table.rest(1, "barber", "mamma")
    table.do("use barber", "move 1 don")
    assert table.state.rests[3:6] == [0, 3, 0]
    table.end_year()
    assert table.family(1)["home"] == list(table.family(0)["home"])
    assert table.family(1)["cash"] == 100


def test_bodyguards_alone_give_a_rest_card_no_use() -> None:
    """CA 5.1"""
    table = with_card("penthouse")
    table.station(1, "bank1", guards=6)
    assert table.legal("use") == ["use bar"]


def test_the_fbi_takes_a_member_from_a_site_or_a_rest_place_to_block_3() -> None:
    """CA 5.2"""
    table = with_card("fbi")
    table.station(0, "bar1", "novice")
    table.station(1, "bank1", "accountant", guards=1)
    table.rest(2, "barber", "mamma")
    table.do("use fbi")
    assert table.legal() == ["move 1 accountant", "move 2 mamma"]
    table.do("move 2 mamma")
    assert table.family(2)["prison"] == {"3": ["mamma"], "2": [], "1": []}
    assert table.state.observe(0)["rests"]["barber"] == []


def test_the_fbi_finds_nobody_at_home_or_in_prison() -> None:
    """CA 5.2"""
    table = with_card("fbi")
    table.jail(1, 2, "don")
    assert table.legal("use") == ["use bar"]


@pytest.mark.parametrize(("marker", "price"), list(enumerate([10, 10, 20, 20, 30, 30, 40, 40, 50], 1)))
def test_protection_is_paid_by_the_victims_marker(marker: int, price: int) -> None:
    """CA 5.3"""
    table = with_card("protection")
    table.state.marker[2] = marker
    table.do("use protection", "charge 2")
    assert table.state.cash == [100 + price, 100, 100 - price]
    assert table.state.marker[2] == marker


def test_protection_is_due_from_other_seats_that_have_invested() -> None:
    """CA 5.3"""
    table = with_card("protection", seats=4)
    assert "use protection" not in table.legal()
    table.state.marker[:] = [4, 0, 1, 2]
    table.do("use protection")
    assert table.legal() == ["charge 2", "charge 3"]


def test_a_victim_short_of_cash_sells_one_step_and_keeps_the_rest() -> None:
    """CA 5.3"""
    table = with_card("protection")
    table.state.marker[1] = 3
    table.state.cash[1] = 15
    table.do("use protection", "charge 1")
    assert (table.state.cash[:2], table.state.marker[1]) == ([120, 45], 2)  # 20 by marker 3, not 10 by marker 2


def test_a_victim_with_just_enough_cash_sells_nothing() -> None:
    """CA 5.3"""
    table = with_card("protection")
    table.state.marker[1] = 9
    table.state.cash[1] = 50
    table.do("use protection", "charge 1")
    assert (table.state.cash[1], table.state.marker[1]) == (0, 9)


def test_a_takeover_replaces_pieces_by_ones_of_exactly_the_same_total() -> None:
    """CA 5.4"""
    table = with_card("takeover")
    table.station(1, "bank1", "right_hand", guards=1)
    table.do("use takeover", "at bank1")
    assert table.state.observe(0)["pending"]["exactly"] == 55
    table.do("put collector")
    assert table.legal() == ["guards 3"]
    table.do("guards 3")
    assert table.site("bank1") == {"owner": 0, "members": ["collector"], "guards": 3, "total": 55}


def test_pieces_taken_over_go_home_alive_and_can_be_used_again() -> None:
    """CA 5.4"""
    table = with_card("takeover")
    table.station(1, "bank1", "right_hand", guards=8)
    table.do("use takeover", "at bank1", "put mamma", "put accountant", "guards 0")
    assert (table.family(1)["guards"], table.family(1)["park"], table.family(1)["harbour"]) == (8, 0, [])
    table.do("use bar", "at bar1", "put right_hand", "guards 0")
    assert table.site("bar1")["members"] == ["right_hand"]


def test_a_takeover_needs_an_exact_set_and_never_offers_a_piece_that_spoils_it() -> None:
    """CA 5.4"""
    table = with_card("takeover")
    table.keep_home(0, "mamma right_hand lawyer novice", 1)
    table.station(1, "bank1", "don", guards=1)  # 105: 60 + 40 + 5, nothing else
    table.station(1, "bank2", "right_hand", guards=5)  # 75: 50 + 20 + 5
    table.station(2, "bar1", "collector", guards=3)  # 55: 50 + 5
    table.station(2, "bar2", guards=2)  # 10: nothing
    table.do("use takeover")
    assert table.legal() == ["at bar1", "at bank1", "at bank2"]
    table.do("at bank1")
    assert table.legal() == ["put mamma"]
    table.do("put mamma")
    assert table.legal() == ["put lawyer"]


def test_company_limits_a_takeover_too() -> None:
    """CA 4.4, CA 5.4"""
    table = with_card("takeover")
    table.keep_home(0, "don mamma novice", 0)
    table.station(1, "bank1", "don", guards=4)  # 120 could only be the Don and the Novice
    assert "use takeover" not in table.legal()


def test_a_takeover_does_not_look_at_the_businesss_value() -> None:
    """CA 5.4"""
    table = with_card("takeover")
    table.station(1, "bank1", guards=1)
    table.do("use takeover", "at bank1", "guards 1")
    assert table.site("bank1") == {"owner": 0, "members": [], "guards": 1, "total": 5}


def test_own_and_empty_sites_are_not_taken_over() -> None:
    """CA 5.4"""
    table = with_card("takeover")
    table.station(0, "bank1", "novice")
    assert "use takeover" not in table.legal()


def test_a_bailed_member_is_at_home_at_once_for_its_value() -> None:
    """CA 5.5"""
    table = turns(year=3)
    table.jail(0, 1, "mamma")
    table.do("bail mamma")
    assert table.state.cash[0] == 40
    table.do("use bar", "at bar1", "put mamma", "guards 0")
    assert table.site("bar1")["members"] == ["mamma"]


def test_prisoners_move_a_block_at_year_end_and_block_1_goes_home_free_before_settlement() -> None:
    """CA 5.5"""
    table = turns("bakery", year=3)
    for block, member in ((1, "mamma"), (2, "collector"), (3, "novice")):
        table.jail(0, block, member)
    table.end_year()
    assert table.state.choice == BAIL
    assert table.family(0)["prison"] == {"3": [], "2": ["novice"], "1": ["collector"]}
    assert "mamma" in table.family(0)["home"]
    assert table.state.cash[0] == 100


def test_an_arrest_lasts_the_year_and_two_more() -> None:
    """CA 5.5"""
    table = with_card("fbi")
    table.station(1, "bank1", "novice", guards=1)
    table.do("use fbi", "move 1 novice")
    blocks = []
    for _ in range(4):
        blocks.append([number for number, held in table.state.observe(None)["families"][1]["prison"].items() if held])
        table.end_year()
        table.settle_nothing()
        table.do(*["done"] * 3)
    assert blocks == [["3"], ["2"], ["1"], []]


def test_an_offer_kills_members_and_sends_bodyguards_to_the_park() -> None:
    """CA 5.6"""
    table = with_card("offer")
    table.station(1, "bank1", "don", guards=3)
    table.do("use offer", "at bank1")
    assert table.site("bank1") == {"owner": None, "members": [], "guards": 0, "total": 0}
    assert (table.family(1)["harbour"], table.family(1)["park"]) == (["don"], 3)


def test_an_offer_reaches_own_sites_guards_alone_and_rest_places_and_no_empty_place() -> None:
    """CA 5.6"""
    table = with_card("offer")
    table.station(0, "bar1", "lawyer")
    table.station(1, "bank2", guards=6)
    table.rest(2, "restaurant", "mamma")
    table.do("use offer")
    assert table.legal() == ["at bar1", "at bank2", "at restaurant"]


def test_an_offer_at_a_rest_place_kills_the_members_of_all_families() -> None:
    """CA 5.6"""
    table = with_card("offer")
    table.rest(0, "barber", "don")
    table.rest(2, "barber", "mamma")
    table.rest(2, "penthouse", "novice")
    table.do("use offer", "at barber")
    assert [table.family(seat)["harbour"] for seat in range(3)] == [["don"], [], ["mamma"]]
    assert table.state.observe(0)["rests"]["penthouse"] == [{"seat": 2, "member": "novice"}]


@pytest.mark.parametrize("card", [*REST_PLACES, "fbi", "protection", "takeover", "offer", "bakery"])
def test_a_card_without_a_legal_use_can_only_be_discarded(card: str) -> None:
    """CA 5.7"""
    assert with_card(card).legal() == ["use bar", "discard bar", f"discard {card}"]
