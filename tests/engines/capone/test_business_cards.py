"""CA 3 and 4: legal and illegal businesses."""

from __future__ import annotations

import pytest

from engines import IllegalAction
from engines.capone import tables
from tests.engines.capone.table import Table, turns


def test_a_legal_card_takes_an_investment_and_a_bodyguard_at_home() -> None:
    """CA 3"""
    table = turns("bakery bar")
    assert table.legal("use") == ["use bar"]
    table.state.marker[0] = 1
    assert table.legal("use") == ["use bar", "use bakery"]
    table.station(0, "bank1", guards=8)
    assert table.legal("use") == ["use bar"]


@pytest.mark.parametrize(("marker", "paid"), list(enumerate([10, 20, 30, 30, 40, 40, 50, 50, 60], 1)))
def test_a_legal_card_pays_by_the_marker_at_once(marker: int, paid: int) -> None:
    """CA 3"""
    table = turns("bakery bar")
    table.state.marker[0] = marker
    table.do("use bakery")
    assert table.state.cash[0] == 100 + paid
    assert table.state.to_act == 1


def test_the_bodyguard_on_a_legal_business_is_out_of_reach_till_year_end() -> None:
    """CA 3"""
    table = turns(["bakery bar", "offer bar", "bar bar"])
    table.state.marker[0] = 1
    table.do("use bakery")
    assert table.state.observe(1)["legal"][0] == {"site": "bakery", "owner": 0}
    assert table.family(0)["guards"] == 7
    assert table.legal("use") == ["use bar"]
    table.end_year()
    assert table.family(0)["guards"] == 8


def test_either_site_of_the_kind_takes_a_set_from_home() -> None:
    """CA 4.1"""
    table = turns("casino casino")
    table.do("use casino")
    assert table.legal() == ["at casino1", "at casino2"]
    table.do("at casino2", "put lawyer", "put novice", "guards 3")
    assert table.site("casino2") == {"owner": 0, "members": ["lawyer", "novice"], "guards": 3, "total": 75}
    assert table.site("casino1")["owner"] is None
    assert (table.family(0)["guards"], "lawyer" in table.family(0)["home"]) == (5, False)


def test_a_set_stands_on_the_board_only_when_it_is_complete() -> None:
    """CA 4.1"""
    table = turns("casino casino")
    table.do("use casino", "at casino2", "put lawyer")
    assert table.site("casino2")["owner"] is None
    assert "lawyer" in table.family(0)["home"]
    assert table.state.observe(1)["pending"] == {
        "want": "pieces", "card": "casino", "place": "casino2", "members": ["lawyer"], "least": 20, "exactly": None,
    }  # fmt: skip


def test_an_empty_site_takes_at_least_the_value() -> None:
    """CA 4.2"""
    table = turns("bank bank")
    table.keep_home(0, "novice", 5)
    table.do("use bank", "at bank1")
    assert table.legal() == ["put novice"]
    table.do("put novice")
    assert table.legal() == ["guards 2", "guards 3", "guards 4", "guards 5"]


def test_an_own_site_counts_what_stands_there_and_takes_at_least_one_new_piece() -> None:
    """CA 4.2"""
    table = turns("bank bank")
    table.station(0, "bank1", "novice")
    table.station(0, "bank2", "lawyer")
    table.do("use bank", "at bank1")
    assert table.legal("guards") == [f"guards {n}" for n in range(2, 9)]
    table = turns("bank bank")
    table.station(0, "bank2", "lawyer")
    table.do("use bank", "at bank2")
    assert table.legal("guards") == [f"guards {n}" for n in range(1, 9)]


def test_reinforcements_join_what_stands_there() -> None:
    """CA 4.2"""
    table = turns("bank bank")
    table.station(0, "bank1", "novice", guards=1)
    table.do("use bank", "at bank1", "put secretary", "guards 2")
    assert table.site("bank1") == {"owner": 0, "members": ["secretary", "novice"], "guards": 3, "total": 65}


