"""CA 1 and 2: what there is, the deal, the exchange and the order of turns."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from engines.capone import GAME, tables
from engines.compiled import SOURCE
from tests.engines.capone.table import new, turns

SEATS = (3, 4, 5, 6)


def test_a_family_is_eight_members_and_eight_bodyguards_of_five() -> None:
    """CA 1.1"""
    assert dict(zip(tables.MEMBERS, tables.MEMBER_VALUE, strict=True)) == {
        "don": 100, "mamma": 60, "right_hand": 50, "collector": 40, "lawyer": 40,
        "accountant": 30, "secretary": 30, "novice": 20,
    }  # fmt: skip
    assert (tables.GUARDS, tables.GUARD_VALUE) == (8, 5)


def test_the_board_has_twenty_illegal_sites_valued_by_colour_eight_legal_ones_and_three_rest_places() -> None:
    """CA 1.2"""
    view = new().state.observe(0)
    assert Counter(site["value"] for site in view["sites"]) == {5: 4, 10: 6, 20: 6, 30: 4}
    assert len(view["legal"]) == 8
    assert list(view["rests"]) == ["penthouse", "barber", "restaurant"]
    assert list(view["families"][0]["prison"]) == ["3", "2", "1"]


@pytest.mark.parametrize("seats", SEATS)
def test_the_deck_has_56_cards_and_46_with_three_seats(seats: int) -> None:
    """CA 1.3"""
    deck = Counter(tables.CARDS[kind] for kind in tables.DECK[seats])
    assert deck.total() == (46 if seats == 3 else 56)
    assert {deck[kind] for kind in tables.ILLEGAL} == {3 if seats == 3 else 4}
    assert {deck[kind] for kind in (*tables.LEGAL, *tables.RESTS, "fbi", "protection", "takeover")} == {1}
    assert deck["offer"] == 2


@pytest.mark.parametrize("column", ["cards", "cards_3_seats"])
def test_the_deck_agrees_with_the_printed_totals(column: str) -> None:
    """CA 1.3"""
    printed = {row["group"]: int(row[column]) for row in tables.rows("deck")}
    deck = tables.DECK[4 if column == "cards" else 3]
    groups = ["illegal"] * 10 + ["legal"] * 8 + [row["group"] for row in tables.rows("action_cards")]
    counted = Counter(groups[kind] for kind in deck)
    assert printed == {**counted, "total": len(deck)}


def test_every_row_of_the_tables_has_a_mark() -> None:
    for path in (Path(SOURCE) / "capone" / "data").glob("*.csv"):
        assert {row["status"] for row in tables.rows(path.stem)} <= {"found", "inferred", "rebuilt"}, path.name


@pytest.mark.parametrize("seats", SEATS)
def test_everyone_starts_with_100_no_investment_and_all_pieces_at_home_in_public(seats: int) -> None:
    """CA 1.4"""
    for family in new(seats).state.observe(0)["families"]:
        assert (family["cash"], family["marker"], family["guards"]) == (100, 0, 8)
        assert family["home"] == list(tables.MEMBERS)
        assert (family["park"], family["lost"], family["harbour"]) == (0, 0, [])


def test_pieces_that_are_not_at_home_are_not_offered_and_any_number_at_home_is() -> None:
    """CA 1.5"""
    table = turns()
    table.station(0, "bank1", "novice", guards=2)
    table.rest(0, "barber", "lawyer")
    table.do("use bar", "at bar1", "put right_hand")
    assert table.legal() == ["put collector", "put accountant", "put secretary", *(f"guards {n}" for n in range(7))]


def test_a_seat_without_pieces_or_money_is_dealt_cards_and_plays_on() -> None:
    """CA 1.6"""
    table = turns("bakery bar")
    table.keep_home(1, "", 0)
    table.state.cash[1] = 0
    table.do("discard bakery")
    assert table.legal() == ["discard bar", "discard bakery"]
    table.end_year()
    table.settle_nothing()
    assert [family["hand_count"] for family in table.state.observe(None)["families"]] == [5, 5, 5]


def test_the_first_player_of_year_1_is_drawn_evenly() -> None:
    """CA 2.1"""
    drawn = Counter(GAME.new(seats=4, seed=seed).first for seed in range(400))
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 16.3  # chi-square, 3 degrees, p = 0.001
    assert len(drawn) == 4


def test_every_year_the_next_seat_is_first() -> None:
    """CA 2.1"""
    state = new(3, seed=5).state
    rng, firsts = Random(5), {}
    while state.to_act is not None and state.year < 6:
        firsts[state.year] = state.first
        state.apply(rng.choice(state.legal_actions()))
    start = firsts[1]
    assert firsts == {year: (start + year - 1) % 3 for year in range(1, 6)}


@pytest.mark.parametrize("seats", SEATS)
def test_five_cards_are_dealt_and_four_with_six_seats(seats: int) -> None:
    """CA 2.2"""
    state = new(seats).state
    size = 4 if seats == 6 else 5
    assert [len(hand) for hand in state.hands] == [size] * seats
    cards = Counter(state.pile)
    for hand in state.hands:
        cards.update(hand)
    assert cards == Counter(tables.DECK[seats])


def test_each_year_all_cards_are_shuffled_anew() -> None:
    """CA 2.2"""
    table = turns("bakery")
    table.state.used = (1, 2, 3)
    table.end_year()
    table.settle_nothing()
    state = table.state
    assert (state.year, state.used, state.returned, state.unshown, state.log) == (2, (), [()] * 3, [()] * 3, None)
    assert Counter(state.pile + sum(state.hands, ())) == Counter(tables.DECK[3])


def test_the_exchange_runs_once_from_the_first_player_on() -> None:
    """CA 2.3"""
    state = new(4, seed=2).state
    asked = []
    while state.observe(None)["phase"] == "exchange":
        asked.append(state.to_act)
        state.apply(state.parse("done"))
    assert asked == [(state.first + place) % 4 for place in range(4)]
    assert state.to_act == state.first


def test_a_seat_draws_as_many_cards_as_it_returned_from_the_top_and_the_returned_are_out() -> None:
    """CA 2.3"""
    table = new(3, seed=3)
    state = table.state
    seat, (top, second, *rest) = state.first, state.pile
    kept = state.hands[seat][2:]
    table.do(*(f"return {tables.CARDS[kind]}" for kind in state.hands[seat][:2]), "done")
    assert state.hands[seat] == tuple(sorted((*kept, top, second)))
    assert state.pile == tuple(rest)
    assert state.observe(None)["families"][seat]["returned_count"] == 2


def test_cards_are_returned_in_card_order_so_each_set_has_one_spelling() -> None:
    """CA 2.3"""
    table = new(3, seed=3)
    table.hold(table.state.first, "bar bar casino bakery fbi")
    table.do("return bar")
    assert table.legal() == ["done", "return bar", "return casino", "return bakery", "return fbi"]
    table.do("return casino")
    assert table.legal() == ["done", "return bakery", "return fbi"]


def test_a_drawn_card_can_not_be_returned() -> None:
    """CA 2.3"""
    table = new(3, seed=3)
    seat = table.state.first
    table.do("done")
    assert table.state.to_act != seat
    table.do("done", "done")
    assert table.legal("return") == []


def test_all_cards_can_be_returned_and_only_done_is_left_then() -> None:
    """CA 2.3"""
    table = new(6, seed=3)
    for kind in table.state.hands[table.state.first]:
        table.do(f"return {tables.CARDS[kind]}")
    assert table.legal() == ["done"]


def test_others_see_how_many_cards_were_returned_and_not_which() -> None:
    """CA 2.3"""
    table = new(3, seed=3)
    seat = table.state.first
    table.do(table.legal("return")[0], "done")
    view = table.state.observe((seat + 1) % 3)
    assert view["families"][seat]["returned_count"] == 1
    assert view["returned"][seat] is None
    assert view["log"] == [f"{seat} return ?", f"{seat} done"]


def test_seats_play_one_card_each_round_after_round_until_hands_are_empty() -> None:
    """CA 2.4"""
    table = turns("bakery bar")
    asked = []
    while table.legal("discard"):
        asked.append(table.state.to_act)
        table.do(table.legal("discard")[0])
    assert asked == [0, 1, 2, 0, 1, 2]


def test_a_used_card_is_shown_before_its_target_and_can_not_be_taken_back() -> None:
    """CA 2.4"""
    table = turns()
    table.do("use bar")
    view = table.state.observe(2)
    assert view["used"] == ["bar"]
    assert view["log"] == ["0 use bar"]
    assert (view["pending"]["want"], view["pending"]["card"]) == ("place", "bar")
    assert table.legal() == ["at bar1", "at bar2"]


def test_an_unused_card_is_known_to_its_owner_only() -> None:
    """CA 2.4"""
    table = turns("bar fbi")
    table.do("discard fbi")
    own, other = table.state.observe(0), table.state.observe(1)
    assert (own["unshown"][0], own["log"], own["used"]) == (["fbi"], ["0 discard fbi"], [])
    assert (other["unshown"][0], other["log"], other["used"]) == (None, ["0 discard ?"], [])
    assert other["families"][0]["unshown_count"] == 1


def test_every_card_in_hand_can_be_discarded_even_if_it_has_a_use() -> None:
    """CA 2.4"""
    table = turns("bar casino casino bakery fbi")
    assert table.legal("discard") == ["discard bar", "discard casino", "discard bakery", "discard fbi"]
    assert table.legal("use") == ["use bar", "use casino"]


def test_bails_come_before_the_card_and_from_cash_alone() -> None:
    """CA 2.5"""
    table = turns(year=3)
    for block, member in ((1, "mamma"), (2, "collector"), (3, "novice")):
        table.jail(0, block, member)
    table.state.cash[0] = 60
    table.state.marker[0] = 5
    assert table.legal("bail") == ["bail mamma", "bail collector", "bail novice"]
    table.do("bail collector")
    assert table.legal("bail") == ["bail novice"]
    table.do("use bar")
    assert table.legal() == ["at bar1", "at bar2"]


def test_a_bail_does_not_sell_steps_during_the_year() -> None:
    """CA 2.5"""
    table = turns(year=3)
    table.jail(0, 2, "don")
    table.state.cash[0] = 95
    table.state.marker[0] = 9
    assert table.legal("bail") == []


def test_only_own_members_can_be_bailed_and_only_at_the_start_of_the_own_turn() -> None:
    """CA 2.5"""
    table = turns(year=3)
    table.jail(1, 2, "novice")
    assert table.legal("bail") == []
    table.do("discard bar")
    assert table.legal("bail") == ["bail novice"]


def test_bails_of_one_turn_are_named_in_table_order_and_the_next_turn_starts_afresh() -> None:
    """CA 2.5"""
    table = turns(year=3)
    table.jail(0, 1, "accountant")
    table.jail(0, 2, "novice")
    table.do("bail novice")
    assert table.legal("bail") == []
    assert table.state.observe(0)["pending"]["members"] == ["novice"]
    table.do("discard bar", "discard bar", "discard bar")
    assert table.legal("bail") == ["bail accountant"]
