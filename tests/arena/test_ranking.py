"""Ranks with faults, as the rules of the table say."""

from __future__ import annotations

import pytest

from arena import Fault, is_cut, is_void, ranks_with_faults


def at(seat: int, ply: int) -> Fault:
    return Fault(seat, "crash", "act", ply)


def start(seat: int) -> Fault:
    return Fault(seat, "timeout", "start", 0)


CASES: dict[str, tuple[int, tuple[Fault, ...], tuple[int, ...] | None, tuple[int, ...]]] = {
    "no fault": (3, (), (2, 1, 3), (2, 1, 3)),
    "no fault, a tie": (3, (), (1, 1, 3), (1, 1, 3)),
    "the one without fault wins": (2, (at(0, 5),), None, (2, 1)),
    "the winner of the engine is out": (3, (at(1, 5),), (2, 1, 3), (1, 3, 2)),
    "a later fault ranks above an earlier one": (3, (at(2, 3), at(0, 7)), None, (2, 1, 3)),
    "the same ply shares": (3, (at(0, 4), at(2, 4)), None, (2, 1, 2)),
    "both at start share": (3, (start(0), start(1)), None, (2, 2, 1)),
    "start is before ply 0": (3, (start(2), at(0, 0)), None, (2, 1, 3)),
    "all at start": (2, (start(0), start(1)), None, (1, 1)),
    "everybody failed, not all at start": (2, (start(0), at(1, 0)), None, (2, 1)),
    "ties among the clean stay ties": (4, (at(1, 9),), (3, 1, 3, 2), (2, 4, 2, 1)),
}


@pytest.mark.parametrize("case", CASES)
def test_ranks(case: str) -> None:
    seats, faults, ranks, wanted = CASES[case]
    assert ranks_with_faults(seats, faults, ranks) == wanted


def test_a_match_is_void_only_when_every_seat_failed_at_start() -> None:
    assert is_void(2, [start(0), start(1)])
    assert not is_void(2, [start(0), at(1, 0)])
    assert not is_void(3, [start(0), start(1)])


def test_a_game_is_cut_when_fewer_than_two_seats_are_left() -> None:
    assert is_cut(2, [at(0, 1)])
    assert not is_cut(3, [at(0, 1)])
    assert is_cut(3, [at(0, 1), at(1, 2)])
    assert not is_cut(2, [])
