"""Golden games and node counts."""

from __future__ import annotations

import pytest

from engines.cotton_club.state import CottonClubState
from tests.engines.cotton_club.arranging import begun, dealt, loans_until_round
from tests.engines.cotton_club.playthroughs import GAMES, GOLDEN, play_through


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_golden_game_is_played_as_it_was_written_down(name: str) -> None:
    assert play_through(*GAMES[name]) == (GOLDEN / f"{name}.txt").read_text()


def perft(state: CottonClubState, depth: int) -> int:
    """Number of ways to play so many actions."""
    if depth == 1:
        return len(state.legal_actions())
    count = 0
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        count += perft(after, depth - 1)
    return count


@pytest.mark.parametrize(("seats", "depth", "nodes"), [(2, 4, 70), (2, 6, 16940), (3, 6, 700), (4, 5, 300)])
def test_node_counts_from_the_deal(seats: int, depth: int, nodes: int) -> None:
    assert perft(dealt(seats, 1), depth) == nodes


@pytest.mark.parametrize(("seats", "start", "depth", "nodes"), [(2, 1, 4, 20311), (3, 2, 5, 11016), (4, 5, 6, 39168)])
def test_node_counts_from_a_round(seats: int, start: int, depth: int, nodes: int) -> None:
    assert perft(loans_until_round(begun(seats), start), depth) == nodes
