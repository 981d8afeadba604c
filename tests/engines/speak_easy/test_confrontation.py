"""SE 5: who is removed."""

from __future__ import annotations

import pytest

from tests.engines.speak_easy.setting import Piece, at, placed, play, position, seen_at

VALUES = "12345678"
REST = " 1@e2", " S@b12 1@e11"


def meet(mover: str, other: str) -> tuple[bool, bool]:
    """Whether the mover and whether the other is still on the board after they met."""
    state = play(position(f"{mover}@a6{REST[0]}", f"{other}@a7{REST[1]}"), "a6-a7")
    assert at(state, "a6") is None
    return at(state, "a7") == Piece(0, mover), at(state, "a7") == Piece(1, other)


@pytest.mark.parametrize("mover", VALUES)
@pytest.mark.parametrize("other", VALUES)
def test_the_higher_value_stays_and_equals_leave_together(mover: str, other: str) -> None:
    """SE 5"""
    assert meet(mover, other) == (mover > other, mover < other)


@pytest.mark.parametrize("mover", VALUES)
@pytest.mark.parametrize(("other", "stays"), [("K", True), ("B", False), ("F", False)])
def test_a_value_takes_a_kid_and_leaves_together_with_babe_and_fbi(mover: str, other: str, stays: bool) -> None:
    """SE 5"""
    assert meet(mover, other) == (stays, False)


@pytest.mark.parametrize("other", VALUES)
def test_a_kid_that_moves_onto_a_value_is_removed(other: str) -> None:
    """SE 5"""
    assert meet("K", other) == (False, True)


@pytest.mark.parametrize(("other", "stays"), [("K", False), ("B", True), ("F", False)])
def test_a_kid_takes_a_babe_and_leaves_together_with_kid_and_fbi(other: str, stays: bool) -> None:
    """SE 5"""
    assert meet("K", other) == (stays, False)


@pytest.mark.parametrize("other", [*VALUES, "K", "B", "F"])
def test_an_fbi_leaves_together_with_whatever_it_meets(other: str) -> None:
    """SE 5"""
    assert meet("F", other) == (False, False)


@pytest.mark.parametrize("mover", [*VALUES, "K", "F"])
def test_every_piece_wins_on_the_speakeasy(mover: str) -> None:
    """SE 5, SE 6.1"""
    state = play(position(f"{mover}@b11", "S@b12 1@e7"), "b11-b12")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.ranks, outcome.ending) == ((1, 2), "speakeasy")


def test_a_confrontation_is_logged_for_both_seats_with_cells_kinds_and_result() -> None:
    """SE 5.1"""
    state = play(placed(first=1), "a7-a6", "c6-c7", "e7-e6")
    for seat in (0, 1, None):
        view = state.observe(seat)
        assert view["log"][50:] == ["1 a7-a6 8x5", "0 c6-c7 6x6", "1 e7-e6 5x8"]
        assert view["confrontations"] == ["50 a7-a6 8x5 attacker", "51 c6-c7 6x6 both", "52 e7-e6 5x8 defender"]


def test_what_was_shown_of_a_survivor_stays_known_wherever_it_goes() -> None:
    """SE 5.1"""
    state = play(placed(first=1), "a7-a6", "b6-b5", "a6-b6")
    survivor = seen_at(state, "b6", seat=0)
    assert (survivor["home"], survivor["kind"], survivor["shown"]) == ("a7", "8", True)


def test_removed_pieces_leave_the_game() -> None:
    """SE 5.2"""
    state = play(placed(), "c6-c7")
    gone = [piece for piece in state.observe(0)["pieces"] if piece["cell"] is None]
    assert [(piece["seat"], piece["home"], piece["kind"]) for piece in gone] == [(0, "c6", "6"), (1, "c7", "6")]
    assert at(state, "c6") is at(state, "c7") is None
