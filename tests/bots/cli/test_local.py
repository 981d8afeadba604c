"""Commands that need no server, as an author types them."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arena import Fault, read_record, verify
from arena.desk.faults import hint
from arena.version import VERSION
from bots.cli.main import app
from bots.cli.replay import names_of
from engines import GAMES
from tests.arena.paper import played

ROOT = Path(__file__).parents[3]

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
    os.mkfifo("pipe")
    Path("mine").mkdir()
    Path("mine/bot.toml").write_text('name = "mine"\ngame = "capone"\n')
    Path("mine/main.py").write_text(GOOD)
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
        (["tournament", "capone", "good.py", "good.py"], 2, "can't fill a table of 3"),
        (["tournament", "gatsby", "mine", "house:random"], 1, "The bot is for capone, but the match is of gatsby"),
        (["play", "gatsbi", "good.py"], 2, "Did you mean 'gatsby'?"),
        (["play", "gatsby", "goode.py"], 2, "Did you mean 'good.py'?"),
        (["play", "gatsby", "good.py", "--record", "nowhere/match.json"], 2, "no folder 'nowhere'"),
        (["play", "gatsby", "good.py", "--seed", str(1 << 128)], 2, "less than or equal to"),
        (["play", "gatsby", "good.py", "--games", "1" + 22 * "0"], 2, "less than or equal to 100000"),
        (["compare", "mine", "mine", "--max", "1" + 22 * "0"], 2, "less than or equal to 100000"),
        (["compare", "mine", "mine", "--game", ""], 2, "there is no game ''"),
        (["verify", "mine"], 2, "'mine' is no file"),
        (["check", "good.py"], 2, "does not name its game; add --game"),
        (["check", "mine", "--seats", "9"], 2, "can't be played with 9 seats"),
        (["check", "mine", "--game", "gatsby"], 1, "The bundle is for capone"),
        (["check", "mine", "--game", ""], 2, "there is no game ''"),
        (["play", "gatsby", "good.py", "--record", "mine"], 2, "'mine' is a folder"),
        (["check", "missing.py"], 2, "no file or folder 'missing.py'"),
        (["submit", "good.py"], 2, "does not name its game; add --game"),
        (["verify", "missing.json"], 2, "no file 'missing.json'"),
        (["new", "gatsby", "good.py"], 2, "exists already"),
        (["new", "chess"], 2, "there is no game"),
        (["new", "gatsby", "x", "--runtime", "cobol"], 2, "no starter for 'cobol'"),
        (["new", "gatsby", "x", "--runtime", ""], 2, "no starter for ''"),
        (["new", "gatsby", "x", "--runtime", "../house"], 2, "no starter for '../house'"),
        (["check", "pipe", "--game", "gatsby"], 2, "'pipe' is neither a file nor a folder"),
        (["play", "gatsby", "pipe", "good.py"], 2, "'pipe' is neither a file nor a folder"),
        (["replay", "missing.json"], 2, "no file 'missing.json'"),
        (["replay", "good.py"], 1, "good.py"),
        (["verify", "good.py"], 1, "not every record checks out"),
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


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["new", "gatsby", "fresh"], 0),
        (["play", "gatsby", "crashing.py", "good.py"], 1),
        (["tournament", "gatsby", "crashing.py", "good.py", "--games", "1"], 1),
        (["check", "crashing.py", "--game", "gatsby"], 1),
        (["verify", "good.py"], 1),
        (["replay", "good.py"], 1),
        (["status", "mine"], 5),
        (["play"], 2),
        (["play", "gatsby", "good.py", "--games", "none"], 2),
        (["no-such-command"], 2),
    ],
)
def test_with_json_there_is_exactly_one_value_on_stdout_whatever_happens(desk, words, code):
    done = subprocess.run(
        [sys.executable, "-m", "bots.cli", *words, "--json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)
    assert "Traceback" not in done.stderr


def test_a_record_that_a_full_disk_does_not_take_is_named(desk):
    result = rumrunner("play", "gatsby", "good.py", "--trust", "--record", "/dev/full")
    assert result.exit_code == 2
    assert "/dev/full can't be written: No space left on device." in result.output


@pytest.mark.parametrize("words", [["games"], ["games", "--json"], ["nothing", "--json"], ["--help"], ["--version"]])
def test_an_answer_that_a_full_disk_does_not_take_is_told_in_one_line(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bots.cli", *words],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
    assert (done.returncode, done.stderr.splitlines()) == (
        2,
        ["Error: something can't be written or read: No space left on device."],
    )


def test_the_version_is_that_of_the_wheel():
    assert rumrunner("--version").output.startswith(f"rumrunner {VERSION}; protocol 1;")


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("raise SystemExit(3)", "crash at start: the process exited with code 3"),
        ("def f(:", "SyntaxError"),
        (GOOD.replace('message["legal"][0]', "'dance'"), "one of the texts in `legal`"),
        (GOOD.replace("json.dumps({", "('hello') or ({"), "Write nothing but answers to stdout"),
    ],
)
def test_a_failing_bot_is_told_what_its_author_needs_to_know(desk, program, told):
    Path("bad.py").write_text(program)
    result = rumrunner("check", "bad.py", "--game", "gatsby")
    assert result.exit_code == 1
    assert told in result.output


def test_a_bot_that_never_answers_is_told_its_limits():
    record = played("gatsby")
    assert "100 ms of CPU time" in hint(record, Fault(0, "timeout", "act", 3))
    assert "5000 ms of CPU time to get ready" in hint(record, Fault(0, "timeout", "start", 0))


@pytest.mark.parametrize("kind", ["timeout", "invalid_answer"])
def test_a_bot_that_skips_the_handshake_is_told_of_it(kind):
    assert '{"type": "ready"}' in hint(played("gatsby"), Fault(0, kind, "start", 0))


def test_a_new_bot_in_c_names_its_game_and_how_it_is_built(desk):
    made = rumrunner("new", "capone", "still", "--runtime", "c")
    assert made.output.index("make -C still") < made.output.index("rumrunner play capone still")
    assert "C compiler" in made.output
    assert "gatsby" not in Path("still/README.md").read_text()
    assert "rumrunner play capone" in Path("still/README.md").read_text()


@pytest.mark.parametrize("words", [["play", "capone", "still", "house:random"], ["check", "still"]])
def test_a_bot_in_c_that_was_not_built_is_told_to_be(desk, words):
    rumrunner("new", "capone", "still", "--runtime", "c")
    assert "build it first" in rumrunner(*words).output.lower()


def test_bots_are_called_by_name_in_a_replay(desk):
    rumrunner("play", "gatsby", "good.py", "house:random", "--seed", "7", "--record", "match.zst")
    record = read_record(Path("match.zst"))
    assert record.names == ("good", "random")
    assert verify(record).ok
    assert names_of(record) == ["good", "random"]
    assert names_of(record, ["Ann"]) == ["Ann", "random"]
    assert names_of(replace(record, names=())) == ["", "house random"]
    nobody = replace(record, names=(), order=replace(record.order, seats=("0" * 64,) * 2))
    assert names_of(nobody) == []
    told = json.loads(rumrunner("replay", "match.zst", "--html", "page.html", "--json").stdout)
    assert told == {"page": "page.html", "names": ["good", "random"]}
    assert "Gatsby: good – random" in Path("page.html").read_text()


def test_a_crash_is_shown_with_its_traceback_and_the_turn_is_saved(desk):
    result = rumrunner("play", "gatsby", "crashing.py", "good.py", "--seed", "7")
    assert result.exit_code == 1, result.output
    assert "IndexError" in result.output
    assert "crashing failed in 1 of 1 match" in result.output
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
    assert "finished: seat 0 (good) rank" in shown.output
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


@pytest.fixture
def old_match(desk, monkeypatch):
    """The file of a match that was played before the rules changed, with an action that is no more."""
    record = played("gatsby", seed=7)
    monkeypatch.setattr(type(GAMES["gatsby"]), "rules_version", record.order.rules_version + 1)
    gone = tuple(replace(action, text="gone") if ply == 20 else action for ply, action in enumerate(record.actions))
    Path("old.json").write_text(json.dumps(replace(record, actions=gone).sealed().as_json()))
    return f"played under rules {record.order.rules_version}"


def test_a_match_under_older_rules_verifies_and_says_so(old_match):
    told = rumrunner("verify", "old.json")
    assert told.exit_code == 0
    assert f"{old_match}; digest and structure are intact" in told.output
    (answer,) = json.loads(rumrunner("verify", "old.json", "--json").stdout)
    assert (answer["ok"], answer["note"]) == (True, old_match)


def test_a_match_under_older_rules_is_replayed_and_told_to_its_end(old_match):
    shown = rumrunner("replay", "old.json", "--all")
    assert shown.exit_code == 0, shown.output
    assert old_match in shown.output.lower()
    assert "ply 20, seat" in shown.output
    assert "gone" in shown.output
    assert "finished: seat 0 rank" in shown.output
    assert "told" in rumrunner("replay", "old.json", "--json").stdout


def test_a_replay_begins_at_the_last_ply_at_the_latest_and_has_no_more_names_than_seats(desk):
    Path("match.json").write_text(json.dumps(played("gatsby").as_json()))
    assert "finished: seat 0" in rumrunner("replay", "match.json", "--ply", "9999").output
    told = rumrunner("replay", "match.json", "--name", "a", "--name", "b", "--name", "c")
    assert (told.exit_code, "3 names are given for 2 seats" in told.output) == (2, True)


@pytest.mark.parametrize("form", [["--all"], ["--json"], ["--html", "page.html"]], ids=" ".join)
def test_a_record_that_cannot_be_played_again_is_refused_in_one_line_in_every_form(desk, form):
    """Each of these ended with a traceback."""
    record = played("gatsby")
    gone = (replace(record.actions[0], text="gone"), *record.actions[1:])
    lies = {
        "no action of gatsby": replace(record, actions=gone),
        "already over": replace(record, actions=(*record.actions, record.actions[-1])),
        "no game 'poker'": replace(record, order=replace(record.order, game="poker")),
    }
    for words, lie in lies.items():
        Path("lie.json").write_text(json.dumps(lie.sealed().as_json()))
        told = rumrunner("replay", "lie.json", *form)
        assert (told.exit_code, type(told.exception)) == (1, SystemExit), words
        assert "can't be played" in told.output


def test_a_match_under_newer_rules_is_refused_with_what_to_do(desk):
    record = played("gatsby")
    newer = replace(record, order=replace(record.order, rules_version=99)).sealed()
    Path("new.json").write_text(json.dumps(newer.as_json()))
    for words in (["verify", "new.json"], ["replay", "new.json", "--all"]):
        told = rumrunner(*words)
        assert told.exit_code == 1
        assert "install a newer one" in told.output


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


@pytest.mark.parametrize(
    "words", [("verify", "{}"), ("replay", "{}"), ("check", "{}"), ("play", "gatsby", "{}", "house:random")]
)
def test_a_name_that_no_file_can_have_is_told_and_no_traceback(desk, words):
    ended = rumrunner(*[word.format("a" * 300) for word in words], "--json")
    assert ended.exit_code == 2
    told = json.loads(ended.stdout)["error"]["message"]
    assert "File name too long" in told
    assert len(told) < 200
