from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, Error, Page, sync_playwright

from ladder import pipeline
from scripts.screenshots import open_browser, sign_in
from tests.web.showroom import Room, showroom


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages need no broker: nothing is sent, and nothing waits."""
    monkeypatch.setattr(pipeline, "send", lambda task, **options: None)
    monkeypatch.setattr(pipeline, "messages_waiting", lambda queue: 0)
    cache.clear()


@pytest.fixture
def rng() -> Random:
    return Random(11)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A real browser; where none can be had the tests are skipped with this line, and in CI that fails."""
    with sync_playwright() as playwright:
        try:
            browser = open_browser(playwright)
        except Error as problem:
            reason = f"no browser could be started: {str(problem).splitlines()[0]}"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The site with something on every page, shared by all tests of this process; none may change it."""
    with showroom(tmp_path_factory.mktemp("room") / "data") as shown:
        yield shown


@pytest.fixture
def reader(chromium: Browser, room: Room) -> Iterator[Page]:
    """A signed-in reader's page, on a wide screen."""
    context = chromium.new_context(base_url=room.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    sign_in(page, room.url, room.user, room.password)
    yield page
    context.close()
