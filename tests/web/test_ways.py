"""The newcomer's way and the organiser's way through the real service, in a real browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.bots import CRASHING, RANDOM, marked
from tests.service.harness import ROOT, Service, running

pytestmark = [pytest.mark.browser, pytest.mark.service, pytest.mark.slow]
PASSWORD = "jazz and gin 23"

# One ladder and its sparring partner are enough, and quicker than the whole house.
ONE_LADDER = """
from pathlib import Path
from ladder.ladders.services import find_ladder, set_open
from ladder.submissions.house import register_house_bots
set_open(find_ladder(game="gatsby", seats=2), True)
"""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data", RUMRUNNER_DEMO="false") as service:
        service.start_broker()
        service.prepare()
        house = tmp_path / "house" / "gatsby"
        house.mkdir(parents=True)
        shutil.copy(ROOT / "bots" / "house" / "gatsby" / "random.py", house)
        service.ask(ONE_LADDER + f"register_house_bots(Path({str(house.parent)!r}))")
        service.start_worker("matches", processes=2)
        service.start_worker("service")
        service.start_beat()
        service.start_web()
        yield service


def submit(page: Page, name: str, source: str) -> None:
    """Upload a bot by the form; ends on its report."""
    page.goto("/submit/")
    page.get_by_label("Game").select_option("gatsby")
    page.get_by_label("Name of the new bot").fill(name)
    page.locator("input[type=file]").set_input_files(
        {"name": "main.py", "mimeType": "text/x-python", "buffer": marked(source)}
    )
    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url("**/versions/*/")


def test_a_newcomer_and_then_an_organiser_find_their_ways(chromium: Browser, service: Service):
    context = chromium.new_context(base_url=service.url, viewport={"width": 1200, "height": 900})
    page = context.new_page()

    page.goto("/")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_role("link", name="sign up").click()
    page.locator("[name=username]").fill("ann")
    for field in ("password1", "password2"):
        page.locator(f"[name={field}]").fill(PASSWORD)
    page.locator("form.fields button").click()
    expect(page.locator(".me .user")).to_contain_text("ann")

    submit(page, "fragile", CRASHING)
    expect(page.locator("#report")).to_contain_text("Rejected", timeout=300_000)
    expect(page.locator("#report .log")).to_contain_text("the dice are loaded")

    submit(page, "quiet-ann", RANDOM)
    expect(page.locator("#report")).to_contain_text("Qualified", timeout=300_000)
    page.locator("#report").get_by_role("link", name="watch").last.click()
    page.wait_for_selector(".board[data-ply]")
    service.wait_for("a rated match", lambda: _rated(service, "quiet-ann"))
    page.goto("/games/gatsby/")
    expect(page.locator("table.ladder")).to_contain_text("quiet-ann")
    page.goto("/account/")
    expect(page.locator("main")).to_contain_text(re.compile("qualified", re.I))

    page.goto("/tournaments/new/")
    page.get_by_label("Name").fill("Harbour Cup")
    page.get_by_label("Game").select_option(label="Gatsby, 2 seats")
    expect(page.locator("#preview")).to_contain_text("That makes")
    page.get_by_role("button", name="Create draft").click()
    page.get_by_label("Top bots of the ladder").fill("3")
    page.get_by_role("button", name="Enter top bots").click()
    expect(page.locator("main")).to_contain_text(re.compile(r"[23] bots of the ladder have been entered"))
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#results")).to_contain_text("finished", timeout=300_000)
    expect(page.locator("table.cross")).to_be_visible()
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export JSON").click()
    assert json.loads(Path(download.value.path()).read_text())["status"] == "finished"
    context.close()


def _rated(service: Service, bot: str) -> int:
    query = "select s.matches from ratings_standing s join submissions_bot b on b.id = s.bot_id where b.name = "
    rows = service.sql(query + f"'{bot}'")
    return int(rows[0][0]) if rows else 0
