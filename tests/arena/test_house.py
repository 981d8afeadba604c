"""The files of the house bots: by game, by name, and none that is only a helper."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.house import RANDOM, house_bots
from engines import GAMES


@pytest.mark.parametrize("game", ["speak_easy", "gatsby", "capone", "cotton_club"])
def test_every_game_has_its_random_greedy_and_searching_bot(game: str) -> None:
    found = house_bots(game)
    assert {RANDOM, "greedy", "searcher"} <= found.keys()
    assert all(path.is_file() and path.parent.name == game for path in found.values())


def test_bots_come_by_name_and_helpers_are_none(tmp_path: Path) -> None:
    (tmp_path / "gatsby").mkdir()
    for name in ("zelda.py", "daisy.py", "_shared.py", "notes.txt"):
        (tmp_path / "gatsby" / name).write_text("")
    assert list(house_bots("gatsby", tmp_path)) == ["daisy", "zelda"]


def test_a_folder_that_is_not_there_has_no_bots(tmp_path: Path) -> None:
    assert house_bots("gatsby", tmp_path) == {}


def test_a_game_from_outside_has_the_random_bot_and_those_it_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "bluffer.py").write_text("")
    outside = type("Dice", (), {"folder": tmp_path})()
    monkeypatch.setattr(type(GAMES), "is_outside", lambda self, game: game == "dice")
    monkeypatch.setitem(GAMES, "dice", outside)
    assert house_bots("dice").keys() == {RANDOM, "bluffer"}
