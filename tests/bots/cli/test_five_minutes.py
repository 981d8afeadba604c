"""From nothing to the leaderboard with the command line, against the real service."""

import json
import os
import subprocess
import sys

import pytest

from tests.service.harness import ROOT, running

pytestmark = [pytest.mark.service, pytest.mark.slow]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with running(tmp_path_factory.mktemp("service") / "data", RUMRUNNER_DEMO="false") as service:
        service.start_broker()
        service.prepare()
        service.manage("first_start")
        service.manage(
            "shell",
            "-c",
            "from ladder.accounts.models import User; User.objects.create_user('ann', password='moonshine-1923')",
        )
        service.start_worker("matches", processes=2)
        service.start_worker("service")
        service.start_beat()
        service.start_web()
        yield service


@pytest.fixture
def desk(tmp_path, service):
    env = {
        **os.environ,
        "RUMRUNNER_CONFIG": str(tmp_path / "config"),
        "RUMRUNNER_PASSWORD": "moonshine-1923",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "160",
    }

    def rumrunner(*words, code=0):
        command = [sys.executable, "-m", "bots.cli", *words]
        result = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=240)
        assert result.returncode == code, result.stdout + result.stderr
        return result.stdout

    return rumrunner


def test_new_play_check_submit_and_on_the_leaderboard(service, desk, tmp_path):
    desk("new", "gatsby", "mine")
    desk("play", "gatsby", "mine", "house:random", "--games", "2")
    assert "It would qualify" in desk("check", "mine")
    desk("login", service.url, "--username", "ann")
    assert "qualified" in desk("submit", "mine")
    assert "gatsby-2" in desk("status", "mine")
    rows = json.loads(desk("leaderboard", "gatsby-2", "--json"))
    assert "mine" in {row["bot"] for row in rows}
    assert "qualified" in desk("logs", "mine")


def test_a_failing_bot_is_told_why_and_a_wrong_token_is_refused(service, desk, tmp_path):
    desk("login", service.url, "--username", "ann")
    (tmp_path / "bad.py").write_text("raise SystemExit('no liquor today')\n")
    told = desk("submit", "bad.py", "--game", "gatsby", code=1)
    assert "no liquor today" in told
    login = tmp_path / "config" / "rumrunner" / "login.json"
    assert login.stat().st_mode & 0o777 == 0o600
    login.write_text(json.dumps({**json.loads(login.read_text()), "token": "0" * 64}))
    desk("status", "bad", code=5)
