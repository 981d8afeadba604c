"""What a seat can't see, and what it imagines instead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import comb, sqrt
from random import Random
from typing import Any

import pytest

from engines.cotton_club import GAME
from engines.cotton_club.deal import undealt_events
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import CARD_NUMBERS, CARDS, EVENT_DECK, EVENTS, TYPES
from tests.engines.cotton_club.arranging import act, begun, dealt, legal, loans_until_round

Snapshot = dict[str, Any]


def row_of_three(seats: int = 3) -> CottonClubState:
    """Round 2 after phase 1: the pile's event, then one of each of the first two seats; the third seat passed."""
    state = loans_until_round(begun(seats), 2)
    for turn in range(seats):
        act(state, legal(state)[1] if turn < 2 else "pass")
    return state


def swap_pile(snapshot: Snapshot) -> None:
    pile = snapshot["deal"]["piles"]["artists"]
    pile[10], pile[15] = pile[15], pile[10]


def put_undealt_into(events: list[str], at: int, snapshot: Snapshot) -> tuple[str, str]:
    """Exchange an event for one that was not dealt; returns the old and the new one."""
    deal = snapshot["deal"]
    used = Counter(deal["event_pile"]) + Counter(event for hand in deal["hands"] for event in hand)
    spare = Counter(EVENTS[event].id for event in EVENT_DECK) - used
    old, events[at] = events[at], min(spare)
    return old, min(spare)


def swap_event_pile(snapshot: Snapshot) -> None:
    put_undealt_into(snapshot["deal"]["event_pile"], 4, snapshot)


def swap_row_card_of_the_pile(snapshot: Snapshot) -> None:
    put_undealt_into(snapshot["deal"]["event_pile"], 0, snapshot)


def exchange_of_seat_0(snapshot: Snapshot, verb: str) -> None:
    """Exchange the event that seat 0 holds, dropped or added for an undealt one."""
    hand, actions = snapshot["deal"]["hands"][0], snapshot["actions"]
    dropped = [text[5:] for text in actions[:2]]  # seat 0 begins
    added = [text[4:] for text in actions if text.startswith("add") and text[4:] in hand]
    held = [event for event in hand if event not in dropped + added]
    old, new = put_undealt_into(hand, hand.index({"hold": held, "drop": dropped, "add": added}[verb][0]), snapshot)
    hand.sort()
    if verb == "drop":
        actions[:2] = [f"drop {event}" for event in sorted([new, dropped[1]])]
    if verb == "add":
        actions[actions.index(f"add {old}")] = f"add {new}"


CHANGES: dict[str, Callable[[Snapshot], None]] = {
    "order of a pile": swap_pile,
    "event pile": swap_event_pile,
    "row card of the pile": swap_row_card_of_the_pile,
    "hand of seat 0": lambda snapshot: exchange_of_seat_0(snapshot, "hold"),
    "dropped by seat 0": lambda snapshot: exchange_of_seat_0(snapshot, "drop"),
    "added by seat 0": lambda snapshot: exchange_of_seat_0(snapshot, "add"),
}


@pytest.mark.parametrize("what", sorted(CHANGES))
def test_a_hidden_thing_changed_changes_the_view_of_all_eyes_and_of_no_other_seat(what: str) -> None:
    """CC 10"""
    state = row_of_three()
    snapshot = state.snapshot()
    CHANGES[what](snapshot)
    other = GAME.restore(snapshot)
    assert other.observe(None) != state.observe(None)
    assert [other.observe(seat) == state.observe(seat) for seat in (1, 2)] == [True, True]
    assert (other.observe(0) == state.observe(0)) == ("seat 0" not in what)


@pytest.mark.parametrize("what", ["added by seat 0", "row card of the pile"])
def test_a_seat_that_tipped_off_sees_the_row_change(what: str) -> None:
    """CC 10"""
    state = row_of_three()
    act(state, "loan", "tip-off")
    snapshot = state.snapshot()
    CHANGES[what](snapshot)
    other = GAME.restore(snapshot)
    assert other.observe(1) != state.observe(1)
    assert other.observe(2) == state.observe(2)


