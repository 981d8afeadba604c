"""The game that the arena is compared on with a peer is the one the peer plays."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from benchmarks.arena.games import COLUMNS, ROWS, ConnectFour, NoPlies, on_the_table
from engines import GAMES, IllegalAction, InvalidAction


def played(columns: str) -> object:
    state = ConnectFour().new()
    for column in columns:
        state.apply(state.parse(column))
    return state


@pytest.mark.parametrize(
    ("columns", "ranks"),
    [
        ("0101010", (1, 2)),  # a column
        ("00112233", (1, 2)),  # a row, found at its fourth disc
        ("01122323363", (1, 2)),  # a rising line
        ("65544343303", (1, 2)),  # a falling line
        ("60101010", (2, 1)),
    ],
)
def test_four_in_a_line_win(columns: str, ranks: tuple[int, ...]) -> None:
    state = ConnectFour().new()
    for column in columns:
        if state.to_act is None:
            break
        state.apply(state.parse(column))
    assert state.to_act is None
    assert state.outcome().ranks == ranks


def test_lines_do_not_run_on_from_the_top_of_a_column_to_the_next() -> None:
    state = played("0" * ROWS)
    for column in "112":  # seat 0 has the bottom of column 1, seat 1 the top of column 0
        state.apply(state.parse(column))
    assert state.to_act is not None


def lines(board: list[int]) -> list[list[int]]:
    """Every four places in a line, by a plain walk over the board."""
    found = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + step * down, column + step * right) for step in range(4)]
                if all(r < ROWS and 0 <= c < COLUMNS for r, c in places):
                    found.append([board[r * COLUMNS + c] for r, c in places])
    return found


def test_random_games_end_with_the_first_line_or_a_full_board() -> None:
    rng, endings = Random(4), Counter()
    for _ in range(500):
        state = ConnectFour().new()
        while state.to_act is not None:
            assert not any(line in ([1] * 4, [2] * 4) for line in lines(state.board()))
            state.apply(rng.choice(state.legal_actions()))
        has_line = any(line in ([1] * 4, [2] * 4) for line in lines(state.board()))
        assert has_line == (state.outcome().ranks != (1, 1))
        assert has_line or 0 not in state.board()
        endings[has_line] += 1
    assert set(endings) == {True, False}


def test_games_follow_each_other_on_an_empty_board_and_wins_are_counted() -> None:
    state = ConnectFour(games=3).new()
    for column in "0101010" + "60101010":
        state.apply(state.parse(column))
    assert (state.to_act, state.wins, set(state.board())) == (0, [1, 1], {0})
    for column in "2323232":
        state.apply(state.parse(column))
    assert (state.to_act, state.outcome().ranks, state.outcome().scores) == (None, (1, 2), (2.0, 1.0))


def test_a_full_column_and_a_wrong_word_are_refused() -> None:
    state = played("0" * ROWS)
    assert state.legal_actions() == list(range(1, COLUMNS))
    with pytest.raises(IllegalAction):
        state.apply(0)
    with pytest.raises(InvalidAction):
        state.parse("7")


def test_a_game_is_on_the_table_only_for_a_while() -> None:
    with on_the_table(NoPlies()):
        assert GAMES["no_plies"].new().to_act is None
    assert "no_plies" not in GAMES
