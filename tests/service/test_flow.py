"""From signing up to a verified record, through a real broker, real workers and a real sandbox."""

from __future__ import annotations

import http.cookiejar
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.service.bots import CRASHING, RANDOM, marked
from tests.service.harness import PATIENCE_S, Service, running
from tests.service.postgres import remove_postgres, start_postgres_with_tables

pytestmark = [pytest.mark.service, pytest.mark.slow]
LADDER = "gatsby-2"
# One ladder and one house bot: a first start registers them all, and their checks take minutes.
HOUSE = """
from pathlib import Path
from tempfile import TemporaryDirectory
from ladder.ladders.services import find_ladder, set_open
from ladder.submissions.house import HOUSE_FOLDER, register_house_bots
set_open(find_ladder(game="gatsby", seats=2), True)
with TemporaryDirectory() as folder:
    (Path(folder) / "gatsby").mkdir()
    (Path(folder) / "gatsby" / "random.py").write_bytes((HOUSE_FOLDER / "gatsby" / "random.py").read_bytes())
    register_house_bots(Path(folder))
"""


@pytest.fixture(params=["sqlite and a socket", "postgresql and tcp"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data", RUMRUNNER_LEASE_S="10", RUMRUNNER_DEMO="false") as service:
        on_postgres = request.param.startswith("postgresql")
        if on_postgres:
            start_postgres_with_tables(service)
        service.start_broker(tcp=on_postgres)
        service.prepare()
        service.ask(HOUSE)
        service.start_worker("matches", processes=2)
        service.start_worker("service")
        service.start_beat()
        service.start_web()
        yield service
    remove_postgres(service)


def test_bots_go_from_sign_up_to_the_leaderboard_or_learn_why_not(service: Service) -> None:
    token = sign_up(service, "ann")
    bot, version = submit(service, token, "Quiet Ann", RANDOM)
    _, fragile = submit(service, token, "Fragile", CRASHING)
    assert follow(service, token, version)["status"] == "qualified"
    rejected = follow(service, token, fragile)
    assert rejected["status"] == "rejected"
    assert rejected["reason"].startswith("crash at ply 0")
    assert "the dice are loaded" in rejected["log"]

    row = service.wait_for("a rated match of the bot", lambda: place_of(service, bot))
    assert row["matches"] >= 1
    match = service.wait_for("a revealed record", lambda: revealed_match(service, bot))
    status, verdict = service.call("GET", f"/api/v1/matches/{match['id']}/verify/")
    assert (status, verdict["ok"]) == (200, True), verdict
    checked = service.manage("recompute_ratings", "--check")
    assert checked.count("no differences") == service.one("select count(*) from ladders_ladder")


def sign_up(service: Service, name: str) -> str:
    """Sign up by the page, as a person does; then exchange name and password for a token."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    page = browser.open(service.url + "/accounts/signup/", timeout=PATIENCE_S).read().decode()
    proof = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert proof is not None
    fields = {"csrfmiddlewaretoken": proof[1], "username": name, "password1": "jazz and gin 23"}
    fields["password2"] = fields["password1"]
    browser.open(service.url + "/accounts/signup/", urllib.parse.urlencode(fields).encode(), timeout=PATIENCE_S)
    status, made = service.call("POST", "/api/v1/auth/login/", body={"username": name, "password": fields["password1"]})
    assert status == 201, made
    return str(made["token"])


def submit(service: Service, token: str, name: str, source: str) -> tuple[int, str]:
    """Make a bot and upload its first version; returns the bot's id and the version's path."""
    status, bot = service.call("POST", "/api/v1/bots/", token=token, body={"game": "gatsby", "name": name})
    assert status == 201, bot
    path = f"/api/v1/bots/{bot['id']}/versions/"
    status, version = service.upload(path, token=token, filename="main.py", content=marked(source))
    assert status == 202, version
    return bot["id"], f"{path}{version['number']}/"


def follow(service: Service, token: str, version: str) -> dict[str, Any]:
    """Look at a version until its check is over."""

    def over() -> dict[str, Any] | None:
        _, told = service.call("GET", version, token=token)
        return told if told["status"] in ("qualified", "rejected") else None

    return service.wait_for("the check", over)


def place_of(service: Service, bot: int) -> dict[str, Any] | None:
    """The bot's line of the leaderboard once it has been rated."""
    _, page = service.call("GET", f"/api/v1/ladders/{LADDER}/leaderboard/")
    return next((row for row in page["results"] if row["bot_id"] == bot and row["matches"]), None)


def revealed_match(service: Service, bot: int) -> dict[str, Any] | None:
    """A finished match of the bot whose whole record anyone may have."""
    status, page = service.call("GET", f"/api/v1/matches/?bot={bot}&status=finished")
    assert status == 200, page
    for match in page["results"]:
        if service.call("GET", f"/api/v1/matches/{match['id']}/record/")[0] == 200:
            return dict(match)
    return None
