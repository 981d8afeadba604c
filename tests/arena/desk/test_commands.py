"""python -m arena, as a person uses it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from arena import read_record
from arena.desk.commands import app
from arena.desk.tally import interval, scores
from tests.arena.test_match import RANDOM_BOT


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command saves beside its caller goes with the test."""
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "rando.py"
    path.write_bytes(RANDOM_BOT)
    return str(path)


def test_a_series_ends_in_a_table_with_intervals(bot: str, tmp_path: Path) -> None:
    record = tmp_path / "games.json"
    done = run("play", "countdown", bot, bot, "--games", "4", "--seed", "5", "--record", str(record))
    assert done.exit_code == 0, done.output
    assert "95 % sure" in done.output
    assert "4 matches from seed 5" in done.output
    files = sorted(tmp_path.glob("games-*.json"))
    assert [read_record(path).order.seed for path in files] == [5, 5, 6, 6]
    assert {read_record(path).names for path in files} == {("rando", "rando")}
    assert run("verify", *map(str, files)).exit_code == 0


def test_trust_says_that_limits_are_not_enforced(bot: str) -> None:
    done = run("play", "countdown", bot, "--trust")
    assert done.exit_code == 0
    assert "limits are not enforced" in done.output


def test_verify_finds_a_lie_and_a_file_that_is_no_record(bot: str, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    assert run("play", "countdown", bot, bot, "--record", str(path)).exit_code == 0
    path.write_text(
        path.read_text().replace('"ranks":[1,2]', '"ranks":[2,2]').replace('"ranks":[2,1]', '"ranks":[2,2]')
    )
    for wrong in (str(path), bot):
        done = run("verify", wrong)
        assert done.exit_code == 1
        assert "does not hold" in done.output


def test_check_says_what_an_upload_would_be_told(bot: str, tmp_path: Path) -> None:
    done = run("check", bot, "--game", "countdown")
    assert done.exit_code == 0, done.output
    assert "countdown-2, with itself: passed" in done.output
    assert "It would qualify" in done.output
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("main.py", "x")
    done = run("check", str(bad))
    assert done.exit_code == 1
    assert "missing_manifest" in done.output


def test_check_shows_the_log_of_a_bot_that_fails_against_itself(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("raise RuntimeError('my own words')\n")
    done = run("check", str(path), "--game", "countdown")
    assert done.exit_code == 1
    assert "my own words" in done.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play", "poker", "x.py"], "there is no game"),
        (["play", "countdown", "nothing.py"], "can't be read"),
        (["play", "countdown", "a", "b", "c", "--seats", "2"], "3 bots were named for 2 seats"),
        (["play", "countdown", "a", "--seats", "9"], "can't be played with 9 seats"),
    ],
)
def test_a_wrong_command_is_told_so_without_a_traceback(words: list[str], message: str) -> None:
    done = run(*words)
    assert done.exit_code != 0
    assert message in done.output
    assert "Traceback" not in done.output


def test_the_doctor_finds_this_machine_fit() -> None:
    done = run("doctor")
    assert done.exit_code == 0, done.output
    assert "Matches are played behind" in done.output
    assert "layer syscall_filter" in done.output


def test_an_interval_is_wide_for_few_games_and_narrow_for_many() -> None:
    assert interval([]) == (0.0, 1.0)
    low, high = interval([1.0, 1.0])
    assert low < 0.4
    assert high > 0.99
    low, high = interval([1.0, 0.0] * 500)
    assert 0.46 < low < 0.5 < high < 0.54


def test_a_score_is_the_share_of_opponents_beaten() -> None:
    assert scores([1, 2, 3]) == [1.0, 0.5, 0.0]
    assert scores([1, 1]) == [0.5, 0.5]
    assert scores([1, 2, 2, 4]) == pytest.approx([1.0, 0.5, 0.5, 0.0])
