"""Looking at the site in a real browser: accessibility of every page, keyboard, themes, narrow and wide screens."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, expect

from scripts.screenshots import STRANGERS, pages_of, settle, sign_in
from tests.web.showroom import Room
from tests.web.standing import FRAMES_LATER, board_at

pytestmark = [pytest.mark.browser, pytest.mark.slow]


WIDTH = "document.documentElement.scrollWidth"
# Other games' pages are of the same make; `make soak` looks into them, too.
ALIKE = re.compile("(learn|rules|ladder)-(?!gatsby)")


def test_axe_finds_nothing_on_any_kind_of_page_and_no_page_is_wider_than_a_phone(chromium: Browser, room: Room):
    read_everything(chromium, room, theme="dark", unread=ALIKE)


@pytest.mark.soak
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page_in_either_theme(chromium: Browser, room: Room, theme: str):
    read_everything(chromium, room, theme=theme, unread=re.compile("$^"))


def read_everything(chromium: Browser, room: Room, *, theme: Any, unread: re.Pattern[str]) -> None:
    """Every page on a phone, with axe's eyes but for those that are left to others."""
    context = chromium.new_context(base_url=room.url, viewport={"width": 390, "height": 800}, color_scheme=theme)
    page = context.new_page()
    troubles: list[str] = []
    page.on("console", lambda line: troubles.append(f"{page.url}: {line.text}") if line.type == "error" else None)
    page.on("pageerror", lambda error: troubles.append(f"{page.url}: {error}"))
    for name, path in STRANGERS:
        page.goto(path, wait_until="load")
        assert page.url.endswith(path)
        assert page.evaluate(WIDTH) <= 390, name
        assert violations(page) == [], name
    sign_in(page, room.url, room.user, room.password)
    for name, path in list(pages_of(page, room.url)):
        page.goto(path, wait_until="load")
        settle(page)
        if name == "api":  # Swagger's own page; the rest of it is ours
            continue
        assert page.evaluate(WIDTH) <= 390, name
        if not unread.match(name):
            assert violations(page) == [], name
    assert [line for line in troubles if "no-such-page" not in line] == []
    context.close()


MORE_ROWS = ".movelist li:nth-child(n + 4):not([aria-current])"  # made as those before them, which are looked at


def violations(page: Page) -> list[tuple[str, str]]:
    """What axe finds; of what is as it should be nothing is written down."""
    page.locator(MORE_ROWS).evaluate_all("rows => rows.forEach((row) => row.remove())")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [(one["id"], one["nodes"][0]["html"][:120]) for one in found]


def test_light_theme_on_a_projector_has_contrast_too(reader: Page, room: Room):
    reader.emulate_media(color_scheme="light")
    for path in (
        "/",
        "/games/gatsby/",
        "/games/gatsby/?wall",
        "/tournaments/1/?wall",
        f"/matches/{room.matches['capone']}/",
    ):
        reader.goto(path, wait_until="load")
        settle(reader)
        assert violations(reader) == [], path


def test_the_theme_can_be_chosen_and_stays(chromium: Browser, room: Room):
    paper = "getComputedStyle(document.body).backgroundColor"
    page = chromium.new_page(base_url=room.url)
    page.goto("/accounts/login/")
    choose_theme(page, "dark")
    dark = page.evaluate(paper)
    page.goto("/tournaments/")
    assert page.evaluate(paper) == dark
    choose_theme(page, "light")
    assert page.evaluate(paper) != dark
    page.close()


def choose_theme(page: Page, name: str) -> None:
    """Choose a theme and wait for the page that has it, with its styles: a click returns before either is there."""
    button = page.get_by_role("button", name=name, exact=True)
    with page.expect_navigation():
        button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def test_a_match_can_be_watched_by_keyboard_alone(reader: Page, room: Room):
    reader.goto(f"/matches/{room.matches['gatsby']}/#ply=0")
    board_at(reader, 0)
    reader.keyboard.press("Tab")
    expect(reader.locator(":focus")).to_have_text("Skip to content")
    reader.locator(".stage").focus()
    for key, ply in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("PageDown", 11), ("Home", 0)):
        reader.keyboard.press(key)
        board_at(reader, ply)
    reader.keyboard.press("End")
    expect(reader.locator(".last-words")).to_contain_text(re.compile("won|share"))
    assert "role" in reader.locator(".board").evaluate("b => b.getAttributeNames()")
    focused = "getComputedStyle(document.activeElement).outlineStyle"
    assert reader.evaluate(focused) != "none"


