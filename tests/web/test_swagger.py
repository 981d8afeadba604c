"""The page about the API works under the site's strict policy, with files of its own alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web.showroom import Room

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_swagger_page_draws_itself_without_a_complaint(chromium: Browser, room: Room) -> None:
    context = chromium.new_context(base_url=room.url)
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/api/docs/")
    expect(page.get_by_text("/api/v1/games/", exact=False).first).to_be_visible()
    assert complaints == []
    assert [url for url in asked if not url.startswith((room.url, "data:"))] == []
    context.close()
