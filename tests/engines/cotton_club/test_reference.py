"""The engine against the plain second telling of the rules."""

from __future__ import annotations

from random import Random

import pytest

from engines.cotton_club import GAME
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import TYPES
from tests.engines.cotton_club.arranging import legal
from tests.engines.cotton_club.reference import STEPS, Reference


def facts(state: CottonClubState) -> dict[str, object]:
    view = state.observe(None)
    return {
        "money": [club["money"] for club in view["clubs"]],
        "reputation": [club["reputation"] for club in view["clubs"]],
        "cards": [club["cards"] for club in view["clubs"]],
        "rows": [view["rows"][name] for name in TYPES],
        "levels": [view["tracks"][name]["levels"] for name in STEPS],
        "orders": [view["tracks"][name]["order"] for name in STEPS],
        "hands": view["hands"],
        "turn_order": view["turn_order"],
    }


def facts_of(plain: Reference) -> dict[str, object]:
    return {
        "money": plain.money,
        "reputation": plain.reputation,
        "cards": plain.clubs,
        "rows": [plain.row[name] for name in TYPES],
        "levels": [[plain.level(name, seat) for seat in range(plain.seats)] for name in STEPS],
        "orders": [plain.tracks[name].first_to_last() for name in STEPS],
        "hands": plain.hands,
        "turn_order": plain.order,
    }


def check_one_game(seats: int, seed: int) -> None:
    """Play at random, with a taste for cards, and compare choices and facts at every ply."""
    state, rng = GAME.new(seats=seats, seed=seed), Random(seed)
    plain = Reference(seats, state.snapshot()["deal"])
    while state.to_act is not None:
        texts = legal(state)
        assert (state.to_act, set(texts)) == (plain.seat, plain.legal)
        assert facts(state) == facts_of(plain)
        cards = [text for text in texts if text.startswith("take")]
        text = rng.choice(cards if cards and rng.random() < 0.5 else texts)
        state.apply(state.parse(text))
        plain.ask(text)
    outcome = state.outcome()
    assert outcome is not None
    assert plain.seat is None
    assert facts(state) == facts_of(plain)
    assert list(outcome.scores) == plain.scores()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_go_the_same_way_in_the_plain_telling(seats: int) -> None:
    for seed in range(12):
        check_one_game(seats, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_many_random_games_go_the_same_way_in_the_plain_telling(seats: int) -> None:
    for seed in range(1000, 1400):
        check_one_game(seats, seed)
