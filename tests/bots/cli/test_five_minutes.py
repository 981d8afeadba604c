"""From nothing to the leaderboard with the command line, against the real service."""

import json
import os
import subprocess
import sys
import uuid

import pytest

from tests.docs.test_tutorial import commands
from tests.service.harness import ROOT, running
from tests.service.test_flow import HOUSE, sign_up

pytestmark = [pytest.mark.service, pytest.mark.slow]
PASSWORD = "jazz and gin 23"  # what sign_up types
PATIENCE_S = 400  # a qualification on a loaded machine
TUTORIALS_ADDRESS = "http://127.0.0.1:8000"  # of `make run`; a test's service has a port of its own


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with running(tmp_path_factory.mktemp("service") / "data", RUMRUNNER_DEMO="false") as service:
        service.start_broker()
        service.prepare()
        service.ask(HOUSE)
        service.start_worker("matches", processes=2)
        service.start_worker("service")
        service.start_beat()
        service.start_web()
        yield service


@pytest.fixture
def desk(tmp_path, service):
    env = {**os.environ, "RUMRUNNER_CONFIG": str(tmp_path / "config"), "PYTHONPATH": str(ROOT), "COLUMNS": "160"}

    def rumrunner(*words, code=0, typed=""):
        result = subprocess.run(
            [sys.executable, "-m", "bots.cli", *words],
            cwd=tmp_path,
            env=env,
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            start_new_session=True,  # no terminal: what is typed comes from stdin, the password too
        )
        assert result.returncode == code, result.stdout + result.stderr
        return result.stdout

    return rumrunner


@pytest.fixture
def author(service):
    """Somebody who has just signed up on the page."""
    name = f"ann-{uuid.uuid4().hex[:8]}"
    sign_up(service, name)
    return name


def test_the_tutorials_server_commands_work_word_by_word(service, desk, author):
    desk(*commands("local")[0][1:])
    told = {}
    for words in commands("server"):
        typed = [service.url if word == TUTORIALS_ADDRESS else word for word in words[1:]]
        told[words[1]] = desk(*typed, typed=f"{author}\n{PASSWORD}\n" if words[1] == "login" else "")
    assert list(told) == ["login", "submit", "status", "leaderboard", "logs"]
    assert f"as {author}" in told["login"]
    assert "gatsby-2, against house random: passed" in told["submit"]
    assert "qualified" in told["submit"]
    assert "v1: qualified (active)" in told["status"]
    assert "my-bot v1" in told["leaderboard"]
    assert "gatsby-2, with itself: passed" in told["logs"]


def test_new_play_check_submit_and_on_the_leaderboard(service, desk, author):
    desk("new", "gatsby", "mine")
    desk("play", "gatsby", "mine", "house:random", "--games", "2")
    assert "It would qualify" in desk("check", "mine")
    desk("login", service.url, "--username", author, typed=f"{PASSWORD}\n")
    assert "qualified" in desk("submit", "mine")
    assert "gatsby-2" in desk("status", "mine")
    rows = json.loads(desk("leaderboard", "gatsby-2", "--json"))
    assert "mine" in {row["bot"] for row in rows}
    assert "qualified" in desk("logs", "mine")


def test_a_failing_bot_is_told_why_and_a_wrong_token_is_refused(service, desk, author, tmp_path):
    desk("login", service.url, "--username", author, typed=f"{PASSWORD}\n")
    (tmp_path / "bad.py").write_text("raise SystemExit('no liquor today')\n")
    told = desk("submit", "bad.py", "--game", "gatsby", code=1)
    assert "no liquor today" in told
    login = tmp_path / "config" / "rumrunner" / "login.json"
    assert login.stat().st_mode & 0o777 == 0o600
    login.write_text(json.dumps({**json.loads(login.read_text()), "token": "0" * 64}))
    desk("status", "bad", code=5)