def test_playing_pausing_scrubbing_and_linking_to_a_ply(reader: Page, room: Room):
    reader.goto(f"/matches/{room.matches['gatsby']}/#ply=7")
    board_at(reader, 7)
    reader.get_by_role("button", name="Play").click()
    reader.wait_for_function("() => Number(document.querySelector('.board').dataset.ply) > 8")
    reader.get_by_role("button", name="Pause").click()  # at this speed the match goes on for a minute
    reader.get_by_label("Speed").select_option("fastest")
    reader.locator("input[type=range]").fill("20")
    board_at(reader, 20)
    view = reader.locator(".views input:checked").get_attribute("value")
    reader.wait_for_function(f"() => location.hash === '#ply=20&view={view}&speed=fastest'")
    reader.locator(".movelist li[data-row='3'] a").click()
    board_at(reader, 3)
    expect(reader.locator(".movelist li[aria-current]")).to_have_attribute("data-row", "3")


def test_a_server_that_stops_answering_is_told_on_the_page(reader: Page, room: Room):
    reader.goto(f"/matches/{room.matches['gatsby']}/#ply=1")
    board_at(reader, 1)
    unseen = reader.locator(".views input:not(:checked)").first.get_attribute("value")
    reader.route("**/frames/**", lambda route: route.abort())
    reader.check(f".views input[value='{unseen}']")
    expect(reader.get_by_role("alert")).to_contain_text("could not be loaded")
    reader.unroute("**/frames/**")
    reader.get_by_role("button", name="Try again").click()
    reader.wait_for_selector(f".board[data-view='{unseen}']")


LATER_PLIES = re.compile(r"/frames/\?.*\bstart=60&")


@pytest.mark.parametrize("ply", [1, 70])
def test_an_error_for_eyes_nobody_looks_through_any_more_is_not_told(reader: Page, room: Room, ply: int):
    """The list of moves and, at a later ply, the board wait for the same page of frames."""
    held: list[Route] = []
    reader.route(LATER_PLIES, lambda route: route.continue_() if held else held.append(route))
    with reader.expect_request(LATER_PLIES):
        reader.goto(f"/matches/{room.matches['gatsby']}/#ply=1")
    reader.evaluate("ply => { location.hash = `#ply=${ply}`; }", ply)
    unseen = reader.locator(".views input:not(:checked)").last.get_attribute("value")
    reader.check(f".views input[value='{unseen}']")
    board_at(reader, ply, view=unseen)
    reader.wait_for_selector(f"[data-row='{len(room.records['gatsby'].actions)}']", state="attached")
    with reader.expect_event("requestfailed"):
        held[0].abort()
    reader.evaluate(FRAMES_LATER)
    assert not reader.get_by_role("alert").count()
    board_at(reader, ply, view=unseen)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_games_are_a_menu_where_the_bar_has_no_room_for_them(reader: Page, width: int):
    reader.set_viewport_size({"width": width, "height": 720})
    reader.goto("/tournaments/", wait_until="load")
    reader.evaluate("document.querySelector('.masthead nav').classList.add('many')")  # as with five games
    assert reader.evaluate("document.documentElement.scrollWidth") <= width
    bar = reader.get_by_role("navigation", name="Main")
    for name in ("Games", "Tournaments", "Matches", "Learn", "Docs"):
        box = bar.get_by_text(name, exact=True).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    expect(bar.get_by_role("link", name="Gatsby")).to_be_hidden()
    bar.get_by_role("button", name="Games").press("Enter")
    expect(bar.get_by_role("link", name="1923 Cotton Club")).to_be_in_viewport()
    reader.keyboard.press("Escape")
    expect(bar.get_by_role("link", name="Gatsby")).to_be_hidden()
    bar.get_by_role("button", name="Games").click()
    bar.get_by_role("link", name="Gatsby").click()
    expect(reader).to_have_url(re.compile("/ladders/gatsby-2/$"))


def test_at_1280_the_bar_shows_four_games_and_all_else(reader: Page):
    reader.set_viewport_size({"width": 1280, "height": 720})
    reader.goto("/tournaments/", wait_until="load")
    bar = reader.get_by_role("banner")
    for name in ("Speak Easy", "1923 Cotton Club", "Docs", "Play", "Submit a bot", "lena"):
        expect(bar.get_by_role("link", name=name)).to_be_in_viewport(ratio=1)
    assert bar.bounding_box()["height"] < 70


def test_in_colours_the_reader_chose_drawings_and_the_current_page_can_be_told(chromium: Browser, room: Room):
    context = chromium.new_context(base_url=room.url, color_scheme="light", forced_colors="active")
    page = context.new_page()
    page.goto("/games/gatsby/", wait_until="load")
    style = "(node, name) => getComputedStyle(node)[name]"
    text = page.locator("h1").evaluate("node => getComputedStyle(node).color")
    assert page.locator(".ladder .whisker").first.evaluate("node => getComputedStyle(node).stroke") == text
    assert page.locator("nav [aria-current]").first.evaluate(style, "borderBottomStyle") == "double"
    page.goto("/tournaments/1/", wait_until="load")
    assert page.locator(".cross .h0").first.evaluate(style, "borderTopWidth") == "1px"
    context.close()
