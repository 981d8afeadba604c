"""Snapshots: who moves first, what was placed, every move."""

from __future__ import annotations

import pytest

from engines import GAMES, InvalidSnapshot
from tests.engines.speak_easy.setting import NORTH, SOUTH, placed, play

GAME = GAMES["speak_easy"]


def test_a_snapshot_tells_the_placements_and_the_moves() -> None:
    assert play(placed(first=1), "c7-c6", "b6-b5").snapshot() == {
        "game": "speak_easy",
        "rules_version": 1,
        "seats": 2,
        "options": {},
        "seed": "0",
        "first": 1,
        "placements": [SOUTH, NORTH],
        "moves": ["c7-c6", "b6-b5"],
    }


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("game", "gatsby", "gatsby"), ("rules_version", 2, "rules_version: expected 1, not 2"),
        ("seats", 3, "seats: .*, not 3"), ("seats", 2.0, "seats: .*, not 2.0"), ("options", {"a": 1}, "options"),
        ("options", [], "options"), ("seed", 7, "seed: .*, not 7"), ("seed", "-1", "seed"), ("seed", "07", "seed"),
        ("seed", "9" * 40, "seed"), ("seed", "٣", "seed"), ("seed", str(1 << 128), "seed"),
        ("first", 2, "first: .*, not 2"), ("first", True, "first"), ("first", "0", "first"),
        ("placements", None, "placements: expected a list"), ("placements", [1, 2], r"placements\[0\]"),
        ("placements", [SOUTH], "placements: expected 2 entries"), ("placements", [SOUTH, None], r"placements\[1\]"),
        ("placements", [SOUTH[:5], NORTH], "5 pieces are not the 25 a seat places"),
        ("placements", [SOUTH + NORTH, ""], "50 pieces are not"), ("placements", [SOUTH, NORTH, ""], "2 entries"),
        ("placements", ["S" + SOUTH[1:], NORTH], "ply 0 can't be played: S: the Speakeasy stands on a bar"),
        ("placements", ["X" + SOUTH[1:], NORTH], r"placements\[0\]: .*, not 'X'"),
        ("placements", [SOUTH, NORTH + "1"], "ply 50 can't be played: 1: all pieces are placed"),
        ("placements", [SOUTH, NORTH[:7]], "ply 32 can't be played: c6-c7: pieces are still being placed"),
        ("moves", "c6-c7", "moves"), ("moves", ["c6-c7", "c6-c7"], "ply 51 .*: c6-c7: seat 1 has no piece"),
        ("moves", ["K"], r"moves\[0\]: .*, not 'K'"), ("moves", ["a1-e12"], r"moves\[0\]: .*, not 'a1-e12'"),
        ("moves", ["a7-a6"], "ply 50 can't be played"),
    ],
)  # fmt: skip
def test_a_snapshot_that_no_state_could_have_written_is_refused(field: str, value: object, reason: str) -> None:
    snapshot = {**play(placed(), "c6-c7").snapshot(), field: value}
    with pytest.raises(InvalidSnapshot, match=reason):
        GAME.restore(snapshot)


def test_placements_are_not_taken_from_the_moves() -> None:
    snapshot = {**play(GAME.new(), "B").snapshot(), "moves": ["F"]}
    with pytest.raises(InvalidSnapshot, match=r"moves\[0\]: .*, not 'F'"):
        GAME.restore(snapshot)


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(InvalidSnapshot, match="jazz"):
        GAME.restore({**placed().snapshot(), "jazz": 1})
