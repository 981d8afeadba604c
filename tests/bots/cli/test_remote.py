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

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Desk) as desk:
        desk.answers = answers
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
    for words in (["status", name], ["leaderboard", "cotton_club-3"]):
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
        timeout=120,
        start_new_session=True,  # no terminal: the password comes from stdin
    )
    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]
    assert "Name" in done.stderr
