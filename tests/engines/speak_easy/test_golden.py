"""Whole games and node counts: a difference is a change of the rules, to be approved or undone."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from engines import GAMES, State
from engines.perft import perft, play_plies
from tests.engines.speak_easy.golden_games import FOLDER, SEEDS, told
from tests.engines.speak_easy.reference import Reference
from tests.engines.speak_easy.setting import placed, position

GAME = GAMES["speak_easy"]


@pytest.mark.parametrize("name", sorted(SEEDS))
def test_a_golden_game_is_played_to_the_letter(name: str) -> None:
    assert told(SEEDS[name]) == (FOLDER / f"{name}.txt").read_text()


def test_node_counts_of_the_setup() -> None:
    assert [perft(GAME.new(), depth) for depth in (1, 2, 3, 4, 5)] == [11, 130, 1383, 2528, 26312]


def test_node_counts_of_the_first_moves() -> None:
    assert [perft(placed(), depth) for depth in (1, 2, 3)] == [35, 1228, 39461]


def test_node_counts_of_the_middle_of_a_game() -> None:
    state = play_plies(GAME.new(seed=7), 200, Random(7))
    assert [perft(state, depth) for depth in (1, 2, 3)] == [33, 1268, 42294]


def test_node_counts_of_an_open_board_with_kids() -> None:
    state = position("K@a6 8@c2 1@e2 S@b1 B@a1", "F@e9 K@c7 3@a9 S@d12 B@c12")
    assert [perft(state, depth) for depth in (1, 2, 3)] == [39, 1584, 54955]


def retold(state: State) -> Reference:
    """The same game in the plain telling."""
    plain = Reference(state.observe(None)["first"])
    for entry in state.observe(None)["log"]:
        plain.take(entry.split()[1])
    return plain


def slow_count(plain: Reference, depth: int) -> int:
    if depth == 1:
        return len(plain.legal())
    ways = 0
    for text in plain.legal():
        after = deepcopy(plain)
        after.take(text)
        ways += slow_count(after, depth - 1)
    return ways


def test_the_plain_telling_counts_the_same() -> None:
    assert [slow_count(Reference(first=0), depth) for depth in (1, 2, 3)] == [11, 130, 1383]
    assert slow_count(retold(placed()), 2) == 1228
    assert slow_count(retold(play_plies(GAME.new(seed=7), 200, Random(7))), 2) == 1268