def test_an_attack_exceeds_the_defenders_by_five_and_reaches_the_value() -> None:
    """CA 4.3"""
    table = turns("casino casino")
    table.keep_home(0, "accountant", 8)
    table.station(1, "casino1", "accountant", guards=4)
    table.do("use casino", "at casino1")
    assert table.state.observe(0)["pending"]["least"] == 55
    assert table.legal() == ["put accountant"]
    table.do("put accountant")
    assert table.legal() == ["guards 5", "guards 6", "guards 7", "guards 8"]
    weak = turns("bank bank")
    weak.station(1, "bank1", guards=1)
    weak.do("use bank", "at bank1")
    assert weak.state.observe(0)["pending"]["least"] == 30


def test_defending_members_die_and_their_bodyguards_go_to_the_park() -> None:
    """CA 4.3"""
    table = turns("casino casino")
    table.station(1, "casino1", "accountant novice", guards=3)
    table.do("use casino", "at casino1", "put don", "guards 0")
    assert table.site("casino1") == {"owner": 0, "members": ["don"], "guards": 0, "total": 100}
    loser = table.family(1)
    assert (loser["harbour"], loser["park"], loser["guards"]) == (["accountant", "novice"], 3, 5)


def test_a_site_too_strong_to_attack_is_not_offered_nor_is_a_card_without_a_site() -> None:
    """CA 4.3"""
    table = turns("casino casino")
    table.keep_home(0, "lawyer", 2)
    table.station(1, "casino1", "right_hand")
    table.do("use casino")
    assert table.legal() == ["at casino2"]
    table = turns("casino casino")
    table.keep_home(0, "lawyer", 2)
    table.station(1, "casino1", "right_hand")
    table.station(2, "casino2", "right_hand")
    assert table.legal() == ["discard casino"]


def test_the_don_stands_with_no_other_member() -> None:
    """CA 4.4"""
    table = turns()
    table.do("use bar", "at bar1", "put don")
    assert table.legal("put") == []
    table.do("guards 8")
    assert table.site("bar1")["total"] == 140
    again = turns()
    again.station(0, "bar1", "don")
    again.do("use bar", "at bar1")
    assert again.legal("put") == []


def test_mamma_stands_with_one_other_member_at_most_and_not_with_the_don() -> None:
    """CA 4.4"""
    table = turns()
    table.do("use bar", "at bar1", "put mamma", "put lawyer")
    assert table.legal("put") == []
    again = turns()
    again.station(0, "bar1", "mamma")
    again.do("use bar", "at bar1")
    assert "put don" not in again.legal()
    again.do("put collector")
    assert again.legal("put") == []


def test_company_is_checked_on_the_whole_site() -> None:
    """CA 4.4"""
    table = turns()
    table.station(0, "bar1", "lawyer novice", guards=1)
    table.do("use bar", "at bar1")
    assert table.legal("put") == ["put right_hand", "put collector", "put accountant", "put secretary"]


def test_a_member_that_keeps_the_set_from_being_completed_is_not_offered() -> None:
    """CA 4.4"""
    table = turns("casino casino")
    table.keep_home(0, "mamma right_hand collector lawyer accountant", 0)
    table.station(1, "casino1", "don", guards=8)  # 145 is needed: right hand, collector, lawyer, accountant make 160
    table.do("use casino", "at casino1")
    assert table.legal() == ["put right_hand"]


def test_a_site_is_empty_when_its_last_piece_leaves() -> None:
    """CA 4.5"""
    table = turns(["fbi bar", "bar bar", "bar bar"])
    table.station(1, "casino1", "novice")
    table.do("use fbi", "move 1 novice")
    assert table.site("casino1") == {"owner": None, "members": [], "guards": 0, "total": 0}


def test_a_site_stays_held_below_its_value() -> None:
    """CA 4.5"""
    table = turns(["fbi bar", "bank bank", "bar bar"])
    table.station(1, "bank1", "accountant", guards=1)
    table.do("use fbi", "move 1 accountant")
    assert table.site("bank1") == {"owner": 1, "members": [], "guards": 1, "total": 5}
    table.do("use bank", "at bank1")
    assert table.state.observe(1)["pending"]["least"] == 25


