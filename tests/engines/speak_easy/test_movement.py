"""SE 4: where a piece may go."""

from __future__ import annotations

import re

import pytest

from engines import GAMES, IllegalAction
from tests.engines.speak_easy.setting import Piece, at, moves_from, placed, play, position

PAGE = (GAMES["speak_easy"].folder / "RULES.md").read_text()
FAR = "S@b12 1@e12"  # a North that is out of the way


def test_a_turn_is_one_move_and_nobody_passes() -> None:
    """SE 4.1"""
    state = placed()
    assert state.to_act == 0
    assert all("-" in state.format(action) for action in state.legal_actions())
    assert play(state, "a6-a7").to_act == 1


def test_a_kid_never_ends_its_run_where_it_began() -> None:
    """SE 4.1"""
    state = position("K@a6", FAR)
    assert "a6" not in moves_from(state, "a6")
    assert "a7" in moves_from(state, "a6")


def test_a_piece_never_enters_a_cell_with_an_own_piece() -> None:
    """SE 4.2"""
    state = position("4@c3 1@c2 2@c4", FAR)
    assert moves_from(state, "c3") == {"b3", "d3"}
    with pytest.raises(IllegalAction, match="c3-c2: an own piece stands on c2"):
        play(state, "c3-c2")


def test_a_run_passes_through_no_piece_of_either_seat() -> None:
    """SE 4.2"""
    state = position("4@a6 B@c6", "1@a9 S@b12")
    assert moves_from(state, "a6") == {"b6", "a5", "a4", "a3", "a2", "a7", "a8", "a9", "b5"}
    with pytest.raises(IllegalAction, match="a6-a10: the street from a6 to a10 is blocked"):
        play(state, "a6-a10")


@pytest.mark.parametrize(
    ("cell", "ends"),
    [
        ("c3", "b3 d3 c2 c4"),
        ("b3", "a2 b2 c2 a3 c3 a4 b4 c4"),
        ("b1", "a1 c1 b2"),
        ("c4", "b3 c3 d3 b4 d4 b5 c5 d5"),
    ],
)
def test_a_piece_steps_one_cell_along_any_line(cell: str, ends: str) -> None:
    """SE 4.3"""
    assert moves_from(position(f"5@{cell}", FAR), cell) == set(ends.split())


def test_a_piece_on_a_street_runs_straight_to_any_empty_cell_or_the_first_enemy() -> None:
    """SE 4.4"""
    state = position("5@a2", "1@a5 B@d2 S@b12 1@e12")
    assert moves_from(state, "a2") == {"a1", "b2", "c2", "d2", "a3", "a4", "a5", "b3"}


def test_a_run_may_cross_the_middle_on_three_columns() -> None:
    """SE 4.4, SE 1.3"""
    assert "a11" in moves_from(position("5@a2", FAR), "a2")
    assert "e11" in moves_from(position("5@e2", FAR), "e2")
    assert "c7" in moves_from(position("5@c6", FAR), "c6")
    assert not {"c4", "c8"} & moves_from(position("5@c6", FAR), "c6")
    assert "b7" not in moves_from(position("5@b6", FAR), "b6")


def test_a_piece_that_is_no_kid_does_not_turn() -> None:
    """SE 4.4"""
    state = position("5@a4", FAR)
    assert not moves_from(state, "a4") & {"b2", "b6", "c6", "e2"}
    with pytest.raises(IllegalAction, match="a4-b6: only a Kid turns corners"):
        play(state, "a4-b6")


def test_a_kid_turns_as_often_as_it_likes() -> None:
    """SE 4.5"""
    streets = {f"{column}{row}" for column in "abcde" for row in (2, 6, 7, 11)}
    streets |= {f"{column}{row}" for column in "ae" for row in range(2, 12)}
    assert moves_from(position("K@a4", FAR), "a4") == streets - {"a4"} | {"b3", "b4", "b5"}


def test_a_kid_runs_over_empty_streets_only_and_may_end_on_an_enemy() -> None:
    """SE 4.5"""
    state = position("K@a4 B@a2", "3@c6 1@a7 S@b12")
    assert moves_from(state, "a4") == {"a3", "a5", "a6", "a7", "b6", "c6", "b3", "b4", "b5"}


