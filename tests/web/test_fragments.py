"""Pages whose parts come anew by themselves: nothing that somebody is doing there is lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.showroom import Room

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UNDER_WAY = "select id from tournaments_tournament where name = 'Cup under way'"
ASKED_AGAIN = "() => new Promise((done) => document.addEventListener('htmx:afterRequest', done, { once: true }))"


@pytest.fixture
def results(reader: Page, room: Room) -> Page:
    """A tournament under way, whose results are asked for every few seconds."""
    reader.goto(f"/tournaments/{room.service.one(UNDER_WAY)}/")
    return reader


def test_a_link_under_a_pointer_that_is_down_leads_on_although_its_table_is_due_anew(results: Page):
    results.locator("#results a.bot").first.hover()
    results.mouse.down()
    results.evaluate(ASKED_AGAIN)
    results.mouse.up()
    expect(results).to_have_url(re.compile(r"/bots/\d+/$"))


def test_whoever_walks_by_keyboard_stays_at_a_link_whose_table_came_anew(results: Page):
    link = results.locator("#results a.bot").nth(1)
    link.evaluate("link => { link.focus(); link.dataset.old = ''; }")
    expect(results.locator("[data-old]")).to_have_count(0)
    expect(link).to_be_focused()


def test_what_is_written_while_another_format_s_settings_come_stays(reader: Page):
    asked = []
    reader.route("**/tournaments/new/?*", lambda route: asked.append(route))
    reader.goto("/tournaments/new/")
    with reader.expect_request("**/tournaments/new/?*"):
        reader.get_by_label("Format").select_option("swiss")
    reader.locator("#id_name").fill("Harbour Cup")
    asked.pop().continue_()
    expect(reader.get_by_label("Rounds")).to_be_visible()
    expect(reader.locator("#id_name")).to_have_value("Harbour Cup")
    expect(reader.locator("#gist")).to_contain_text("In every round")
