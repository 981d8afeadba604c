"""The engine against the plain second telling of the rules."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from bots.kit.policies.gatsby import finish_turn
from engines.gatsby.game import GAME
from engines.gatsby.state import GatsbyState
from tests.engines.gatsby.reference import Reference, stars
from tests.engines.gatsby.scene import legal

Policy = Callable[[GatsbyState, Random], str]


def at_random(state: GatsbyState, rng: Random) -> str:
    return rng.choice(legal(state))


def keenly(state: GatsbyState, rng: Random) -> str:
    """At random, but mostly with every bonus and every special there is."""
    texts = legal(state)
    keen = [text for text in texts if text.startswith(("take:", "S"))]
    return rng.choice(keen if keen and rng.random() < 0.8 else texts)


def greedily(state: GatsbyState, rng: Random) -> str:
    """What leaves the best table at the end of the turn, with a slip now and then to see more of the game."""
    texts = legal(state)
    if rng.random() < 0.05:
        return rng.choice(texts)
    leads = {}
    for text in texts:
        child = state.copy()
        child.apply(child.parse(text))
        leads[text] = finish_turn(child, state.turn, rng, width=4)
    return max(leads, key=leads.__getitem__)


def seen_by(state: GatsbyState, seat: int) -> dict[str, Any]:
    """An observation, without what the rules don't speak of and without any order they don't give."""
    view = state.observe(seat)
    told = ("character", "face", "seen")
    return view | {
        "looked": [sorted(places) for places in view["looked"]],
        "claimed": [sorted(tuple(entry[key] for key in told) for entry in hand) for hand in view["claimed"]],
        "left_out": [sorted(specials) for specials in view["left_out"]],
        "drawn": sorted(view["pending"]["drawn"]) if view["pending"] else [],
    }


def compare(state: GatsbyState, plain: Reference) -> None:
    assert (state.to_act, set(legal(state))) == (plain.seat, plain.legal)
    for seat in (0, 1):
        seen, expected = seen_by(state, seat), plain.view(seat)
        assert {field: seen[field] for field in expected} == expected


def positions_compared(seed: int, policy: Policy) -> int:
    """Play a whole game in both tellings and compare choices and views at every ply."""
    state, rng = GAME.new(seed=seed), Random(seed)
    plain = Reference(state.observe(None))
    while state.to_act is not None:
        compare(state, plain)
        text = policy(state, rng)
        state.apply(state.parse(text))
        plain.choose(text)
    compare(state, plain)
    return state.ply + 1


@pytest.mark.parametrize(("policy", "games"), [(at_random, 30), (keenly, 30), (greedily, 3)])
def test_games_go_the_same_way_in_the_plain_telling(policy: Policy, games: int) -> None:
    assert all(positions_compared(seed, policy) > 20 for seed in range(games))


@pytest.mark.soak
@pytest.mark.parametrize(("policy", "games"), [(at_random, 2000), (keenly, 1500), (greedily, 300)])
def test_many_games_go_the_same_way_in_the_plain_telling(policy: Policy, games: int) -> None:
    assert all(positions_compared(seed, policy) > 20 for seed in range(1000, 1000 + games))


def test_the_better_character_lies_on_top_before_the_first_choice() -> None:
    """GA 3.2"""
    for seed in range(300):
        at = GAME.new(seed=seed).observe(None)["places"]
        assert stars(at["F5"]) <= stars(at["F20"])
        assert stars(at["R5"]) <= stars(at["R1"])