def test_the_picture_of_a_kids_run_is_true() -> None:
    """SE 4.5"""
    rows = re.findall(
        r"^ +(\d+) +((?:[SAHo*xK] ){4}[SAHo*xK])$", PAGE.split("For example, the Kid", 1)[1], re.MULTILINE
    )
    marks = {f"{column}{row}": mark for row, line in rows for column, mark in zip("abcde", line.split(), strict=True)}
    own = " ".join(f"1@{cell}" for cell, mark in marks.items() if mark == "o")
    runs = {cell for cell, mark in marks.items() if mark in "*x"}
    assert moves_from(position(f"K@a4 {own}", "3@d6 S@b12 1@e12"), "a4") == runs | {"b3", "b4", "b5"}
    assert moves_from(position(f"4@a4 {own}", "3@d6 S@b12 1@e12"), "a4") == {"a3", "a5", "a6", "b3", "b4", "b5"}


def test_a_kid_without_a_way_is_told_so() -> None:
    """SE 4.5"""
    state = position("K@a4 B@a5 B@a3", FAR)
    with pytest.raises(IllegalAction, match="a4-a6: no way through empty streets leads from a4 to a6"):
        play(state, "a4-a6")


def test_a_kid_goes_round_a_piece_that_blocks_the_direct_way() -> None:
    """SE 4.5"""
    state = position("K@a4", "B@a5 S@b12 1@e12")
    assert {"a5", "a6", "a7"} <= moves_from(state, "a4")


def test_a_kid_off_the_streets_only_steps() -> None:
    """SE 4.5, SE 4.6"""
    assert moves_from(position("K@c3", FAR), "c3") == {"b3", "d3", "c2", "c4"}


def test_a_run_never_enters_or_leaves_an_alley_a_bar_or_a_building() -> None:
    """SE 4.6"""
    assert not moves_from(position("K@a2", FAR), "a2") & {"b1", "c3", "b4", "d1"}
    assert not moves_from(position("5@a3", FAR), "a3") & {"c3", "a1", "b1"}
    assert moves_from(position("5@a1", FAR), "a1") == {"b1", "a2"}


def test_a_building_held_by_an_enemy_cannot_be_entered() -> None:
    """SE 4.7"""
    state = position("8@a3", "1@b3 S@b12")
    assert "b3" not in moves_from(state, "a3")
    with pytest.raises(IllegalAction, match="a3-b3: the building b3 is held by the enemy"):
        play(state, "a3-b3")


def test_a_piece_in_a_building_may_attack_from_it_and_use_any_building() -> None:
    """SE 4.7"""
    state = position("8@b10", "1@a10 S@b12")
    assert at(play(state, "b10-a10"), "a10") == Piece(0, "8")
    assert "b10" in moves_from(position("8@a10", FAR), "a10")


def test_a_bar_held_by_an_enemy_is_attacked() -> None:
    """SE 4.8"""
    state = play(position("8@c12", "1@d12 S@b12 1@e7"), "c12-d12")
    assert at(state, "d12") == Piece(0, "8")
    assert state.outcome() is None


def test_an_empty_bar_is_entered_and_left_without_effect() -> None:
    """SE 4.8"""
    state = play(position("8@c12", FAR), "c12-d12", "e12-e11")
    assert state.outcome() is None
    assert moves_from(state, "d12") == {"c12", "e12", "d11"}


@pytest.mark.parametrize(("code", "name"), [("B", "Babe"), ("S", "Speakeasy")])
def test_babe_and_speakeasy_never_move(code: str, name: str) -> None:
    """SE 4.9"""
    state = position(f"{code}@b1 1@e1", FAR)
    assert moves_from(state, "b1") == set()
    with pytest.raises(IllegalAction, match=f"b1-a1: the {name} never moves"):
        play(state, "b1-a1")


def test_only_the_seat_to_act_moves_its_own_pieces() -> None:
    """SE 4.1"""
    with pytest.raises(IllegalAction, match="a7-a6: seat 0 has no piece on a7"):
        play(placed(), "a7-a6")
    with pytest.raises(IllegalAction, match="K: all pieces are placed"):
        play(placed(), "K")
