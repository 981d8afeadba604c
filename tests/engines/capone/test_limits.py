"""The limits the game promises: choices, list lengths, sizes, and the page for bots in step with the code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from engines.capone import GAME, actions, history
from engines.capone.position import BAIL, CARD, INVEST, RETURN
from engines.capone.state import CaponeState
from tests.engines.capone.table import Table, turns

BOTS = (Path(__file__).parents[3] / "engines" / "capone" / "BOTS.md").read_text(encoding="utf-8")


def longest(state: CaponeState, rng: Random) -> int:
    """The choice that keeps a game going: no investment, most returns, most members named."""
    legal = state.legal_actions()
    if state.choice in (INVEST, RETURN):
        return legal[0] if state.choice == INVEST else legal[-1]
    puts = [action for action in legal if actions.PUT <= action < actions.SEND_GUARDS]
    return rng.choice(puts or legal)


@pytest.mark.parametrize("seats", [3, 6])
def test_a_game_drawn_out_for_40_years_stays_within_all_limits(seats: int) -> None:
    """CA 6.5"""
    state, rng = GAME.new(seats=seats, seed=1), Random(1)
    chosen, largest = [0] * seats, 0
    while state.to_act is not None:
        chosen[state.to_act] += 1
        if state.choice >= BAIL:
            largest = max(largest, len(json.dumps(state.observe(None))))
        state.apply(longest(state, rng))
    assert (state.year, state.outcome().ending) == (40, "year_limit")  # type: ignore[union-attr]
    assert max(chosen) <= GAME.max_choices
    assert largest < 24 * 1024


def test_every_action_and_its_number_are_those_of_the_page_for_bots() -> None:
    rows = re.findall(r"^\| (\d+)(?:–(\d+))? \| `(\w+)", BOTS, re.MULTILINE)
    told = [(int(first), int(last or first), verb) for first, last, verb in rows]
    spans: dict[str, list[int]] = {}
    for first, last, verb in told:
        spans.setdefault(verb, []).extend(range(first, last + 1))
    spelled = {verb: [a for a, text in enumerate(actions.TEXTS) if text.split()[0] == verb] for verb in actions.VERBS}
    assert spans == spelled


def test_every_word_of_an_action_stands_on_the_page_for_bots() -> None:
    for name in {word for text in actions.TEXTS for word in text.split() if not word.isdigit()}:
        assert f"`{name}" in BOTS or f"`{name.rstrip('12')}" in BOTS, name


@pytest.mark.parametrize("part", ["pending", "families"])
def test_the_keys_inside_fields_are_documented(part: str) -> None:
    view = GAME.new(seats=3, seed=1).observe(0)
    inside = view["pending"] if part == "pending" else view["families"][0]
    for key in inside:
        assert f"`{key}`" in BOTS, key


def test_a_copy_shares_nothing_that_changes() -> None:
    table = turns()
    twin = Table(table.state.copy())
    before = table.state.snapshot()
    twin.do("use bar", "at bar1", "put don", "guards 3")
    assert table.state.snapshot() == before


def test_the_example_on_the_page_for_bots_is_a_log_that_can_be() -> None:
    lines = BOTS.split("```\n")[1].splitlines()
    year = history.follow(history.read({"log": lines}), seats=3, first=2)
    assert (year.to_act, year.choice, year.hand_counts) == (2, CARD, [4, 4, 4])
