"""Whole games, byte for byte: a difference is a change of the rules to approve."""

from __future__ import annotations

import pytest

from engines.capone import GAME
from engines.perft import perft
from tests.engines.capone.golden import GAMES, path_of, played
from tests.engines.capone.table import turns


@pytest.mark.parametrize(("seats", "income", "seed"), GAMES)
def test_a_game_is_played_as_it_was_written_down(seats: int, income: str, seed: int) -> None:
    assert played(seats, income, seed) == path_of(seats, income).read_text(encoding="utf-8"), (
        "approve a change of the rules by python -m tests.engines.capone.golden"
    )


@pytest.mark.parametrize(
    ("seats", "counts"),
    [(3, [6, 21, 71, 254, 955, 4124]), (4, [6, 21, 71, 250, 866, 2991]), (6, [5, 15, 45, 140, 431, 1326])],
)
def test_the_number_of_ways_into_a_game_is_known(seats: int, counts: list[int]) -> None:
    state = GAME.new(seats=seats, seed=1)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


def test_the_number_of_ways_through_a_turn_is_known() -> None:
    table = turns(["casino takeover", "bank offer", "fbi bar"])
    table.station(1, "casino1", "secretary", guards=2)
    table.station(2, "bank1", "mamma", guards=1)
    table.jail(0, 2, "novice")
    assert [perft(table.state, depth) for depth in range(1, 6)] == [5, 16, 66, 318, 1559]