def last(card: str, members: str, guards: int) -> Table:
    """Seat 0 holds one card and has only these pieces."""
    table = turns(card)
    table.keep_home(0, members, guards)
    return table


def test_the_last_card_sends_as_many_bodyguards_as_its_value_buys() -> None:
    """CA 4.6"""
    table = last("casino", "novice don", 6)
    table.do("use casino", "at casino1")
    assert table.site("casino1") == {"owner": 0, "members": [], "guards": 4, "total": 20}
    assert table.state.to_act == 1


def test_the_last_card_sends_the_cheapest_member_that_suffices_where_bodyguards_do_not() -> None:
    """CA 4.6"""
    table = last("casino", "don collector lawyer secretary", 3)
    table.do("use casino", "at casino1")
    assert table.site("casino1") == {"owner": 0, "members": ["secretary"], "guards": 0, "total": 30}


def test_of_two_equal_members_the_last_card_sends_the_earlier_in_the_table() -> None:
    """CA 4.6"""
    table = last("bank", "don collector lawyer", 3)
    table.do("use bank", "at bank2")
    assert table.site("bank2")["members"] == ["collector"]


def test_the_last_card_goes_where_its_one_set_is_legal() -> None:
    """CA 4.6"""
    table = last("casino", "don right_hand novice", 4)
    table.state.lost[0] -= 1
    table.station(1, "casino1", guards=3)
    table.station(2, "casino2", guards=4)
    table.do("use casino")
    assert table.legal() == ["at casino1"]  # 20 beats 15 but not 20
    table.do("at casino1")
    assert table.site("casino1") == {"owner": 0, "members": [], "guards": 4, "total": 20}
    assert table.family(1)["park"] == 3


def test_the_last_card_reinforces_an_own_site_where_only_company_limits_it() -> None:
    """CA 4.6"""
    table = last("bank", "novice right_hand lawyer", 2)
    table.station(0, "bank1", "right_hand novice")
    table.state.site_members[16] = 1  # the Don holds bank1 instead
    table.station(0, "bank2", guards=1)
    table.do("use bank")
    assert table.legal() == ["at bank2"]
    table.do("at bank2")
    assert table.site("bank2")["members"] == ["lawyer"]


def test_no_dearer_member_is_tried_with_the_last_card() -> None:
    """CA 4.6"""
    table = last("casino", "don novice", 0)
    table.station(1, "casino1", "novice")
    table.station(2, "casino2", "novice")
    assert table.legal() == ["discard casino"]


def test_without_a_sufficient_piece_the_last_card_is_discarded() -> None:
    """CA 4.6"""
    assert last("bank", "novice", 5).legal() == ["discard bank"]


def test_a_member_bailed_this_turn_counts_as_at_home_for_the_last_card() -> None:
    """CA 4.6"""
    table = last("bank", "lawyer", 0)
    table.state.harbour[0] &= ~128
    table.jail(0, 2, "lawyer")
    assert table.legal() == ["discard bank", "bail lawyer"]
    table.do("bail lawyer", "use bank", "at bank1")
    assert table.site("bank1")["members"] == ["lawyer"]


def test_with_two_cards_in_hand_the_set_is_free() -> None:
    """CA 4.6"""
    table = turns("casino bakery")
    table.do("use casino", "at casino1")
    assert "put don" in table.legal()


def test_the_last_card_rule_leaves_other_cards_alone() -> None:
    """CA 4.6"""
    table = turns(["takeover", "bar", "bar"])
    table.station(1, "casino1", "accountant", guards=4)
    table.do("use takeover", "at casino1")
    assert "put right_hand" in table.legal()


def test_refusals_say_what_is_wrong() -> None:
    table = turns("casino casino")
    table.do("use casino", "at casino1")
    with pytest.raises(IllegalAction, match="guards 1: with so many bodyguards the set is not legal"):
        table.do("guards 1")
    with pytest.raises(IllegalAction, match="seat 0 has to choose pieces to place"):
        table.do("use casino")
    with pytest.raises(IllegalAction, match="use bakery: that card is not in hand or has no legal use now"):
        turns("bakery bakery").do("use bakery")
    assert tables.CARDS[table.state.card] == "casino"
