"""Commands that need no server, as an author types them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bots.cli.main import app

GOOD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "act":
        print(json.dumps({"action": message["legal"][0]}), flush=True)
"""
CRASHING = GOOD.replace('message["legal"][0]', 'message["legal"][99999]')


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUMRUNNER_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "200")
    Path("good.py").write_text(GOOD)
    Path("crashing.py").write_text(CRASHING)
    return tmp_path


def rumrunner(*words):
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["play", "chess", "good.py", "good.py"], 2, "there is no game 'chess'"),
        (["play", "gatsby", "missing.py"], 2, "no file or folder 'missing.py'"),
        (["play", "gatsby", "house:nobody"], 2, "house:random"),
        (["play", "gatsby", "good.py", "--seats", "5"], 2, "can't be played with 5 seats"),
        (["play", "gatsby", "good.py", "good.py", "good.py"], 2, "3 seats"),
        (["tournament", "capone", "good.py", "good.py"], 2, "too few for tables of 3"),
        (["new", "gatsby", "good.py"], 2, "exists already"),
        (["new", "chess"], 2, "there is no game"),
        (["new", "gatsby", "x", "--runtime", "cobol"], 2, "no starter for 'cobol'"),
        (["replay", "missing.json"], 2, "no file 'missing.json'"),
        (["replay", "good.py"], 1, "good.py"),
        (["verify", "good.py"], 1, "not every record holds"),
        (["status", "mine"], 5, "not signed in"),
        (["leaderboard", "gatsby-2", "--server", "ftp://x"], 2, "not the address of a server"),
        (["leaderboard", "gatsby-2", "--server", "http://127.0.0.1:9"], 4, "can't be reached"),
    ],
)
def test_bad_input_is_told_in_one_line_with_its_code(desk, words, code, told):
    result = rumrunner(*words)
    assert result.exit_code == code, result.output
    assert told in result.output
    assert "Traceback" not in result.output


def test_every_problem_can_be_had_as_json(desk):
    result = rumrunner("play", "chess", "good.py", "--json")
    assert json.loads(result.stdout)["error"]["code"] == "unknown_game"


def test_a_crash_is_shown_with_its_traceback_and_the_turn_is_saved(desk):
    result = rumrunner("play", "gatsby", "crashing.py", "good.py", "--seed", "7")
    assert result.exit_code == 0, result.output
    assert "IndexError" in result.output
    (saved,) = desk.glob("turn-*.jsonl")
    start, *questions = [json.loads(line) for line in saved.read_text().splitlines()]
    assert start["type"] == "start"
    assert questions[-1]["legal"]
    assert questions[-1]["observation"]["game"] == "gatsby"


def test_the_saved_questions_bring_the_crash_back_by_the_command_that_is_shown(desk):
    result = rumrunner("play", "gatsby", "crashing.py", "good.py", "--seed", "7")
    (command,) = [line.strip() for line in result.output.splitlines() if "crashing.py < turn-" in line]
    again = subprocess.run(["sh", "-c", command.replace("python", sys.executable)], capture_output=True, text=True)
    assert again.returncode == 1
    assert "IndexError" in again.stderr


def test_the_saved_questions_of_a_later_turn_begin_with_the_earlier_ones(desk):
    tired = "if message.get('ply', 0) > 9: raise SystemExit(4)\n    if message"
    Path("tired.py").write_text(GOOD.replace("if message", tired, 1))
    rumrunner("play", "gatsby", "tired.py", "good.py", "--seed", "7")
    (saved,) = desk.glob("turn-*.jsonl")
    again = subprocess.run([sys.executable, "tired.py"], stdin=saved.open(), capture_output=True, text=True)
    assert again.returncode == 4
    assert again.stdout.count("action") == len(saved.read_text().splitlines()) - 2 > 1


def test_a_record_is_written_verified_replayed_and_drawn(desk):
    assert rumrunner("play", "gatsby", "good.py", "--seed", "7", "--record", "match.json").exit_code == 0
    assert "verified" in rumrunner("verify", "match.json").output
    shown = rumrunner("replay", "match.json", "--all")
    assert "finished: ranks" in shown.output
    assert rumrunner("replay", "match.json", "--html", "match.html").exit_code == 0
    page = (desk / "match.html").read_text()
    assert "data-viewer" in page
    assert 'src="' not in page
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_a_changed_record_does_not_verify(desk):
    rumrunner("play", "gatsby", "good.py", "--seed", "7", "--record", "match.json")
    record = json.loads(Path("match.json").read_text())
    record["actions"][5]["text"] = record["actions"][3]["text"]
    Path("match.json").write_text(json.dumps(record))
    assert rumrunner("verify", "match.json").exit_code == 1


def test_a_check_says_what_the_server_would(desk):
    assert rumrunner("check", "good.py", "--game", "gatsby").exit_code == 0
    failed = rumrunner("check", "crashing.py", "--game", "gatsby")
    assert failed.exit_code == 1
    assert "it would be rejected" in failed.output
    Path("broken.zip").write_bytes(b"not a zip")
    assert rumrunner("check", "broken.zip", "--game", "gatsby").exit_code == 1


def test_a_local_round_robin_has_a_crosstable(desk):
    result = rumrunner("tournament", "gatsby", "good.py", "house:random", "good.py", "--games", "1", "--json")
    assert result.exit_code == 0, result.output
    standings = json.loads(result.stdout)["standings"]
    assert [row["matches"] for row in standings] == [4, 4, 4]
    assert {row["bot"] for row in standings} == {"good", "good-2", "random"}


def test_trust_says_that_limits_are_not_enforced_and_marks_the_record(desk):
    result = rumrunner("play", "gatsby", "good.py", "--trust", "--seed", "1", "--record", "match.json")
    assert "limits are not enforced" in result.output
    assert "unsandboxed" in Path("match.json").read_text()
