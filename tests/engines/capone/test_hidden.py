"""CA 9: what a seat knows, that nothing else leaks, and what it may imagine."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from engines.capone import GAME, rebuild, tables
from engines.capone.state import CaponeState, empty_table
from tests.engines.capone.table import Table, kinds, new


def midgame(seats: int = 3, seed: int = 11, plies: int = 24) -> CaponeState:
    """A game after some random choices: cards returned, used and discarded."""
    state, rng = GAME.new(seats=seats, seed=seed), Random(seed)
    for _ in range(plies):
        state.apply(rng.choice(state.legal_actions()))
    return state


def test_a_seat_sees_its_own_cards_all_counts_and_no_others() -> None:
    """CA 9"""
    state = midgame()
    for seat in range(3):
        view = state.observe(seat)
        for field in ("hands", "returned", "unshown"):
            assert [cards is not None for cards in view[field]] == [other == seat for other in range(3)]
        assert view["pile"] is None
        assert view["pile_count"] == len(state.pile)
        assert [family["hand_count"] for family in view["families"]] == [len(hand) for hand in state.hands]
        assert not any(line.endswith("?") for line in view["log"] if line.startswith(f"{seat} "))


def swap_in_snapshot(snapshot: dict[str, Any], field: str, seat: int) -> None:
    """Exchange a hidden card of that seat with one of another kind in the draw pile."""
    cards, pile = snapshot[field][seat], snapshot["pile"]
    at = next(n for n, card in enumerate(pile) if card not in cards)
    old, cards[0], pile[at] = cards[0], pile[at], cards[0]
    verb = {"returned": "return", "unshown": "discard"}.get(field)
    if verb:
        line = snapshot["log"].index(f"{seat} {verb} {old}")
        snapshot["log"][line] = f"{seat} {verb} {cards[0]}"
    if field != "unshown":
        cards.sort(key=tables.CARDS.index)
    snapshot["log"] = sorted_returns(snapshot, seat)


def sorted_returns(snapshot: dict[str, Any], seat: int) -> list[str]:
    """The log with the returns of a seat in the order of its returned cards."""
    cards = iter(snapshot["returned"][seat])
    return [f"{seat} return {next(cards)}" if line.startswith(f"{seat} return") else line for line in snapshot["log"]]


@pytest.mark.parametrize("field", ["hands", "returned", "unshown"])
def test_changing_a_hidden_card_changes_what_all_eyes_see_and_not_what_others_see(field: str) -> None:
    """CA 9"""
    state = next(s for s in map(midgame, [3] * 50, range(50)) if all(getattr(s, field)))
    snapshot = json.loads(json.dumps(state.snapshot()))
    swap_in_snapshot(snapshot, field, 1)
    changed = GAME.restore(snapshot)
    assert changed.observe(None) != state.observe(None)
    assert changed.observe(1) != state.observe(1)
    assert [changed.observe(seat) for seat in (0, 2)] == [state.observe(seat) for seat in (0, 2)]


def test_the_order_of_the_draw_pile_is_seen_by_nobody() -> None:
    """CA 9"""
    state = midgame()
    snapshot = state.snapshot()
    snapshot["pile"] = snapshot["pile"][::-1]
    changed = GAME.restore(snapshot)
    assert changed.observe(None) != state.observe(None)
    assert [changed.observe(seat) for seat in range(3)] == [state.observe(seat) for seat in range(3)]


def small_case() -> CaponeState:
    """Seat 0 has yet to exchange last; three kinds are unseen: one in a hand, one returned, the others in the pile."""
    state = empty_table(seats=3, seed=1, income="pieces")
    deck = list(tables.DECK[3])
    state.year, state.first, state.to_act = 1, 1, 1
    state.hands = [tuple(deck[n : n + 5]) for n in (0, 5, 10)]
    state.pile = tuple(deck[15:])
    Table(state).do(f"return {tables.CARDS[deck[5]]}", "done", "done")
    return state


def test_every_card_is_equally_likely_wherever_it_is_hidden() -> None:
    """CA 9: each unseen card takes each hidden place with the same chance."""
    state = small_case()
    view = state.observe(0)
    unseen = Counter(tables.DECK[3]) - Counter(state.hands[0])
    rounds, rng = 2000, Random(7)
    seen: dict[str, Counter[int]] = {"returned": Counter(), "hand": Counter(), "top": Counter(), "bottom": Counter()}
    for _ in range(rounds):
        imagined = GAME.imagine(view, rng)
        seen["returned"].update(imagined.returned[1])
        seen["hand"].update(imagined.hands[2])
        seen["top"][imagined.pile[0]] += 1
        seen["bottom"][imagined.pile[-1]] += 1
    for found in seen.values():
        share = {kind: found.total() * count / unseen.total() for kind, count in unseen.items()}
        chi_square = sum((found[kind] - expected) ** 2 / expected for kind, expected in share.items())
        assert set(found) <= set(unseen)
        assert chi_square < 52.6  # 24 degrees of freedom at most, p = 0.0007


FIVE = ("bakery", "laundry", "grocery", "cinema", "garage")


def five_unseen() -> CaponeState:
    """Year 1 before the last round: five cards of five kinds are unseen by seat 0, in five different hidden places."""
    state = empty_table(seats=3, seed=1, income="pieces")
    state.year, state.to_act = 1, 0
    state.hands = [kinds("bar " * 5), kinds("casino casino casino cinema garage"), kinds("bank bank bank bank bakery")]
    state.pile = (*kinds("laundry"), *kinds("grocery"))
    table = Table(state)
    table.do("done", "done", "return bakery", "done")
    for casino, bank in ((4, 6), (1, 1), (1, 1)):
        table.do("use bar", "at bar1", "guards 1")
        table.do("use casino", "at casino1", f"guards {casino}")
        table.do("use bank", "at bank1", f"guards {bank}")
    table.do("use bar", "at bar1", "guards 1", "discard cinema", "use bank", "at bank1", "put novice", "guards 0")
    return state


def test_every_arrangement_of_a_small_case_occurs_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """CA 9: five cards in two hands, a discard, a return and the pile; the deck is cut to what is played."""
    deck = kinds("bar " * 5 + "casino " * 3 + "bank " * 4 + " ".join(FIVE))
    monkeypatch.setitem(tables.DECK, 3, deck)
    monkeypatch.setitem(rebuild.COPIES, 3, [deck.count(kind) for kind in range(len(tables.CARDS))])
    view, rng = five_unseen().observe(0), Random(3)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(3600):
        state = GAME.imagine(view, rng)
        found[state.hands[1] + state.unshown[1] + state.hands[2] + state.returned[2] + state.pile] += 1
    assert set(found) == set(permutations(kinds(" ".join(FIVE))))
    assert sum((count - 30) ** 2 / 30 for count in found.values()) < 173  # 119 degrees of freedom, p = 0.001


@pytest.mark.parametrize("seats", [3, 6])
def test_imagined_games_take_their_future_from_the_source_given(seats: int) -> None:
    """CA 9"""
    view = midgame(seats).observe(1)
    decks = {tuple(GAME.imagine(view, Random(n)).pile) for n in range(8)}
    assert len(decks) == 8
    assert len({GAME.imagine(view, Random(n)).seed for n in range(8)}) == 8


def test_what_all_eyes_see_can_be_imagined_exactly() -> None:
    state = midgame()
    assert GAME.imagine(state.observe(None), Random(1)).observe(None) == state.observe(None)


@pytest.mark.parametrize("seed", range(6))
def test_a_seat_recognises_what_it_imagines_at_every_moment_of_a_year(seed: int) -> None:
    """CA 9"""
    state, rng = new(3 + seed % 4, seed=seed).state, Random(seed)
    while state.year < 3 and state.to_act is not None:
        seat = rng.randrange(state.seats)
        view = json.loads(json.dumps(state.observe(seat)))
        imagined = GAME.imagine(view, rng)
        assert imagined.observe(seat) == view
        if seat == state.to_act:
            assert imagined.legal_actions() == state.legal_actions()
        state.apply(rng.choice(state.legal_actions()))


def test_the_log_holds_the_current_year_only() -> None:
    state, rng = new(3, seed=2).state, Random(2)
    while state.year < 3:
        assert len(state.observe(0)["log"]) <= 130
        state.apply(rng.choice(state.legal_actions()))
    assert state.observe(0)["log"] == []


@pytest.mark.parametrize("seed", range(4))
def test_the_public_view_follows_from_every_seats_own(seed: int) -> None:
    """CA 9"""
    state, rng = new(3 + seed, seed=seed).state, Random(seed)
    while state.to_act is not None and state.year < 4:
        for seat in range(state.seats):
            assert GAME.imagine(state.observe(seat), rng).public() == state.public()
        state.apply(rng.choice(state.legal_actions()))


def test_the_public_view_shows_no_card_that_any_seat_does_not_see() -> None:
    """CA 9"""
    state = next(s for s in map(midgame, [3] * 50, range(50)) if any(s.unshown) and any(s.returned))
    public = state.public()
    assert public["seat"] is None
    assert public["pile"] is None
    for field in ("hands", "returned", "unshown"):
        assert public[field] == [None] * 3
    hidden = [line for line in public["log"] if line.split()[1] in ("return", "discard")]
    assert hidden
    assert all(line.endswith("?") for line in hidden)
    assert {**state.observe(0), **public} == public