def test_a_seat_knows_its_hand_what_it_dropped_and_what_it_added() -> None:
    """CC 10"""
    state = row_of_three()
    view = state.observe(0)
    own = [*view["hands"][0], *view["dropped"][0], *(e["event"] for e in view["event_row"] if e["by"] == 0)]
    assert sorted(own) == [EVENTS[event].id for event in state.deal.hands[0]]
    assert view["hands"][1:] == view["dropped"][1:] == [None, None]
    assert view["hidden"] is None
    assert [club["events"] for club in view["clubs"]] == [2, 2, 3]


def test_the_log_hides_drops_and_adds_of_others_and_shows_passes() -> None:
    """CC 10"""
    state = row_of_three()
    full, seen = state.observe(None)["log"], state.observe(1)["log"]
    for entry, shown in zip(full, seen, strict=True):
        is_hidden = entry[0] != "1" and entry.split()[1] in ("drop", "add")
        assert shown == (f"{' '.join(entry.split()[:2])} ?" if is_hidden else entry)
    assert seen[-1] == "2 pass"


def test_cards_options_and_discards_are_public() -> None:
    """CC 10"""
    state = begun(2)
    while state.round < 4:
        state.apply(state.legal_actions()[0])
    views = [state.observe(seat) for seat in (0, 1)]
    for field in ("clubs", "board", "rows", "shown", "discarded", "used_events", "tracks"):
        assert views[0][field] == views[1][field]
    assert views[0]["discarded"]


def test_the_end_shows_nothing_more() -> None:
    """CC 10"""
    state = begun(3)
    while state.to_act is not None:
        state.apply(state.legal_actions()[0])
    view = state.observe(2)
    assert view["hands"][:2] == view["dropped"][:2] == [None, None]
    assert view["hidden"] is None


def test_an_imagined_pile_keeps_its_initial_cards_on_top() -> None:
    """CC 10"""
    state = begun(3)
    for number in range(10):
        imagined = GAME.imagine(state.observe(1), Random(number))
        for pile, name in zip(imagined.observe(None)["hidden"]["piles"].values(), TYPES, strict=True):
            initial = [CARDS[CARD_NUMBERS[one]].is_initial for one in pile]
            assert initial == [True, True] + [False] * 11, name


def chi_square_is_plausible(seen: Counter[Any], expected: dict[Any, float]) -> bool:
    """Whether all seen is expected, and the statistic lies within five deviations of its mean."""
    count = seen.total()
    assert set(seen) <= set(expected)
    statistic = sum((seen[key] - count * share) ** 2 / (count * share) for key, share in expected.items())
    freedom = len(expected) - 1
    return statistic < freedom + 5 * sqrt(2 * freedom)


def test_unseen_initial_cards_lie_in_either_order_and_any_other_card_may_follow() -> None:
    """CC 10"""
    view = begun(2).observe(0)
    tops: Counter[Any] = Counter()
    thirds: Counter[Any] = Counter()
    rng = Random(4)
    for _ in range(1500):
        pile = GAME.imagine(view, rng).observe(None)["hidden"]["piles"]["smuggling"]
        tops[pile[0]] += 1
        thirds[pile[2]] += 1
    shown = view["shown"]["smuggling"]
    initial = [card.id for card in CARDS if card.id[0] == "S" and card.is_initial and card.id not in shown]
    others = [card.id for card in CARDS if card.id[0] == "S" and not card.is_initial]
    assert chi_square_is_plausible(tops, dict.fromkeys(initial, 1 / 2))
    assert chi_square_is_plausible(thirds, dict.fromkeys(others, 1 / 11))


