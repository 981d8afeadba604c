"""Setup: turn order, piles, events, sides of the board."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.cotton_club.deal import deal_from_seed, undealt_events
from engines.cotton_club.tables import CARDS, CARDS_OF_TYPE, EVENT_DECK, EVENTS, TYPES
from tests.engines.cotton_club.arranging import act, dealt, hold, legal, occupy, order, set_row


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_seed_draws_the_first_seat_and_the_others_follow_by_number(seats: int) -> None:
    """CC 2.1"""
    firsts = set()
    for seed in range(40):
        state = dealt(seats, seed)
        first = state.turn_order[0]
        firsts.add(first)
        assert state.turn_order == tuple((first + turn) % seats for turn in range(seats))
        assert state.to_act == first
    assert firsts == set(range(seats))


def test_discs_are_laid_in_reverse_turn_order() -> None:
    """CC 2.1"""
    state = dealt(4, 3)
    assert order(state, "initiative") == order(state, "criminality") == list(state.turn_order)
    assert set(state.levels[4:]) == {0}


def test_influence_and_money_start_by_turn_order() -> None:
    """CC 2.1"""
    state = dealt(4, 3)
    assert [state.levels[seat] for seat in state.turn_order] == [0, 1, 2, 3]
    assert [state.money[seat] for seat in state.turn_order] == [6, 7, 8, 9]


@pytest.mark.parametrize("seed", range(5))
def test_initial_cards_lie_above_all_others(seed: int) -> None:
    """CC 2.2"""
    for card_type, pile in enumerate(deal_from_seed(seats=2, seed=seed).piles):
        assert [CARDS[card].is_initial for card in pile] == [True] * 6 + [False] * 11
        assert sorted(pile) == list(CARDS_OF_TYPE[card_type])


def test_four_cards_of_each_type_are_shown() -> None:
    """CC 2.2"""
    view = dealt(2, 9).observe(0)
    assert all(len(view["rows"][name]) == 4 and view["piles"][name] == 13 for name in TYPES)
    assert view["rows"] == view["shown"]


def test_piles_differ_between_seeds_and_every_card_can_be_on_top() -> None:
    """CC 2.2"""
    tops = {deal_from_seed(seats=2, seed=seed).piles[0][0] for seed in range(120)}
    assert tops == {card for card in CARDS_OF_TYPE[0] if CARDS[card].is_initial}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_events_are_dealt_five_to_the_pile_and_five_to_each_seat(seats: int) -> None:
    """CC 2.3"""
    deal = deal_from_seed(seats=seats, seed=8)
    cards = [*deal.event_pile, *undealt_events(deal), *(event for hand in deal.hands for event in hand)]
    assert Counter(cards) == Counter(EVENT_DECK)
    assert len(EVENT_DECK) == 25
    assert (len(deal.event_pile), [len(hand) for hand in deal.hands]) == (5, [5] * seats)


def test_each_seat_in_turn_order_drops_two_events_and_keeps_three() -> None:
    """CC 2.3"""
    state = dealt(3, 5)
    asked = []
    while state.round == 0:
        asked.append(state.to_act)
        state.apply(state.legal_actions()[-1])
    first, second, third = state.turn_order
    assert asked == [first, first, second, second, third, third]
    assert [len(hand) for hand in state.hands] == [3, 3, 3]


def test_each_pair_of_events_has_one_spelling_and_equal_copies_are_one_choice() -> None:
    """CC 2.3"""
    state = dealt(2, 5)
    hold(state, state.to_act or 0, "E03", "E18", "E18", "E20", "E21")
    pairs = []
    for first in state.legal_actions():
        after = state.copy()
        after.apply(first)
        pairs += [(state.format(first)[5:], after.format(second)[5:]) for second in after.legal_actions()]
    spelled = "E03 E18, E03 E20, E03 E21, E18 E18, E18 E20, E18 E21, E20 E21"
    assert pairs == [tuple(pair.split()) for pair in spelled.split(", ")]


def test_the_highest_event_is_no_first_drop_unless_there_are_two_of_it() -> None:
    """CC 2.3"""
    state = dealt(2, 5)
    seat = state.to_act or 0
    hold(state, seat, "E01", "E02", "E03", "E04", "E21")
    assert legal(state) == ["drop E01", "drop E02", "drop E03", "drop E04"]
    hold(state, seat, "E01", "E02", "E03", "E21", "E21")
    assert legal(state)[-1] == "drop E21"
    act(state, "drop E21")
    assert legal(state) == ["drop E21"]


def test_four_seats_play_on_the_side_with_four_spaces() -> None:
    """CC 2.4"""
    for seats, spaces in ((2, 3), (3, 3), (4, 4)):
        board = dealt(seats, 1).observe(None)["board"]
        assert {len(board[name]) for name in (*TYPES, "tip-off")} == {spaces}
        assert board["loan"] == []


def test_the_second_space_of_smuggling_costs_a_dollar_on_one_side_only() -> None:
    """CC 2.4"""
    for seats, cost in ((3, 2), (4, 1)):
        state = dealt(seats, 1)
        while state.round == 0:
            state.apply(state.legal_actions()[0])
        set_row(state, "S01")
        occupy(state, "smuggling", 1)
        seat = state.to_act or 0
        money = state.money[seat]
        act(state, "take S01")
        assert money - state.money[seat] == cost


def test_the_deck_of_events_is_as_the_table_says() -> None:
    """CC 2.3"""
    assert [event.copies for event in EVENTS] == [1] * 17 + [2] * 4
