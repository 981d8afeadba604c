"""Whole games, byte for byte, and the number of ways into one: a difference is a change of the rules to approve."""

from __future__ import annotations

from random import Random

import pytest

from engines import State
from engines.gatsby.game import GAME
from engines.perft import perft, play_plies
from tests.engines.gatsby.golden import SEEDS, path_of, played
from tests.engines.gatsby.scene import play, scene


@pytest.mark.parametrize("seed", SEEDS)
def test_a_game_is_played_as_it_was_written_down(seed: int) -> None:
    assert played(seed) == path_of(seed).read_text(encoding="utf-8"), (
        "approve a change of the rules by python -m tests.engines.gatsby.golden"
    )


def counts(state: State, depths: int) -> list[int]:
    return [perft(state, depth) for depth in range(1, depths + 1)]


def test_the_number_of_ways_into_a_game_is_known() -> None:
    assert counts(GAME.new(seed=1), 6) == [2, 8, 32, 144, 510, 2098]


def test_the_number_of_ways_from_the_middle_of_a_game_is_known() -> None:
    assert counts(play_plies(GAME.new(seed=2), 50, Random(2)), 4) == [10, 22, 71, 318]


def test_the_number_of_ways_through_bonuses_is_known() -> None:
    state = scene(
        tracks=("01...", "10...", "01.1.", "...", "10."), slots=("S9", "S7"), floors=(6, 6), claimed={"F5": 1}
    )
    assert counts(state, 4) == [5, 20, 56, 248]


def test_the_number_of_ways_through_a_special_with_swaps_is_known() -> None:
    # 12 * 11 / 2 pairs, then 2 own tokens by 3 of the other seat, then an action
    assert counts(play(scene(slots=("S7", None), tracks=("0101.", ".....", ".....", "...", "...")), "S7"), 5) == [
        11,
        66,
        132,
        396,
        1584,
    ]
