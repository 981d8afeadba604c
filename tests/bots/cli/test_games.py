"""Commands about the games themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bots.cli.main import app
from engines import GAMES
from engines.contract import promises
from engines.games import Games, Offer

NICKEL_DICE = Path(__file__).parents[2] / "outside" / "nickel-dice"
FLAWED = """
from nickel_dice.game import NickelDice

class Flawed(NickelDice):
    title = ""

GAME = Flawed()
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.syspath_prepend(str(NICKEL_DICE))
    return tmp_path


def rumrunner(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_every_game_is_listed(desk: Path) -> None:
    listed = rumrunner("games")
    assert listed.exit_code == 0
    assert [line.split(" ")[0] for line in listed.output.splitlines()] == list(GAMES)
    told = json.loads(rumrunner("games", "--json").output)
    assert [game["name"] for game in told["games"]] == list(GAMES)
    assert told["left_out"] == []


def test_a_game_that_is_left_out_is_listed_with_the_reason(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.games.offered", lambda: [Offer("whist", "no_such_package:GAME", "whist-dist")])
    monkeypatch.setattr("bots.cli.games.GAMES", Games([GAMES["cotton_club"]]))
    with pytest.warns(match="whist-dist offers"):
        listed = rumrunner("games")
    assert "Left out: whist-dist offers the game 'whist'" in listed.output
    checked = rumrunner("check-game", "whist-dist")
    assert checked.exit_code == 1
    assert "No module named 'no_such_package'" in checked.output


def test_a_sound_game_keeps_every_promise(desk: Path) -> None:
    checked = rumrunner("check-game", "nickel_dice")
    assert checked.exit_code == 0, checked.output
    assert [line[2:].strip() for line in checked.output.splitlines()[:-1]] == promises()
    assert checked.output.splitlines()[-1] == f"nickel_dice keeps all {len(promises())} promises."


def test_a_broken_promise_is_told_and_ends_with_1(desk: Path) -> None:
    (desk / "flawed.py").write_text(FLAWED)
    checked = rumrunner("check-game", "flawed")
    assert checked.exit_code == 1
    assert "title is empty" in checked.output
    assert "nickel_dice breaks 2 of" in checked.output  # and its pages are not beside it
    told = json.loads(rumrunner("check-game", "flawed:GAME", "--json").stdout)
    assert told["broken"][0]["problem"] == "title is empty"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("whist", "there is no game 'whist': whist can't be imported (ModuleNotFoundError"),
        ("nickel_dice:NOTHING", "has no attribute 'NOTHING'"),
        ("nickel_dice.words", "has no attribute 'GAME'"),
        ("nickel_dice.state:DOUBT", "is a int; expected an instance of engines.Game"),
        ("json", "can't be called 'json'"),
    ],
)
def test_what_is_no_game_ends_with_2(desk: Path, word: str, told: str) -> None:
    checked = rumrunner("check-game", word)
    assert checked.exit_code == 2
    assert told in checked.output
    assert json.loads(rumrunner("check-game", word, "--json").stdout)["error"]["code"] == "unknown_game"
