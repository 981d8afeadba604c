"""Words an author types, and the files they mean."""

from __future__ import annotations

import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from arena.house import house_bots
from bots.cli.desk import (
    SHELF,
    entrants,
    find_bot,
    find_record,
    game_of,
    house_names,
    known_game,
    make_starter,
    upload_bytes,
)
from bots.cli.output import Code, Stop
from engines import GAMES

MANIFEST = 'name = "still"\ngame = "capone"\n'


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.py").write_text("print()\n")
    (tmp_path / "still").mkdir()
    (tmp_path / "still" / "bot.toml").write_text(MANIFEST)
    (tmp_path / "still" / "main.py").write_text("print()\n")
    return tmp_path


def stopped(act: object, *words: object, **more: object) -> Stop:
    with pytest.raises(Stop) as problem:
        act(*words, **more)  # type: ignore[operator]
    return problem.value


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("gatsbi", "gatsby"), ("speakeasy", "speak_easy"), ("cotton-club", "cotton_club"), ("Capone", "capone")],
)
def test_a_misspelt_game_is_guessed(typed: str, meant: str) -> None:
    assert stopped(known_game, typed).message.endswith(f"Did you mean {meant!r}?")


def test_a_game_nobody_knows_is_not_guessed_at() -> None:
    problem = stopped(known_game, "chess")
    assert "Did you mean" not in problem.message
    assert all(game in problem.message for game in GAMES)
    assert (problem.code, problem.kind) == (Code.USAGE, "unknown_game")


def test_house_bots_are_called_by_name() -> None:
    assert find_bot("gatsby", "house:random") == house_bots("gatsby")["random"]
    problem = stopped(find_bot, "gatsby", "house:nobody")
    assert "house:greedy" in problem.message
    assert problem.kind == "unknown_bot"


def test_a_house_bot_of_another_game_is_not_found() -> None:
    assert "thumb" in house_bots("capone")
    assert stopped(find_bot, "gatsby", "house:thumb").kind == "unknown_bot"


def test_a_path_is_a_path() -> None:
    assert find_bot("gatsby", "good.py") == Path("good.py")
    assert find_bot("gatsby", "still") == Path("still")


@pytest.mark.parametrize(("typed", "guess"), [("goode.py", "good.py"), ("stil", "still"), ("zzz.py", "")])
def test_a_misspelt_path_is_guessed_from_what_lies_beside_it(typed: str, guess: str) -> None:
    problem = stopped(find_bot, "gatsby", typed)
    assert problem.message == f"there is no file or folder {typed!r}." + (f" Did you mean {guess!r}?" if guess else "")
    assert (problem.code, problem.kind) == (Code.USAGE, "missing_file")


def test_in_a_folder_that_is_not_there_nothing_is_guessed() -> None:
    assert stopped(find_bot, "gatsby", "nowhere/good.py").message == "there is no file or folder 'nowhere/good.py'."


def test_a_folder_is_no_record() -> None:
    assert find_record(Path("good.py")) == Path("good.py")
    assert stopped(find_record, Path("still")).kind == "missing_file"


def test_a_bot_says_its_game_if_it_has_a_manifest() -> None:
    with zipfile.ZipFile("still.zip", "w") as archive:
        archive.writestr("bot.toml", MANIFEST)
        archive.writestr("main.py", "print()\n")
    assert [game_of(word) for word in ("still", "still.zip")] == ["capone", "capone"]


@pytest.mark.parametrize("word", ["good.py", "nothing", "broken.zip", "empty"])
def test_what_can_t_be_opened_says_no_game(word: str) -> None:
    Path("broken.zip").write_bytes(b"no zip")
    Path("empty").mkdir()
    assert game_of(word) is None


def test_house_bots_are_recognised_in_records_by_their_bytes() -> None:
    path = house_bots("capone")["greedy"]
    assert house_names("capone")[sha256(path.read_bytes()).hexdigest()] == "house greedy"


def test_bots_of_one_name_are_told_apart() -> None:
    entered = entrants("capone", ["good.py", "still", "good.py", "good.py"])
    assert [one.name for one in entered] == ["good", "still", "good-2", "good-3"]
    assert entered[0].digest == entered[2].digest


def test_a_bot_that_is_rejected_is_named_with_the_reason() -> None:
    problem = stopped(entrants, "gatsby", ["good.py", "still"])
    assert problem.message == "still: The bot is for capone, but the match is of gatsby."
    assert (problem.code, problem.kind) == (Code.NO, "wrong_game")


def test_what_is_sent_is_the_file_or_the_zipped_folder() -> None:
    assert upload_bytes(Path("good.py")).content == b"print()\n"
    assert upload_bytes(Path("still")).filename == "still.zip"
    assert stopped(upload_bytes, Path("nothing")).kind == "missing_file"


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("runtime", ["python", "node", "c"])
def test_a_starter_is_for_its_game_and_has_the_name_of_its_folder(game: str, runtime: str) -> None:
    made = make_starter(game, Path("night.train"), runtime=runtime)
    manifest = tomllib.loads((made / "bot.toml").read_text())
    assert (manifest["name"], manifest["game"]) == ("night.train", game)
    readme = made / "README.md"
    others = [other for other in GAMES if other != game]
    assert not readme.exists() or not any(f"rumrunner play {other}" in readme.read_text() for other in others)


def test_a_starter_leaves_the_shelf_as_it_was() -> None:
    before = (SHELF / "starter" / "gatsby" / "bot.toml").read_text()
    make_starter("gatsby", Path("fresh"), runtime="python")
    assert (SHELF / "starter" / "gatsby" / "bot.toml").read_text() == before


@pytest.mark.parametrize("name", ["-x", "a" * 41, "über", "a'b", ".hidden"])
def test_a_folder_with_a_name_no_bot_may_have_is_not_made(name: str) -> None:
    assert "can't be the name of a bot" in stopped(make_starter, "gatsby", Path(name), runtime="python").message
    assert not Path(name).exists()


def test_nothing_is_written_over() -> None:
    assert stopped(make_starter, "gatsby", Path("still"), runtime="python").kind == "exists"
    assert Path("still/bot.toml").read_text() == MANIFEST
