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
        ("game", "gatsby", "gatsby"), ("rules_version", 2, "rules_version is 2"), ("seats", 3, "seats is 3"),
        ("seats", 2.0, "seats is 2.0"), ("options", {"a": 1}, "options"), ("options", [], "options"),
        ("seed", 7, "seed is 7"), ("seed", "-1", "seed"), ("seed", "07", "seed"), ("seed", "9" * 40, "seed"),
        ("seed", "٣", "seed"), ("seed", str(1 << 128), "seed"), ("first", 2, "first is 2"), ("first", True, "first"),
        ("first", "0", "first"), ("placements", None, "placements"), ("placements", [1], "placements"),
        ("placements", [SOUTH], "moves|ply|placements"), ("placements", [SOUTH[:5], NORTH], "ply"),
        ("placements", [SOUTH + NORTH, ""], "25 pieces"), ("placements", [SOUTH, NORTH, ""], "25 pieces"),
        ("placements", ["S" + SOUTH[1:], NORTH], "ply 0"), ("placements", [SOUTH, NORTH + "1"], "ply 50"),
        ("moves", "c6-c7", "moves"), ("moves", ["c6-c7", "c6-c7"], "ply 51"), ("moves", ["K"], "ply 50"),
        ("moves", ["a1-e12"], "ply 50"), ("moves", ["a7-a6"], "ply 50"),
    ],
)  # fmt: skip
def test_a_snapshot_that_no_state_could_have_written_is_refused(field: str, value: object, reason: str) -> None:
    snapshot = {**play(placed(), "c6-c7").snapshot(), field: value}
    with pytest.raises(InvalidSnapshot, match=reason):
        GAME.restore(snapshot)


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(InvalidSnapshot, match="jazz"):
        GAME.restore({**placed().snapshot(), "jazz": 1})
