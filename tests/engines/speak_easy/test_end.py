"""SE 6: how a game ends."""

from __future__ import annotations

from random import Random

import pytest

from engines import GAMES, IllegalAction
from tests.engines.playing import play_on
from tests.engines.speak_easy.setting import Piece, at, play, position


def told(state) -> tuple[tuple[int, ...], tuple[float, ...], str] | None:
    outcome = state.outcome()
    return None if outcome is None else (outcome.ranks, outcome.scores, outcome.ending)


def test_entering_the_speakeasy_wins_and_is_logged_like_any_confrontation() -> None:
    """SE 6.1"""
    state = play(position("S@b1 1@e6", "3@b2 S@d12", to_act=1), "b2-b1")
    assert told(state) == ((2, 1), (0.0, 1.0), "speakeasy")
    assert at(state, "b1") == Piece(1, "3")
    assert state.shown.bit_count() == 2
    view = play_on(GAMES["speak_easy"].new(seed=1), Random(1)).observe(None)
    assert view["outcome"]["ending"] == "speakeasy"
    assert view["confrontations"][-1].endswith("xS speakeasy")
    assert view["log"][-1].endswith("xS")


def test_a_seat_without_a_legal_move_loses() -> None:
    """SE 6.2"""
    state = play(position("8@c6", "1@a12 B@a11 S@b12"), "c6-c7")
    assert told(state) == ((1, 2), (1.0, 0.0), "no_move")
    assert state.to_act is None


def test_the_seat_to_move_loses_even_if_the_other_has_no_move_either() -> None:
    """SE 6.2"""
    state = play(position("F@c6 S@b1", "F@c7 S@b12"), "c6-c7")
    assert told(state) == ((1, 2), (1.0, 0.0), "no_move")


def test_a_seat_that_lost_its_last_mobile_piece_loses_only_when_its_turn_comes() -> None:
    """SE 6.2"""
    state = position("1@a6 S@b1", "8@a7 2@e7 S@b12")
    play(state, "a6-a7")
    assert told(state) is None
    assert state.to_act == 1
    assert told(play(state, "e7-e8")) == ((2, 1), (0.0, 1.0), "no_move")


def test_a_hundred_quiet_moves_are_a_draw() -> None:
    """SE 6.3"""
    state = position("8@c6 S@b1", "8@a12 S@b12", quiet=98, moves=98)
    assert told(play(state, "c6-b6")) is None
    assert told(play(state, "a12-a11")) == ((1, 1), (0.5, 0.5), "quiet")


@pytest.mark.parametrize(("mover", "other"), [("8", "1"), ("1", "8"), ("F", "8")])
def test_any_removal_starts_the_quiet_count_again(mover: str, other: str) -> None:
    """SE 6.3"""
    state = play(position(f"{mover}@c6 1@e2 S@b1", f"{other}@c7 1@e11 S@b12", quiet=99, moves=99), "c6-c7")
    assert told(state) is None
    assert state.quiet == 0
    assert play(state, "e11-e10").quiet == 1


def test_the_thousandth_move_is_a_draw() -> None:
    """SE 6.3"""
    state = position("8@c6 S@b1", "8@a12 S@b12", quiet=3, moves=998)
    assert told(play(state, "c6-b6")) is None
    assert told(play(state, "a12-a11")) == ((1, 1), (0.5, 0.5), "ply_limit")


def test_the_speakeasy_comes_before_no_move_and_no_move_before_a_draw() -> None:
    """SE 6.4"""
    last = {"quiet": 99, "moves": 999}
    assert told(play(position("8@b11", "S@b12", **last), "b11-b12")) == ((1, 2), (1.0, 0.0), "speakeasy")
    assert told(play(position("8@c6", "S@b12", **last), "c6-c7")) == ((1, 2), (1.0, 0.0), "no_move")
    assert told(play(position("8@c6", "S@b12 1@e7", **last), "c6-d6")) == ((1, 1), (0.5, 0.5), "quiet")
    assert told(play(position("1@c6", "8@c7 S@b12", **last), "c6-c7")) == ((1, 1), (0.5, 0.5), "ply_limit")


def test_a_finished_game_takes_no_more_moves() -> None:
    """SE 6.4"""
    state = play(position("8@b11 1@e2", "S@b12 1@e7"), "b11-b12")
    with pytest.raises(IllegalAction, match="e7-e6: the game is over"):
        play(state, "e7-e6")
