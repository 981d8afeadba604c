"""CA 8: the worked examples of the rulebook."""

from __future__ import annotations

from tests.engines.capone.table import turns


def test_a_legal_card_at_marker_4_brings_30() -> None:
    """CA 8"""
    table = turns("bakery bar")
    table.state.marker[0] = 4
    table.do("use bakery")
    assert table.state.cash[0] == 130


def test_secretary_and_four_guards_fall_to_right_hand_and_one_guard_but_not_to_50() -> None:
    """CA 8"""
    table = turns(["bar bar", "casino bar", "bar bar"])
    table.station(0, "casino1", "secretary", guards=4)
    table.do("discard bar", "use casino", "at casino1", "put right_hand")
    assert "guards 0" not in table.legal()
    table.do("guards 1")
    assert table.site("casino1") == {"owner": 1, "members": ["right_hand"], "guards": 1, "total": 55}


def test_the_last_card_of_value_30_sends_the_collector_when_secretary_and_accountant_are_used() -> None:
    """CA 8"""
    table = turns("bank")
    table.station(0, "casino1", "secretary accountant", guards=7)
    table.do("use bank", "at bank1")
    assert table.site("bank1") == {"owner": 0, "members": ["collector"], "guards": 0, "total": 40}


def test_protection_against_marker_5_is_30() -> None:
    """CA 8"""
    table = turns(["protection bar", "bar bar", "bar bar"])
    table.state.marker[1] = 5
    table.do("use protection", "charge 1")
    assert table.state.cash == [130, 70, 100]


def test_a_takeover_of_secretary_novice_and_four_guards_by_mamma_and_two_guards() -> None:
    """CA 8"""
    table = turns(["takeover bar", "bar bar", "bar bar"])
    table.station(1, "bank1", "secretary novice", guards=4)
    table.do("use takeover", "at bank1", "put mamma")
    assert table.legal() == ["guards 2"]
    table.do("guards 2")
    assert table.site("bank1") == {"owner": 0, "members": ["mamma"], "guards": 2, "total": 70}


def test_the_year_end_example_earns_75() -> None:
    """CA 8"""
    table = turns("bakery bar")
    table.station(0, "casino1", "accountant", guards=2)
    table.station(0, "jeweller1", guards=3)
    table.station(0, "nightclub2", "novice")
    table.jail(0, 3, "don")
    table.rest(0, "penthouse", "right_hand")
    table.state.guards[0] -= 1
    table.state.legal_owner[0] = 0
    table.end_year()
    assert table.state.cash[0] == 175
