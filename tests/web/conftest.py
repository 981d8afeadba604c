from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, Error, Page, StorageState, expect, sync_playwright

from ladder import pipeline
from scripts.screenshots import open_browser, sign_in
from tests.web.showroom import Room, showroom

PATIENCE_MS = 120_000  # only a failure ever waits as long; a busy machine may need 30 s for the first page of a server
DESK = {"width": 1440, "height": 900}


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
        yield patient(browser)
        browser.close()


def patient(browser: Browser) -> Browser:
    """Every page of this browser and everything expected of one has time; playwright gives pages 30 s, the rest 5.

    Nothing moves but where a test wants to see it: what glides is painted sixty times a second, and clicked late.
    """
    new_context, new_page = browser.new_context, browser.new_page

    def patient_context(**given: Any) -> BrowserContext:
        context = new_context(**{"reduced_motion": "reduce", **given})
        context.set_default_timeout(PATIENCE_MS)
        return context

    def patient_page(**given: Any) -> Page:
        page = new_page(**{"reduced_motion": "reduce", **given})
        page.set_default_timeout(PATIENCE_MS)
        return page

    browser.new_context, browser.new_page = patient_context, patient_page  # type: ignore[method-assign]
    expect.set_options(timeout=PATIENCE_MS)
    return browser


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The site with something on every page, shared by all tests of this process; none may change it."""
    with showroom(tmp_path_factory.mktemp("room") / "data") as shown:
        yield shown


@pytest.fixture(scope="session")
def signed_in(chromium: Browser, room: Room) -> StorageState:
    """What a browser keeps of a reader who signed in; once is enough for all of them."""
    context = chromium.new_context(base_url=room.url)
    sign_in(context.new_page(), room.url, room.user, room.password)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture(scope="session")
def reading(chromium: Browser, room: Room, signed_in: StorageState) -> Iterator[BrowserContext]:
    """The browser of a reader who signed in; it keeps files and letters from one page to the next."""
    context = chromium.new_context(base_url=room.url, viewport=DESK, storage_state=signed_in)
    yield context
    context.close()


@pytest.fixture
def reader(reading: BrowserContext) -> Iterator[Page]:
    """That reader's page, on a wide screen."""
    page = reading.new_page()
    yield page
    page.close()
