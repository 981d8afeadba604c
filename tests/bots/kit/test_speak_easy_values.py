"""What Speak Easy's evaluation and policy think of pieces, moves and layouts."""

from __future__ import annotations

from random import Random

import pytest

from bots.kit.policies.speak_easy import LAYOUTS, layout, likely_answer, looks_of
from bots.kit.search import random_policy
from bots.kit.values.speak_easy import DISTANCE, EXCHANGE, WIN, WORTH, evaluate, gains, pressure
from engines import GAMES
from engines.speak_easy.state import SpeakEasyState
from engines.speak_easy.tables import CELL_OF, CODES, KIND_OF

GAME = GAMES["speak_easy"]


def set_up(south: str, north: str) -> SpeakEasyState:
    state = GAME.new(seats=2, seed=1)
    for code in south + north:
        state.apply(state.parse(code))
    assert isinstance(state, SpeakEasyState)
    return state


def begun() -> SpeakEasyState:
    return set_up(layout(1), layout(2))


def fight(mover: str, other: str) -> float:
    return EXCHANGE[KIND_OF[mover]][KIND_OF[other]]


@pytest.mark.parametrize("rows", LAYOUTS)
def test_a_layout_can_be_placed_as_it_is_and_mirrored(rows: str) -> None:
    straight, mirrored = rows.replace(" ", ""), "".join(row[::-1] for row in rows.split())
    assert set_up(straight, mirrored).ending is None
    assert set_up(mirrored, straight).ending is None


def test_seeds_give_every_layout_and_its_mirror_image() -> None:
    assert len({layout(seed) for seed in range(200)}) == 2 * len(LAYOUTS)
    assert layout(7) == layout(7)


def test_exchanges_are_worth_what_the_rules_make_of_them() -> None:
    assert fight("8", "7") == WORTH["7"]
    assert fight("1", "8") == -WORTH["1"]
    assert fight("4", "4") == 0
    assert fight("F", "8") > 0 > fight("F", "1")
    assert fight("K", "B") > 0 > fight("7", "B")
    assert all(fight(code, "S") == WIN for code in CODES if code not in "BS")


def test_the_way_to_a_bar_is_shortest_from_next_to_it() -> None:
    way = DISTANCE[CELL_OF["b12"]]
    assert way[CELL_OF["b12"]] == 0
    assert way[CELL_OF["b11"]] == 1
    assert way[CELL_OF["a3"]] < way[CELL_OF["b4"]]  # a street is quicker than a shorter way off it


def test_a_winning_move_gains_most_and_is_found_by_the_enemy() -> None:
    for seed in range(40):
        state, rng = begun(), Random(seed)
        while state.to_act is not None:
            if max(gains(state).values()) == WIN:
                answer, gained = likely_answer(state, looks_of(state, 1 - state.to_act))
                assert gained == WIN
                state.apply(answer)
                assert state.ending == "speakeasy"
                return
            state.apply(random_policy(state, rng))
    pytest.fail("no random game came to a winning move")


def test_chances_lie_between_0_and_1_and_are_even_at_the_start() -> None:
    state, rng = set_up(layout(1), layout(1)), Random(1)
    assert evaluate(state) == pytest.approx([0.5, 0.5], abs=0.02)
    while state.to_act is not None:
        mine, yours = evaluate(state)
        assert 0 <= mine <= 1
        assert mine + yours == pytest.approx(1)
        state.apply(random_policy(state, rng))


def test_pressure_grows_as_pieces_come_near() -> None:
    state = begun()
    before = pressure(state, state.first)
    marches = gains(state)
    state.apply(max(marches, key=marches.__getitem__))
    assert pressure(state, state.first) > before
