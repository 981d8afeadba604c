"""The engine against the plain second telling of the rules, at every ply of whole games."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from bots.house.capone.greedy import finish_turn
from bots.kit.values.capone import evaluate
from engines import State
from engines.capone import GAME
from tests.engines.capone.reference import Reference
from tests.engines.playing import Setup, is_sampled, setups_of, views

INCOMES = GAME.options["income"]
Player = Callable[[State, Random], int]


def anything(state: State, rng: Random) -> int:
    return rng.choice(state.legal_actions())


def eagerly(state: State, rng: Random) -> int:
    """Use a card where one has a use, bail whoever sits and keep no cash back, so that money and pieces run short."""
    texts = {state.format(action): action for action in state.legal_actions()}
    wanted = [text for text in texts if text.split()[0] in ("use", "bail")]
    most = [text for text in texts if text.startswith("invest")][-1:]
    return texts[rng.choice(wanted or most or list(texts))]


def greedily(state: State, rng: Random) -> int:
    """What leaves the seat best off once its turn is over, as the house bot of that name would have it."""
    seat, found = state.to_act, []
    assert seat is not None
    for action in state.legal_actions():
        after = state.copy()
        finish_turn(after, action, rng)
        found.append((evaluate(after)[seat], action))
    return max(found)[1]


def compared(seats: int, income: str, seed: int, player: Player) -> int:
    """Play one game both ways and compare all that is seen; the number of positions."""
    state, rng = GAME.new(seats=seats, seed=seed, income=income), Random(seed)

    def deal() -> tuple[list[list[str]], list[str]]:
        view = state.observe(None)
        return [list(hand) for hand in view["hands"]], list(view["pile"])

    plain = Reference(seats, income, state.observe(None)["first"], deal)
    while True:
        assert sorted(state.format(action) for action in state.legal_actions()) == sorted(plain.legal)
        assert views(state, seats) == plain.views()
        if state.to_act is None:
            return plain.ply + 1
        action = player(state, rng)
        text = state.format(action)
        state.apply(action)
        plain.answer(text)


@pytest.mark.parametrize("setup", [setup for setup in setups_of("capone") if is_sampled(setup)], ids=str)
def test_games_go_the_same_way_in_the_plain_telling(setup: Setup) -> None:
    for seed, player in enumerate((anything, greedily)):
        assert compared(setup.seats, dict(setup.options)["income"], seed, player) > 50


@pytest.mark.soak
@pytest.mark.parametrize("player", [anything, eagerly, greedily])
@pytest.mark.parametrize("income", INCOMES)
@pytest.mark.parametrize("seats", GAME.seats)
def test_many_games_go_the_same_way_in_the_plain_telling(seats: int, income: str, player: Player) -> None:
    for seed in range(1000, 1100):
        assert compared(seats, income, seed, player) > 50