def everything_but_dropped_events_seen() -> CottonClubState:
    """Four seats in round 6: seat 0 has tipped off and so knows every event but what the others dropped."""
    state = begun(4)
    while not (state.round == 6 and state.observe(0)["phase"] == "actions"):
        texts = legal(state)
        adds = [text for text in texts if text.startswith("add")]
        act(state, "loan" if "loan" in texts else adds[0])
    while state.to_act != 0:
        act(state, "loan")
    return act(state, "tip-off")


def test_every_arrangement_of_a_small_case_occurs_equally_often() -> None:
    """CC 10: six unknown events, two dropped by each of three seats; equal copies weigh as two cards."""
    state = everything_but_dropped_events_seen()
    view = state.observe(0)
    unknown = [event for seat in (1, 2, 3) for event in state.dropped[seat]]
    arrangements: Counter[Any] = Counter(
        tuple(tuple(sorted(order[at : at + 2])) for at in (0, 2, 4)) for order in permutations(unknown)
    )
    rng = Random(5)
    seen = Counter(tuple(GAME.imagine(view, rng).dropped[1:]) for _ in range(4500))
    assert len(arrangements) > 40
    assert chi_square_is_plausible(seen, {key: ways / arrangements.total() for key, ways in arrangements.items()})


def test_unseen_events_are_dealt_uniformly_over_all_places() -> None:
    """CC 10: where an unseen single card lies: event pile, row, other hand, other's drops, or not dealt."""
    state = row_of_three(2)
    view = state.observe(0)
    card = next(event for event in undealt_events(state.deal) if EVENTS[event].copies == 1)
    rng, seen = Random(6), Counter[str]()
    for _ in range(3000):
        imagined = GAME.imagine(view, rng)
        places = {
            "pile": imagined.deal.event_pile[1:],
            "row": [event for _, event in imagined.event_row],
            "hand": imagined.hands[1],
            "dropped": imagined.dropped[1],
            "undealt": undealt_events(imagined.deal),
        }
        seen.update(name for name, events in places.items() if card in events)
    sizes = {"pile": 4, "row": 2, "hand": 2, "dropped": 2, "undealt": 10}
    assert chi_square_is_plausible(seen, {name: size / 20 for name, size in sizes.items()})


def test_a_half_dropped_pair_is_imagined_so_that_it_can_be_completed() -> None:
    """CC 10: the hidden first drop always leaves a second that is not lower, uniform over all such deals."""
    state = dealt(2, 3)
    first = state.to_act or 0
    state.apply(state.legal_actions()[0])
    watcher = 1 - first
    view = state.observe(watcher)
    pool = list((Counter(EVENT_DECK) - Counter(state.hands[watcher])).elements())
    ways = Counter[int]()
    for event in pool:
        ways[event] += comb(19, 4) - comb(sum(other < event for other in pool), 4)
    rng, seen = Random(7), Counter[int]()
    for _ in range(3000):
        imagined = GAME.imagine(view, rng)
        assert imagined.legal_actions()
        seen[imagined.dropped[first][0]] += 1
    assert chi_square_is_plausible(seen, {event: count / ways.total() for event, count in ways.items()})


def test_imagined_games_of_one_view_differ_and_play_to_the_end() -> None:
    """CC 10"""
    view = row_of_three(3).observe(1)
    ends = []
    for number in range(20):
        imagined, rng = GAME.imagine(view, Random(number)), Random(number)
        while imagined.to_act is not None:
            imagined.apply(rng.choice(imagined.legal_actions()))
        ends.append(str(imagined.observe(None)))
    assert len(set(ends)) == 20


def test_an_imagined_game_does_not_disturb_another_of_the_same_view() -> None:
    """CC 10: what is understood of a view once is shared, what is imagined is not."""
    view = row_of_three(3).observe(1)
    one, two = GAME.imagine(view, Random(1)), GAME.imagine(view, Random(1))
    before = two.observe(None)
    while one.to_act is not None:
        one.apply(one.legal_actions()[0])
    assert two.observe(None) == before
    assert GAME.imagine(view, Random(1)).observe(None) == before
