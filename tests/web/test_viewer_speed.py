"""What makes the page of a match quick: nothing is asked for twice or one after the other, and little is drawn anew."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from ladder.web.viewer_script import viewer_script
from tests.web.showroom import Room
from tests.web.standing import board_at

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DRAWN = ["speak_easy", "gatsby", "capone", "cotton_club"]
AHEAD = "() => [...document.querySelectorAll('head script[src]')].map(({ src }) => src)"
ASKED_FOR = "() => performance.getEntriesByType('resource').map(({ name }) => name)"  # by this page, each time


@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.parametrize("page", ["", "embed/"])
def test_the_viewer_is_one_request_and_its_first_positions_none(reader: Page, room: Room, game: str, page: str):
    reader.route("**/frames/**", lambda route: None)  # asked for later, and here never answered
    reader.goto(f"/matches/{room.matches[game]}/{page}")
    first = viewer_script(f"boards/{game}").first_ply
    board_at(reader, first)
    ahead, counted = reader.evaluate(AHEAD), reader.evaluate(ASKED_FOR)
    assert len(ahead) == 1
    assert ahead == [url for url in counted if f"/boards/{game}.js" in url]
    assert not [url for url in counted if "/static/viewer/" in url and url.endswith(".js")]


@pytest.mark.parametrize("game", DRAWN)
def test_the_viewer_s_script_is_kept_for_good_under_its_own_digest_alone(client: Client, game: str):
    found = viewer_script(f"boards/{game}")
    own = client.get(reverse("web:viewer_script", args=[found.digest, found.drawing]))
    assert own.content.decode() == found.text
    assert "immutable" in own["Cache-Control"]
    older = client.get(reverse("web:viewer_script", args=["0" * 12, found.drawing]))
    assert (older.content, older["Cache-Control"]) == (own.content, "no-store")


@pytest.mark.parametrize("drawing", ["boards/chess", "viewer", "../settings", "boards/gatsby.js"])
def test_there_is_no_script_of_what_draws_no_game(client: Client, db, drawing: str):
    assert client.get(f"/viewer/{'0' * 12}/{drawing}.js").status_code == 404


# How many elements one ply makes anew, at most, and how many there are.
MADE = """async () => {
  const slider = document.querySelector('.story input'), stage = document.querySelector('.stage'), made = [];
  const watch = new MutationObserver((changes) => { made.push(changes.flatMap((one) => [...one.addedNodes])
    .reduce((sum, node) => sum + (node.querySelectorAll?.('*').length ?? 0) + 1, 0)); });
  watch.observe(stage, { childList: true, subtree: true });
  for (let ply = 50; ply < 70; ply++) {
    slider.value = ply;
    slider.dispatchEvent(new Event('input'));
    while (Number(document.querySelector('.board').dataset.ply) !== ply) await new Promise(requestAnimationFrame);
  }
  watch.disconnect();
  made.sort((one, other) => one - other);
  return [made[Math.floor(made.length / 2)], stage.querySelectorAll('*').length];
}"""


@pytest.mark.parametrize("game", DRAWN)
def test_of_a_board_only_what_a_ply_changed_is_drawn_anew(reader: Page, room: Room, game: str):
    reader.goto(f"/matches/{room.matches[game]}/#ply=49")
    board_at(reader, 49)
    made, there = reader.evaluate(MADE)
    assert there > 400
    assert made < there / 10


def test_however_often_the_slider_moves_the_board_follows_once_a_frame(reader: Page, room: Room):
    reader.goto(f"/matches/{room.matches['gatsby']}/#ply=0")
    board_at(reader, 0)
    shown = reader.evaluate("""async () => {
      const slider = document.querySelector('.story input'), shown = [];
      document.addEventListener('ply', ({ detail }) => shown.push(detail));
      for (let ply = 1; ply <= 30; ply++) { slider.value = ply; slider.dispatchEvent(new Event('input')); }
      while (shown.at(-1) !== 30) await new Promise(requestAnimationFrame);
      return shown;
    }""")
    assert shown == [30]


def test_a_slider_that_is_drawn_along_sets_nothing_gliding(reader: Page, room: Room):
    reader.emulate_media(reduced_motion="no-preference")
    reader.goto(f"/matches/{room.matches['speak_easy']}/#ply=60")
    board_at(reader, 60)
    moved = reader.evaluate("""async () => {
      const slider = document.querySelector('.story input'), frame = () => new Promise(requestAnimationFrame);
      performance.now = () => 1; // however long a frame takes here
      for (let ply = 61; ply <= 80; ply++) {
        slider.value = ply;
        slider.dispatchEvent(new Event('input'));
        await frame();
      }
      return document.querySelector('.board').getAnimations({ subtree: true }).length;
    }""")
    assert moved <= 1  # the first step may be one


# The rows that are marked while the slider is drawn along, whatever the machine takes for it, and once it rests.
DRAWN_ALONG = """async () => {
  const slider = document.querySelector('.story input'), frame = () => new Promise(requestAnimationFrame), rows = [];
  while (document.querySelectorAll('[data-row]').length < Number(slider.max)) await frame();
  const current = () => document.querySelector('[data-row][aria-current]').dataset.row, waiting = new Map();
  const [soon, never] = [window.setTimeout, window.clearTimeout];
  performance.now = () => 1;
  window.setTimeout = (act, ms) => (ms < 100 ? soon(act, ms) : waiting.set(act, act) && act);
  window.clearTimeout = (act) => { waiting.delete(act) || never(act); };
  for (let ply = 41; ply <= 70; ply++) {
    slider.value = ply;
    slider.dispatchEvent(new Event('input'));
    while (Number(document.querySelector('.board').dataset.ply) !== ply) await frame();
    rows.push(current());
  }
  for (const act of waiting.values()) act();
  return [...new Set([...rows, current()])];
}"""


def test_while_the_slider_is_drawn_along_the_list_waits_and_then_all_stands_where_the_board_does(
    reader: Page, room: Room
):
    address = f"/matches/{room.matches['cotton_club']}/"
    reader.goto(f"{address}#ply=40")
    reader.wait_for_selector("[data-row='40'][aria-current]")
    assert reader.evaluate(DRAWN_ALONG) == ["41", "70"]  # the first step is one by itself
    told = reader.inner_text(".seatcards")
    reader.goto("about:blank")
    reader.goto(f"{address}#ply=70")
    expect(reader.locator(".seatcards")).to_have_text(told, use_inner_text=True)


# What thirty steps make anew in the seats' cards, at a ply on average, how much there is, and how it stands in the end.
CARDS_MADE = """async () => {
  const cards = document.querySelector('.seatcards'), made = [];
  const watch = new MutationObserver((changes) => { made.push(...changes.flatMap((one) => [...one.addedNodes])); });
  watch.observe(cards, { childList: true, subtree: true });
  for (let ply = 31; ply <= 60; ply++) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    while (Number(document.querySelector('.board').dataset.ply) !== ply) await new Promise(requestAnimationFrame);
  }
  const all = made.reduce((sum, node) => sum + 1 + (node.querySelectorAll?.('*').length ?? 0), 0);
  return [all / 30, cards.querySelectorAll('*').length, cards.innerHTML];
}"""
ALIKE = """(shown) => {
  const cards = document.querySelector('.seatcards'), other = cards.cloneNode();
  other.innerHTML = shown;
  return cards.isEqualNode(other);
}"""


@pytest.mark.parametrize("game", DRAWN)
def test_of_a_seat_s_card_only_what_changed_is_made_anew_and_it_stands_as_if_drawn_at_once(
    reader: Page, room: Room, game: str
):
    address = f"/matches/{room.matches[game]}/"
    reader.goto(f"{address}#ply=30")
    reader.wait_for_selector(".seatcard")
    made, there, shown = reader.evaluate(CARDS_MADE)
    assert made < there / 10
    reader.goto("about:blank")
    reader.goto(f"{address}#ply=60")
    reader.wait_for_selector(".seatcard")
    assert reader.evaluate(ALIKE, shown)


# How many cards change together, at most, while the slider is drawn along, whatever the machine takes for it.
CARDS_TOGETHER = """async () => {
  const slider = document.querySelector('.story input'), frame = () => new Promise(requestAnimationFrame);
  const together = [], watch = new MutationObserver((changes) => {
    together.push(new Set(changes.map(({ target }) => target.closest('.seatcard')).filter(Boolean)).size);
  });
  const soon = window.setTimeout;
  performance.now = () => 1;
  window.setTimeout = (act, ms) => (ms < 100 ? soon(act, ms) : 0);
  for (let ply = 41; ply <= 70; ply++) {
    if (ply === 43) watch.observe(document.querySelector('.seatcards'), { childList: true, subtree: true });
    slider.value = ply;
    slider.dispatchEvent(new Event('input'));
    while (Number(document.querySelector('.board').dataset.ply) !== ply) await frame();
  }
  return Math.max(...together);
}"""


def test_while_the_slider_is_drawn_along_no_frame_waits_for_more_than_one_card(reader: Page, room: Room):
    reader.goto(f"/matches/{room.matches['cotton_club']}/#ply=40")
    reader.wait_for_selector("[data-row='40'][aria-current]")
    assert reader.evaluate(CARDS_TOGETHER) == 1


def test_the_first_position_stands_before_seats_moves_and_what_is_needed_later(reader: Page, room: Room):
    reader.add_init_script("""
      window.order = [];
      new MutationObserver(() => {
        for (const part of ['.board[data-ply]', '.seatcard', '[data-row]', 'script[src*=htmx]']) {
          if (!order.includes(part) && document.querySelector(part)) order.push(part);
        }
      }).observe(document, { childList: true, subtree: true, attributes: true });""")
    reader.goto(f"/matches/{room.matches['gatsby']}/")
    reader.wait_for_function("() => order.length === 4 && window.htmx")
    assert reader.evaluate("order")[0] == ".board[data-ply]"
    reader.get_by_role("link", name="verify").click()
    expect(reader.locator("#verdict")).to_contain_text("The record is genuine")  # in its place, by htmx
    assert reader.url.partition("#")[0].endswith(f"/matches/{room.matches['gatsby']}/")


# The painted page's first look: what stood there, and whether anything was painted before.
FIRST_FRAME = """
  const look = () => {
    if (document.querySelector('.board[data-ply]')) window.painted ??= performance.getEntriesByType('paint').length;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);"""


def test_nothing_is_painted_before_the_board_and_what_lies_below_waits_for_it(reader: Page, room: Room):
    reader.add_init_script(FIRST_FRAME)
    reader.goto(f"/matches/{room.matches['capone']}/")
    reader.wait_for_function("() => window.painted !== undefined")
    assert reader.evaluate("window.painted") == 0
    reader.wait_for_selector("html:not(.opening) .seatcard")
    assert reader.get_by_role("heading", name="How it ended").count() == 1


def test_rows_are_kept_in_short_lists_that_go_on_counting(reader: Page, room: Room):
    reader.goto(f"/matches/{room.matches['speak_easy']}/#ply=3")
    rows = reader.locator(".movelist ol[start='41'] > li")
    expect(rows).to_have_count(20)  # which come a few at a time
    assert rows.nth(4).get_attribute("data-row") == "45"
