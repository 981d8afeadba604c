"""Two people and a bot at one table, by a link, in a running service with a worker that keeps the bot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.bots import house_bot
from tests.service.harness import Service, running
from tests.web.standing import board_at

pytestmark = [pytest.mark.browser, pytest.mark.service, pytest.mark.slow]

ANN, BOB, BOT = range(3)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data", RUMRUNNER_DEMO="false") as started:
        started.start_all(processes=1)
        started.start_web()
        yield started


@pytest.fixture
def people(chromium: Browser, service: Service) -> Iterator[tuple[Page, Page]]:
    """Two browsers that know nothing of each other."""
    contexts = [chromium.new_context(base_url=service.url) for _ in (ANN, BOB)]
    ann, bob = (context.new_page() for context in contexts)
    yield ann, bob
    for context in contexts:
        context.close()


def sit_down(ann: Page, bob: Page, version: int) -> None:
    """Ann keeps one seat for a friend and one for the bot, and Bob comes by the link."""
    ann.goto("/play/?game=cotton_club&seats=3")
    ann.locator("#seat1").select_option("friend")
    ann.locator("#seat2").select_option(str(version))
    ann.get_by_role("button", name="Begin").click()
    bob.goto(ann.locator("#invite").input_value())
    bob.get_by_role("button", name="Take the seat").click()


def turn(service: Service) -> tuple[int, int]:
    """How far the game is, and whose turn it is; as soon as it is a person's."""

    def looked() -> tuple[int, int] | None:
        ply, to_act = service.sql("SELECT ply, to_act FROM parlour_sitting")[0]
        return (ply, to_act) if to_act in (ANN, BOB) else None

    found: tuple[int, int] = service.wait_for("the bot's answer", looked)
    return found


def choose_first(page: Page, ply: int) -> None:
    """Take the first choice of the list, at the ply that the page has come to."""
    board_at(page, ply)
    choices = page.locator("details.all")
    if choices.get_attribute("open") is None:
        choices.locator("summary").click()
    choices.get_by_role("button").first.click()
    page.locator("[data-confirm]").click()
    page.wait_for_selector(f".board:not([data-ply='{ply}'])")


def play_until(service: Service, people: tuple[Page, Page], *, seat: int, ply: int) -> int:
    """Both choose, whoever's turn it is, until it is this one's at this ply or later; returns the ply."""
    while (now := turn(service)) < (ply, 0) or now[1] != seat:
        choose_first(people[now[1]], now[0])
    return now[0]


def test_two_people_and_a_bot_play_by_a_link_and_who_was_offline_comes_back_to_the_right_ply(
    service: Service, people: tuple[Page, Page]
) -> None:
    ann, bob = people
    sit_down(ann, bob, service.ask(house_bot("cotton_club") + "answer(version.pk)"))
    bob.wait_for_selector(".board")
    left = play_until(service, people, seat=ANN, ply=6)
    board_at(bob, left)
    bob.context.set_offline(True)
    expect(bob.locator(".last-words")).to_contain_text("The server can’t be reached")
    ply = play_until(service, people, seat=BOB, ply=left + 1)
    expect(bob.locator(".board")).to_have_attribute("data-ply", str(left))
    bob.context.set_offline(False)
    choose_first(bob, ply)
    acted = {seat for (seat,) in service.sql("SELECT DISTINCT seat FROM parlour_act")}
    assert acted == {ANN, BOB, BOT}
    now, written = service.sql("SELECT ply, (SELECT COUNT(*) FROM parlour_act) FROM parlour_sitting")[0]
    assert written == now > ply
