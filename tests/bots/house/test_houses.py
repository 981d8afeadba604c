"""Every house bot plays whole games without a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.desk import HOUSE, HOUSE_NAMES, LADDERS, count_calls_as_time, load, play_whole_game

TABLES = [(game, seats, name) for game, seats in LADDERS for name in HOUSE_NAMES]


def test_every_game_has_its_house_bots_and_nothing_else() -> None:
    files = {str(path.relative_to(HOUSE)) for path in HOUSE.rglob("*.py")}
    fourth = {"capone/thumb.py"}  # its ladder has tables of four
    assert files == {f"{game}/{name}.py" for game, _ in LADDERS for name in HOUSE_NAMES} | fourth


@pytest.mark.parametrize(("game", "seats", "name"), TABLES)
def test_a_house_bot_plays_a_whole_game_with_itself(
    monkeypatch: pytest.MonkeyPatch, game: str, seats: int, name: str
) -> None:
    make = load(HOUSE / game / f"{name}.py").make
    count_calls_as_time(monkeypatch, ms_a_look=8)
    state = play_whole_game(game, [make() for _ in range(seats)], seed=41)
    assert state.outcome() is not None


@pytest.mark.parametrize(("game", "seats"), [*LADDERS, ("capone", 3), ("capone", 6), ("cotton_club", 4)])
def test_house_bots_of_all_kinds_share_a_table(monkeypatch: pytest.MonkeyPatch, game: str, seats: int) -> None:
    makers = [load(HOUSE / game / f"{name}.py").make for name in HOUSE_NAMES]
    count_calls_as_time(monkeypatch, ms_a_look=8)
    state = play_whole_game(game, [makers[seat % 3]() for seat in range(seats)], seed=42)
    assert state.outcome() is not None


@pytest.mark.parametrize("path", sorted(HOUSE.rglob("*.py")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_house_bot_is_one_small_file_that_imports_the_kit_and_engines_alone(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    imported = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= {"bots", "engines", "random", "time", "math", "collections", "itertools", "operator"}
    assert "bots.cli" not in text
    assert len(text.splitlines()) < 200
