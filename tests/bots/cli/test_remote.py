"""What the command line makes of servers that are not what it hoped for."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bots.cli.client import Login, save_login
from bots.cli.main import app
from engines import GAMES

GAMES_HERE = {"results": [{"name": game.name, "rules_version": game.rules_version} for game in GAMES.values()]}
NEWER = {"results": [{"name": game.name, "rules_version": game.rules_version + 1} for game in GAMES.values()]}
PAGE = "<!doctype html><p>Welcome"
ROOT = Path(__file__).parents[3]


@pytest.fixture
def server(monkeypatch, tmp_path):
    """A server that says what a test tells it to, by path; anything else is a page that was not found."""
    monkeypatch.setenv("RUMRUNNER_CONFIG", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    answers = {}

    class Desk(BaseHTTPRequestHandler):
        def do_GET(self):
            status, content = answers.get(self.path.removeprefix("/api/v1/"), (404, PAGE))
            body = content.encode() if isinstance(content, str) else json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _changed(self):
            desk.sent.append((self.command, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
            self.do_GET()

        do_POST = do_PATCH = do_DELETE = _changed

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Desk) as desk:
        desk.answers = answers
        desk.sent = []
        desk.url = f"http://127.0.0.1:{desk.server_port}"
        threading.Thread(target=desk.serve_forever, daemon=True).start()
        yield desk
        desk.shutdown()


def rumrunner(*words, typed=None):
    return CliRunner().invoke(app, list(words), input=typed)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((404, PAGE), "does not speak version 1 of Rumrunner's API"),
        ((200, PAGE), "does not speak version 1 of Rumrunner's API"),
        ((200, {"hello": "world"}), "does not speak version 1 of Rumrunner's API"),
        ((200, [1]), "does not speak version 1 of Rumrunner's API"),
        ((502, PAGE), "is having problems (it answered 502)"),
    ],
)
def test_another_kind_of_server_is_told_before_a_password_is_asked_for(server, answer, told):
    server.answers["games/"] = answer
    result = rumrunner("login", server.url)
    assert result.exit_code == 4, result.output
    assert told in result.output
    assert "Password" not in result.output


def test_a_server_with_other_rules_does_not_get_the_bot(server):
    save_login(Login(server.url, "ann", "0" * 64))
    server.answers["games/"] = (200, NEWER)
    Path("mine.py").write_text("pass")
    result = rumrunner("submit", "mine.py", "--game", "gatsby")
    assert result.exit_code == 4, result.output
    ours = GAMES["gatsby"].rules_version
    assert f"plays gatsby by rules version {ours + 1}, this rumrunner by version {ours}" in result.output


def test_a_token_that_is_not_taken_any_more_says_how_to_get_another(server):
    save_login(Login(server.url, "ann", "0" * 64))
    server.answers["games/"] = (200, GAMES_HERE)
    server.answers["me/"] = (401, {"error": {"code": "not_authenticated", "message": "The token has expired."}})
    Path("mine.py").write_text("pass")
    for words in (["submit", "mine.py", "--game", "gatsby"], ["status", "mine"], ["logs", "mine"]):
        result = rumrunner(*words)
        assert result.exit_code == 5, result.output
        assert f"The token has expired. Sign in again: rumrunner login {server.url}" in result.output


@pytest.mark.parametrize("address", ["nonsense:99999", "ftp://x", "http://", "http://a:0", "http://[", ""])
def test_what_is_no_address_is_told_so(server, address):
    result = rumrunner("login", address)
    assert result.exit_code == 2, result.output
    assert "is not the address of a server" in result.output


PLACE = {"place_low": 113, "place_high": 1257, "p_first": 0.0123, "missing": 0}
LINE = {"rating": 21.421, "low": 18.2, "high": 24.7, "matches": 12345, **PLACE}


def test_standings_and_leaderboards_fit_into_80_columns(server, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    save_login(Login(server.url, "ann", "0" * 64))
    name = "a-bot-with-the-longest-name-there-may-be"
    counts = {"wins": 1234, "draws": 123, "losses": 1234, "faults": 12}
    bot = {"id": 1, "name": name, "game": "cotton_club"}
    standing = {"ladder": "cotton_club-3", "version": 12, **LINE, **counts}
    server.answers["me/"] = (200, {"username": "ann"})
    server.answers[f"bots/?owner=ann&search={name}"] = (200, {"results": [bot]})
    server.answers["bots/1/"] = (200, {**bot, "standings": [standing]})
    server.answers["bots/1/versions/?limit=5"] = (200, {"results": []})
    row = {"bot": name, "version": 12, "owner": "somebody-with-a-long-name", "rank": 1, **LINE}
    server.answers["ladders/cotton_club-3/leaderboard/?limit=20"] = (200, {"results": [row]})
    closed = {"closed_at": "2026-11-17T08:00:00Z", "results": [row]}
    server.answers["ladders/cotton_club-3/seasons/1/?limit=20"] = (200, closed)
    for words in (["status", name], ["leaderboard", "cotton_club-3"], ["seasons", "cotton_club-3", "1"]):
        result = rumrunner(*words)
        assert result.exit_code == 0, result.output
        table = result.output.split("\n", 1)[1].splitlines()
        assert max(map(len, table)) <= 80
        assert "12345" in result.output
        assert "…" not in result.output


def test_what_login_asks_does_not_stand_in_the_json_answer(server):
    server.answers["games/"] = (200, GAMES_HERE)
    done = subprocess.run(
        [sys.executable, "-m", "bots.cli", "login", server.url, "--json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input="ann\nsecret\n",
        capture_output=True,
        text=True,
        timeout=300,
        start_new_session=True,  # no terminal: the password comes from stdin
    )
    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]
    assert "Name" in done.stderr


MINE = {"id": 7, "name": "night train", "game": "gatsby"}


@pytest.fixture
def owned(server):
    """A server on which ann is signed in and has one bot."""
    save_login(Login(server.url, "ann", "0" * 64))
    server.answers["me/"] = (200, {"username": "ann"})
    server.answers["bots/?owner=ann&search=night+train"] = (200, {"results": [MINE]})
    server.answers["bots/7/"] = (200, {**MINE, "is_hidden": True, "plays_people": False})
    return server


def test_an_owner_changes_only_what_is_named(owned):
    result = rumrunner("manage", "night train", "--hide", "--no-people")
    assert owned.sent == [("PATCH", {"is_hidden": True, "plays_people": False})]
    assert "night train is hidden; people may not play against it." in result.output
    assert rumrunner("manage", "night train").exit_code == 2
    assert len(owned.sent) == 1


def test_a_bot_is_deleted_once_its_name_was_typed(owned):
    assert rumrunner("delete", "night train", typed="day train\n").exit_code == 1
    assert owned.sent == []
    assert "has been deleted" in rumrunner("delete", "night train", typed="night train\n").output
    assert "has been deleted" in rumrunner("delete", "night train", "--yes").output
    assert owned.sent == [("DELETE", {"name": "night train"})] * 2


def test_the_newest_version_is_checked_again_and_followed_to_its_end(owned):
    owned.answers["bots/7/versions/?limit=1"] = (200, {"results": [{"number": 3}]})
    version = {"number": 3, "url": f"{owned.url}/api/v1/bots/7/versions/3/", "reason": "", "report": [], "log": ""}
    owned.answers["bots/7/versions/3/check-again/"] = (202, {**version, "status": "received"})
    owned.answers["bots/7/versions/3/"] = (200, {**version, "status": "rejected", "reason": "it crashed"})
    result = rumrunner("check-again", "night train")
    assert result.exit_code == 1, result.output
    assert "night train v3 is being checked again." in result.output
    assert "rejected: it crashed" in result.output


def test_a_version_that_was_checked_lately_is_told_when_it_can_be_checked_again(owned):
    refusal = {"code": "checked_lately", "message": "night train v2 was rejected now. Try again after 12:00."}
    owned.answers["bots/7/versions/2/check-again/"] = (429, {"error": refusal})
    result = rumrunner("check-again", "night train", "--version", "2")
    assert result.exit_code != 0
    assert "Try again after 12:00." in result.output


def test_closed_seasons_are_listed(server):
    save_login(Login(server.url, "ann", "0" * 64))
    season = {
        "number": 2, "rules_version": 1, "began_at": "2026-08-01T00:00:00Z", "closed_at": "2026-11-17T08:00:00Z",
        "closed_by": "hymie", "bots": 12, "matches": 3456,
    }  # fmt: skip
    server.answers["ladders/gatsby-2/seasons/?limit=20"] = (200, {"results": [season]})
    server.answers["ladders/capone-4/seasons/?limit=20"] = (200, {"results": []})
    told = rumrunner("seasons", "gatsby-2").output
    assert all(word in told for word in ("2026-08-01", "2026-11-17", "hymie", "3456"))
    assert "No season has been closed yet." in rumrunner("seasons", "capone-4").output
    assert json.loads(rumrunner("seasons", "gatsby-2", "--json").output) == [season]


ASKED = [
    ["login", "{url}", "--token", "t"],
    ["check-again", "b"],
    ["status", "b"],
    ["logs", "b"],
    ["leaderboard", "gatsby-2"],
    ["seasons", "gatsby-2"],
    ["versus", "gatsby-2", "a", "b"],
    ["better", "b"],
    ["manage", "b", "--hide"],
    ["delete", "b", "--yes"],
]


@pytest.mark.parametrize("words", ASKED, ids=lambda words: words[0])
@pytest.mark.parametrize(
    "answer", [None, [], 5, {}, {"results": 5, "username": 5}, {"results": [None], "username": "x"}]
)
def test_an_answer_of_another_shape_is_told_and_no_traceback(server, monkeypatch, words, answer):
    monkeypatch.setattr("bots.cli.client.Client._send", lambda *_: GAMES_HERE if "games/" in _ else answer)
    save_login(Login(server.url, "ann", "t"))
    ended = rumrunner(*[word.format(url=server.url) for word in words])
    assert isinstance(ended.exception, SystemExit | None)


def test_a_word_that_is_no_text_is_told_and_no_traceback(server):
    ended = rumrunner("leaderboard", "gatsby\udcff", "--server", server.url, "--json")
    assert ended.exit_code == 2
    assert "not UTF-8" in json.loads(ended.stdout)["error"]["message"]


def test_whoever_types_nothing_at_a_prompt_has_stopped(server):
    server.answers["games/"] = (200, GAMES_HERE)
    ended = rumrunner("login", server.url, "--json", typed="")
    assert (ended.exit_code, json.loads(ended.stdout)["error"]["code"]) == (1, "stopped")
