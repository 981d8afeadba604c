"""A running match in a real browser: followed, scrubbed, cut off, and at last a replay."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from django.core.cache import cache
from playwright.sync_api import Browser, Page, Route, expect

from ladder.live.stream import Stream
from tests.ladder.cast import make_ladder
from tests.ladder.live.conftest import address, broker  # noqa: F401  fixtures
from tests.ladder.live.paper import Running, queue_set, take

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@contextmanager
def streaming() -> Iterator[Stream]:
    """The stream in a thread of its own; cut off when the block is left."""
    stream, stop = Stream("127.0.0.1", 0), asyncio.Event()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: loop.run_until_complete(stream.run(stop)), daemon=True)
    thread.start()
    try:
        while not stream.port:
            assert thread.is_alive()
            time.sleep(0.01)
        yield stream
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)


@pytest.fixture
def running(broker: redis.Redis) -> Running:  # noqa: F811
    queue_set(make_ladder("gatsby", 2), matches=2)
    return take()


@pytest.fixture
def watcher(chromium: Browser, live_server) -> Iterator[Page]:
    context = chromium.new_context(base_url=live_server.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if "Content Security Policy" in said.text else None)
    yield page
    context.close()
    assert not problems


def at(page: Page, ply: int) -> None:
    expect(page.locator(f'.board[data-ply="{ply}"]')).to_be_visible()


# What stands on the tag is kept: a line that was lost may be found again before a slow machine looks.
KEPT = """() => {
  const tag = document.querySelector('.livetag');
  window.stood = [];
  new MutationObserver(() => stood.push(tag.textContent)).observe(tag, { childList: true });
}"""


def test_a_match_is_followed_scrubbed_asked_for_without_the_stream_and_becomes_a_replay(
    running: Running, watcher: Page
) -> None:
    with streaming() as stream:
        running.play(5)
        cache.clear()
        watcher.goto(f"/matches/{running.match.pk}/")
        at(watcher, 5)
        expect(watcher.locator(".livetag")).to_have_text("Live")
        expect(watcher.locator("[data-live]")).to_have_attribute(
            "data-stream", f"http://localhost:{stream.port}/matches/{running.match.pk}"
        )
        running.play(2)
        at(watcher, 7)
        watcher.keyboard.press("ArrowLeft")
        at(watcher, 6)
        running.play(1)
        expect(watcher.locator(".count")).to_have_text("ply 6 of 8")
        watcher.get_by_role("button", name="Back to live").click()
        at(watcher, 8)
        watcher.evaluate(KEPT)
    watcher.wait_for_function("() => stood.some((words) => words.includes('Connection lost'))")
    running.play(2)
    at(watcher, 10)  # by asking the site
    expect(watcher.locator(".livetag")).to_have_text("Live")
    running.finish()
    expect(watcher.locator(".livetag")).to_have_text("Over")
    expect(watcher.get_by_role("button", name="At the end")).to_be_visible()
    assert watcher.locator(".views input").count() == 0
    cut: list[str] = []

    def off_the_net(route: Route) -> None:
        if cut or route.request.headers["accept"] != "text/html":
            return route.continue_()
        cut.append(route.request.url)
        return route.abort()

    watcher.route(f"**/matches/{running.match.pk}/", off_the_net)  # just when the replay is asked for
    take().finish()
    expect(watcher.locator(".views input")).to_have_count(3)
    assert cut
    at(watcher, len(running.told.texts))
    watcher.keyboard.press("ArrowLeft")
    at(watcher, len(running.told.texts) - 1)


@pytest.mark.parametrize(("game", "seats"), [("speak_easy", 2), ("gatsby", 2), ("capone", 4), ("cotton_club", 3)])
def test_a_match_that_waits_shows_its_table_before_the_deal_and_says_what_it_waits_for(
    broker: redis.Redis,  # noqa: F811
    watcher: Page,
    game: str,
    seats: int,
) -> None:
    match = queue_set(make_ladder(game, seats), matches=1)[0]
    watcher.goto(f"/matches/{match.pk}/")
    expect(watcher.locator(".stage.bare svg.board")).to_be_visible()
    expect(watcher.locator(".last-words")).to_have_text(re.compile("^The match has not begun. It is waiting for "))
    expect(watcher.locator(".seatcard")).to_have_count(seats)
    expect(watcher.locator(".follow")).to_have_text("Will follow live")
    dealt = "[data-character]:not([data-character='?']), [data-card]:not(.seatcard *), .disc"
    assert watcher.locator(f".board :is({dealt})").count() == 0
    running = take()
    running.play(1)
    at(watcher, 1)
    expect(watcher.locator(".stage.bare")).to_have_count(0)


def test_an_attempt_that_was_lost_is_told_of_and_watchers_start_over(running: Running, watcher: Page) -> None:
    from ladder.matches import leases

    running.play(6)
    cache.clear()
    watcher.goto(f"/matches/{running.match.pk}/")
    at(watcher, 6)
    leases.hand_back(running.match.pk, running.claim.lease, detail="told to stop")
    expect(watcher.locator(".livetag")).to_have_text("Waiting for a worker")
    again = take()
    again.play(2)
    at(watcher, 2)
    expect(watcher.get_by_text("It was restarted")).to_be_visible()


def test_whoever_was_offline_is_told_so_and_comes_back_to_the_ply_they_were_at(running: Running, watcher: Page) -> None:
    running.play(5)
    cache.clear()
    watcher.goto(f"/matches/{running.match.pk}/")
    at(watcher, 5)
    watcher.keyboard.press("ArrowLeft")
    at(watcher, 4)
    watcher.context.set_offline(True)
    expect(watcher.locator(".livetag")).to_contain_text("Connection lost at")
    expect(watcher.get_by_text("you will return to the ply you were at")).to_be_visible()
    running.play(3)
    watcher.context.set_offline(False)
    expect(watcher.locator(".count")).to_have_text("ply 4 of 8")
    expect(watcher.locator(".livetag")).to_have_text("Live")
    at(watcher, 4)
    watcher.get_by_role("button", name="Back to live").click()
    at(watcher, 8)


LEAST_PX = 10.99  # 11, as browsers round it
SMALLEST = """() => {
  const shown = [...document.querySelectorAll('svg.board text')].filter((text) => text.getClientRects().length);
  return Math.min(...shown.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a));
}"""


@pytest.mark.parametrize("place", ["/", "/ladders/gatsby-2/projector/"])
def test_a_running_match_is_shown_move_by_move_at_home_and_on_a_wall_and_after_the_line_was_cut(
    running: Running, watcher: Page, place: str
) -> None:
    watcher.set_viewport_size({"width": 1024, "height": 768})
    with streaming():
        running.play(5)
        cache.clear()
        watcher.goto(place)
        at(watcher, 5)
        expect(watcher.locator(".onair .livetag")).to_contain_text("Live")
        assert watcher.evaluate(SMALLEST) >= LEAST_PX
        for ply in (6, 7):
            running.play(1)
            at(watcher, ply)
            expect(watcher.locator("[data-count]")).to_have_text(f"ply {ply}")
    watcher.context.set_offline(True)
    running.play(2)
    watcher.context.set_offline(False)
    at(watcher, 9)  # by asking the site, from where it was
    running.play(1)
    at(watcher, 10)
    assert watcher.locator(".onshow .board").count() == 1


def test_a_match_that_was_over_before_it_could_be_shown_makes_room_for_another_at_once(
    running: Running, watcher: Page
) -> None:
    cache.clear()
    gone = {"events": [{"event": "phase", "data": {"phase": "over"}, "id": ""}]}
    watcher.route("**/live/**", lambda route: route.fulfill(json=gone))
    watcher.add_init_script(
        "window.told = []; for (const name of ['over', 'missed']) addEventListener(name, () => told.push(name))"
    )
    with watcher.expect_request(lambda request: "shown=" in request.url):
        watcher.goto("/")
    assert watcher.evaluate("told")[0] == "missed"
