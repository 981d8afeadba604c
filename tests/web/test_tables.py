"""The tables in a real browser: what must fit where, keys, links, marks, motion, and games without a drawing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from arena import MatchOrder, frames
from arena.standalone import standalone_page
from engines import GAMES
from tests.arena.countdown import Countdown
from tests.web.showroom import Room
from tests.web.test_viewer_boards import record_of
from tests.web.world import random_record

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DRAWN = ["speak_easy", "gatsby", "capone", "cotton_club"]
LEAST_PX = 11

# The letters of the board as they come out on the screen, and how far the controls reach.
MEASURED = """() => {
  const bottom = (name) => document.querySelector(name).getBoundingClientRect().bottom;
  const letters = [...document.querySelectorAll('.board text')].filter((t) => t.getClientRects().length);
  const size = (t) => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a;
  return {
    board: bottom('.stage'), words: bottom('.last-words'), transport: bottom('.transport'),
    smallest: Math.min(99, ...letters.map(size)), wide: document.documentElement.scrollWidth,
  };
}"""


def show(page: Page, room: Room, game: str, *, size: tuple[int, int], ply: int = 60) -> dict[str, float]:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("about:blank")
    page.goto(f"/matches/{room.matches[game]}/#ply={ply}")
    page.wait_for_selector(f".board[data-ply='{ply}']")
    page.evaluate("document.fonts.ready")
    measured: dict[str, float] = page.evaluate(MEASURED)
    return measured


@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_board_words_and_transport_fit_into_one_screen(reader: Page, room: Room, game: str, size: tuple[int, int]):
    measured = show(reader, room, game, size=size)
    assert measured["board"] < measured["words"] < measured["transport"] <= size[1]
    assert measured["wide"] == size[0]
    assert measured["smallest"] >= LEAST_PX


@pytest.mark.parametrize("game", DRAWN)
def test_a_phone_has_a_layout_of_its_own(reader: Page, room: Room, game: str):
    measured = show(reader, room, game, size=(390, 844))
    assert "tall" in (reader.locator(".board").get_attribute("class") or "")
    assert measured["transport"] <= 844
    assert measured["wide"] == 390
    assert measured["smallest"] >= LEAST_PX


def test_a_board_is_drawn_anew_when_the_window_becomes_a_phone_s(reader: Page, room: Room):
    show(reader, room, "gatsby", size=(1440, 900))
    expect(reader.locator(".board.wide")).to_have_attribute("data-ply", "60")
    reader.set_viewport_size({"width": 390, "height": 844})
    expect(reader.locator(".board.tall")).to_have_attribute("data-ply", "60")
    expect(reader.locator(".rail .views")).to_be_visible()


def test_keys_work_from_anywhere_but_not_out_of_a_field(reader: Page, room: Room):
    show(reader, room, "gatsby", size=(1440, 900), ply=10)
    reader.locator(".under a").first.focus()
    reader.keyboard.press("ArrowRight")
    reader.wait_for_selector(".board[data-ply='11']")
    reader.get_by_label("Speed").focus()
    reader.keyboard.press("ArrowRight")
    reader.locator("#main").focus()
    reader.keyboard.press("ArrowLeft")
    reader.wait_for_selector(".board[data-ply='10']")


def test_a_link_holds_ply_view_and_speed(reader: Page, room: Room):
    reader.goto(f"/matches/{room.matches['gatsby']}/#ply=12&view=1&speed=fast")
    reader.wait_for_selector(".board[data-ply='12'][data-view='1']")
    expect(reader.get_by_label("Speed")).to_have_value("2")
    expect(reader.locator(".views input[value='1']")).to_be_checked()
    reader.evaluate("location.hash = '#ply=14&view=0&speed=slow'")
    reader.wait_for_selector(".board[data-ply='14'][data-view='0']")
    expect(reader.get_by_label("Speed")).to_have_value("0")


@pytest.mark.parametrize("game", DRAWN)
def test_the_time_line_has_a_mark_wherever_something_notable_happened(reader: Page, room: Room, game: str):
    show(reader, room, game, size=(1440, 900))
    record = record_of(room, room.matches[game])
    wanted = [frame.spoken.mark for frame in frames(record) if frame.spoken and frame.spoken.mark]
    assert wanted
    told = "n => document.querySelectorAll('.movelist [data-row]').length === n"
    reader.wait_for_function(told, arg=len(record.actions))
    assert [mark.get_attribute("data-mark") for mark in reader.locator(".marks .beat").all()] == wanted


MOVING = "() => document.querySelector('.board').getAnimations({ subtree: true }).length"


def test_a_move_is_shown_moving_unless_the_reader_wants_none(reader: Page, room: Room):
    for wish, moves in (("no-preference", True), ("reduce", False)):
        reader.emulate_media(reduced_motion=wish)
        show(reader, room, "speak_easy", size=(1440, 900), ply=70)
        reader.locator("[data-do=on]").click()
        reader.wait_for_selector(".board[data-ply='71']")
        assert bool(reader.evaluate(MOVING)) is moves


def test_a_tap_on_a_card_tells_what_it_is(reader: Page, room: Room):
    show(reader, room, "cotton_club", size=(390, 844))
    card = reader.locator(".board [data-card]").first
    words = card.locator("title").text_content()
    card.click(position={"x": 5, "y": 5})
    expect(reader.locator(".about")).to_have_text(words or "")


@pytest.fixture
def plain_page(chromium: Browser, tmp_path, monkeypatch) -> Iterator[Page]:
    """The replay of a game that has words and no drawing."""
    monkeypatch.setitem(GAMES, "countdown", Countdown())
    order = MatchOrder(game="countdown", rules_version=1, seed=5, seats=("a" * 64, "b" * 64))
    record = random_record(order, Random(3))
    (tmp_path / "game.html").write_text(standalone_page(replace(record), ["<b>gin</b>", "rum"]), encoding="utf-8")
    page = chromium.new_page()
    page.goto(f"{(tmp_path / 'game.html').as_uri()}#ply=1")
    yield page
    page.close()


def test_a_game_without_a_drawing_gets_the_plain_table(plain_page: Page):
    page = plain_page
    expect(page.locator(".board[data-ply='1'] .plaintable")).to_contain_text(" left")
    expect(page.locator(".last-words")).to_contain_text("<b>gin</b> takes ")
    expect(page.locator("[data-standing='1']")).to_contain_text("secrets")
    page.keyboard.press("End")
    expect(page.locator(".last-words")).to_contain_text(" won.")
