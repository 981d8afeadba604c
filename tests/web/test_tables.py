"""The tables in a real browser: what must fit where, keys, links, marks, motion, and games without a drawing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from arena import MatchOrder, frames
from arena.standalone import standalone_page
from engines import GAMES
from tests.arena.countdown import Countdown
from tests.web.paper_table import HOST, positions, static_file
from tests.web.showroom import Room
from tests.web.standing import FRAMES_LATER, all_at, board_at
from tests.web.world import random_record

VIEWER = Path(__file__).resolve().parents[2] / "arena" / "viewer"

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DRAWN = ["speak_easy", "gatsby", "capone", "cotton_club"]
LEAST_PX = 10.99  # 11, as browsers round it

# Every letter as it comes out on the screen, how far the controls reach, and whether seats and moves fit.
MEASURED = """() => {
  const bottom = (name) => document.querySelector(name).getBoundingClientRect().bottom;
  const isSeen = (e) => e.getClientRects().length && !e.closest('.visually-hidden');
  const drawn = [...document.querySelectorAll('.tp svg text')].filter(isSeen);
  const says = (e) => [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const written = [...document.querySelectorAll('.tp :not(svg, svg *)')].filter((e) => isSeen(e) && says(e));
  const px = (e) => parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM?.().a ?? 1);
  const rail = document.querySelector('.rail');
  return {
    board: bottom('.stage'), caption: document.querySelector('.caption').getBoundingClientRect().top,
    words: bottom('.last-words'), transport: bottom('.transport'),
    smallest: Math.min(...[...drawn, ...written].map(px)), wide: document.documentElement.scrollWidth,
    beside: rail.scrollHeight - rail.clientHeight,
  };
}"""


def show(page: Page, room: Room, game: str, *, size: tuple[int, int], ply: int = 60) -> dict[str, float]:
    resize(page, size)
    page.goto("about:blank")
    page.goto(f"/matches/{room.matches[game]}/#ply={ply}")
    all_at(page, ply)
    return measure(page)


def resize(page: Page, size: tuple[int, int]) -> None:
    """Another window, and a moment for the board to follow."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(FRAMES_LATER)


def measure(page: Page) -> dict[str, float]:
    measured: dict[str, float] = page.evaluate(MEASURED)
    return measured


def turn_to(page: Page, ply: int) -> None:
    """Follow a link to a ply of the match that is shown, through all eyes."""
    # Emptied first: the viewer writes its address a moment late, and one that stays the same is not followed.
    page.evaluate("(hash) => { location.hash = ''; location.hash = hash; }", f"#ply={ply}&view=all&speed=normal")
    board_at(page, ply)


@pytest.fixture(scope="module", params=DRAWN)
def loaded(request: pytest.FixtureRequest, reading: BrowserContext, room: Room) -> Iterator[tuple[str, Page]]:
    """A game's name and the page of its match, loaded once for all tests that look at it."""
    page = reading.new_page()
    show(page, room, request.param, size=(1440, 900))
    yield request.param, page
    page.close()


@pytest.fixture
def game(loaded: tuple[str, Page]) -> str:
    return loaded[0]


@pytest.fixture
def desk(loaded: tuple[str, Page]) -> Page:
    """That page as it was when it was new: a wide screen, ply 60, nothing in focus."""
    _, page = loaded
    page.emulate_media(forced_colors="none", reduced_motion="reduce")
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    resize(page, (1440, 900))
    turn_to(page, 59)  # so that ply 60 is drawn anew, through all eyes
    turn_to(page, 60)
    return page


def test_board_words_and_transport_fit_into_one_screen(desk: Page):
    for size in ((1440, 900), (1280, 720)):
        resize(desk, size)
        measured = measure(desk)
        assert measured["board"] < measured["words"] < measured["transport"] <= size[1], size
        assert measured["wide"] == size[0]
        assert measured["smallest"] >= LEAST_PX, size
        assert measured["beside"] <= 1, size  # seats and moves need no scrolling of their column


CUT_CARDS = """() => [...document.querySelectorAll('.seatcard .hand li:not(.back)')].filter((card) => {
  const inside = card.closest('.seatcard').getBoundingClientRect().right;
  return card.scrollWidth > card.clientWidth || card.getBoundingClientRect().right > inside;
}).map((card) => card.textContent)"""


def test_no_card_in_hand_is_cut(desk: Page):
    turn_to(desk, 4)
    for size in ((1440, 900), (1280, 720)):
        resize(desk, size)
        assert desk.evaluate(CUT_CARDS) == [], size


EVENTS_TOLD = """async ([state, layout]) => {
  const { draw } = await import('/static/viewer/boards/cotton_club.js');
  const { EVENTS } = await import('/static/viewer/boards/cotton_cards.js');
  const row = Object.keys(EVENTS).map((event) => ({ event, by: 0 }));
  const shown = (some) => draw({ ...state, event_row: some, used_events: row.slice(-3) }, layout, {}).play.join('');
  return row.filter((_, i) => shown(row.slice(i, i + 3)).includes('…')).map(({ event }) => EVENTS[event]);
}"""


@pytest.mark.parametrize("layout", ["wide", "low"])
def test_three_events_are_told_whole(paper: Page, layout: str):
    state = positions("cotton_club", 1)[0]["state"]
    assert paper.evaluate(EVENTS_TOLD, [state | {"rows": {kind: [] for kind in state["rows"]}}, layout]) == []


def test_a_narrow_window_has_the_table_above_and_its_letters_can_be_read(desk: Page):
    turn_to(desk, 30)
    resize(desk, (1024, 768))
    measured = measure(desk)
    assert measured["wide"] == 1024
    assert measured["smallest"] >= LEAST_PX


def test_a_window_zoomed_into_has_the_phone_s_board_and_its_controls_in_sight(desk: Page):
    """1440 x 900 at 200 %, and a tablet held upright."""
    for size in ((720, 450), (768, 1024)):
        resize(desk, size)
        assert "tall" in (desk.locator(".board").get_attribute("class") or "")
        measured = measure(desk)
        assert measured["wide"] == size[0]
        assert measured["smallest"] >= LEAST_PX, size
        assert measured["transport"] <= size[1] + 1, size


@pytest.mark.parametrize("name", DRAWN)
def test_a_phone_has_a_layout_of_its_own_that_ends_above_the_controls(reader: Page, room: Room, name: str):
    measured = show(reader, room, name, size=(390, 844), ply=20)
    for ply in (20, 55):
        assert "tall" in (reader.locator(".board").get_attribute("class") or "")
        assert measured["board"] <= measured["caption"], ply
        assert measured["transport"] <= 844, ply
        assert measured["wide"] == 390
        assert measured["smallest"] >= LEAST_PX, ply
        turn_to(reader, 55)
        measured = measure(reader)


# Many states travel as one text: a browser reads that much sooner than one value after the other.
HIGHEST = """async ([game, states]) => {
  const { draw } = await import(`/static/viewer/boards/${game}.js`);
  return Math.max(...JSON.parse(states).map((state) => draw(state, 'tall', {}).size[1]));
}"""
ROOM_ON_A_PHONE = 575  # between the names of six seats and the controls, in the board's own units


def states_of(game: str, count: int) -> str:
    return json.dumps([one["state"] for one in positions(game, count)])


@pytest.fixture
def paper(chromium: Browser) -> Iterator[Page]:
    """A page on which the boards' modules can be asked to draw."""
    page = chromium.new_page()
    page.route(f"{HOST}/static/**", lambda route: static_file(route, route.request.url.partition("/static/")[2]))
    page.route(f"{HOST}/", lambda route: route.fulfill(body="<title>-</title>", content_type="text/html"))
    page.goto(f"{HOST}/")
    yield page
    page.close()


CHOICE = """async (views) => {
  const { Viewer } = await import('/static/viewer/viewer.js');
  const viewer = new Viewer(document.body, { views, view: views[0], names: [] });
  viewer.names = ['Lena', 'Rival'];
  return [...viewer.eyes().querySelectorAll('label')].map((label) => [label.title, label.textContent]);
}"""


def test_whose_eyes_can_be_chosen_is_said_in_words(paper: Page):
    own = ["What Lena knows", "What Lena knows"]
    assert paper.evaluate(CHOICE, ["public", "0"]) == [["What everyone knows", "What everyone knows"], own]
    assert paper.evaluate(CHOICE, ["all", "0"]) == [["Everything", "Everything"], own]


@pytest.mark.parametrize("name", ["capone", "cotton_club"])
def test_on_a_phone_no_table_gets_higher_than_the_screen_however_much_lies_on_it(paper: Page, name: str):
    assert paper.evaluate(HIGHEST, [name, states_of(name, 300)]) <= ROOM_ON_A_PHONE


def test_on_a_phone_all_twenty_houses_of_capone_can_be_held(paper: Page):
    state = next(one["state"] for one in positions("capone", 40) if len(one["state"]["families"]) == 6)
    for number, site in enumerate(state["sites"]):
        site |= {"owner": number % 6, "members": ["novice", "lawyer"], "guards": 2, "total": 70}
    assert paper.evaluate(HIGHEST, ["capone", json.dumps([state])]) <= ROOM_ON_A_PHONE


IN_SIGHT = """() => {
  const box = (name) => document.querySelector(name)?.getBoundingClientRect();
  const [list, row] = [box('.movelist'), box('.movelist [aria-current]')];
  return row && row.top >= list.top && row.bottom <= list.bottom;
}"""


def test_the_row_of_the_ply_is_in_sight_and_stays_so_when_the_window_was_tiny_for_a_moment(desk: Page):
    """For a picture of the whole page the window is a line high, and a list of that height forgets where it stood."""
    desk.wait_for_function(IN_SIGHT)
    desk.screenshot(full_page=True)
    desk.wait_for_function(IN_SIGHT)


def test_the_row_of_the_ply_stays_in_sight_when_the_window_was_tiny_between_two_frames(desk: Page):
    """Then all that a page hears of it is that the window changed: the list has its old size and begins at its top."""
    desk.wait_for_function(IN_SIGHT)
    desk.evaluate("() => { document.querySelector('.movelist').scrollTop = 0; dispatchEvent(new Event('resize')); }")
    desk.wait_for_function(IN_SIGHT)


def test_the_row_of_a_ply_far_away_is_in_sight_and_whole(reader: Page, room: Room):
    """The lists between were never laid out, and the room for moves in a low window is hardly two of them high."""
    show(reader, room, "capone", size=(1280, 720))
    last = len(room.records["capone"].actions)
    reader.wait_for_selector(f"[data-row='{last}']", state="attached")
    for ply in (399, 260, 220, 61):
        turn_to(reader, ply)
        reader.wait_for_selector(f"[data-row='{ply}'][aria-current]")
        for _ in range(4):
            reader.evaluate(FRAMES_LATER)
        assert reader.evaluate(IN_SIGHT), ply


THUMBS = """() => [...document.querySelectorAll('.caption button, .extras label, .extras select')]
  .filter((made) => made.getClientRects().length)
  .map((made) => made.getBoundingClientRect()).map(({ width, height }) => [width, height])"""


def test_on_a_phone_everything_pressed_is_as_large_as_a_thumb(desk: Page):
    resize(desk, (390, 844))
    sizes = desk.evaluate(THUMBS)
    assert len(sizes) > 5
    assert min(side for size in sizes for side in size) >= 43.9


NAMED = """async ([seats, step]) => {
  const { draw } = await import('/static/viewer/boards/cotton_club.js');
  const { CARDS } = await import('/static/viewer/boards/cotton_cards.js');
  const [ids, state] = [Object.keys(CARDS), JSON.parse(seats)], found = [];
  const box = document.body.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'));
  box.setAttribute('class', 'drawn cc');
  const kinds = Object.keys(state.rows);
  for (let from = 0; from < ids.length; from += 4) {
    kinds.forEach((kind) => { state.rows[kind] = ids.slice(from, from + 4); });
    box.innerHTML = draw(state, step, {}).play.join('');
    for (const card of box.querySelectorAll('[data-card]')) {
      const name = [...card.querySelectorAll('[data-room]')].map((text) => text.textContent).join(' ');
      const shields = [...card.querySelectorAll('.need')].map((shield) => getComputedStyle(shield).display);
      found.push([card.dataset.card, name, shields.join(), card.querySelector('title').textContent]);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("layout", ["wide", "low"])
@pytest.mark.parametrize("seats", [3, 4])
def test_no_name_of_a_card_is_cut_and_what_a_card_needs_has_its_shield(paper: Page, layout: str, seats: int):
    paper.add_style_tag(path=VIEWER / "boards.css")
    state = next(one["state"] for one in positions("cotton_club", 60) if one["state"]["seats"] == seats)
    cards = paper.evaluate(NAMED, [json.dumps(state), layout])
    assert len({card for card, *_ in cards}) > 80
    for card, name, shields, words in cards:
        assert "…" not in name, card
        assert set(name.split()) <= set(words.replace('"', "").split(",")[0].split()), card
        assert shields == ("inline" if "needs" in words else ""), card


SHAPED = """async ([game, what, seats]) => {
  const { draw } = await import(`/static/viewer/boards/${game}.js`);
  const box = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  return seats.map(([state, seat]) => {
    box.innerHTML = draw(state, 'wide', {}).play.join('');
    const [found] = [...box.querySelectorAll(what)].filter((one) => one.matches(`.p${seat}`));
    return [...found.querySelectorAll('path, circle, rect')].map((one) => one.getAttribute('d') ?? one.tagName).join();
  });
}"""


@pytest.mark.parametrize("what", [".pawn", "[data-disc]"])
def test_pawns_and_discs_of_all_seats_differ_without_colour(paper: Page, what: str):
    found = [one["state"] for one in positions("cotton_club", 120) if one["state"]["seats"] == 4]
    full = next(s for s in found if {seat for spaces in s["board"].values() for seat in spaces} >= {0, 1, 2, 3})
    shapes = paper.evaluate(SHAPED, ["cotton_club", what, [[full, seat] for seat in range(4)]])
    assert len(set(shapes)) == 4


FRAME = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const sizes = [...document.querySelectorAll('.board text')].filter((text) => text.getBoundingClientRect().width)
    .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
  return { page: [scrollWidth, scrollHeight], board: box('.stage').height, transport: box('.transport').bottom,
    letters: Math.min(...sizes) };
}"""


def test_a_single_view_is_no_choice(chromium: Browser, room: Room):
    """A guest has only the public view of a match while another one with its deal is still to be played."""
    half = room.service.one("select max(id) from matches_match where status = 'finished'")
    context = chromium.new_context(base_url=room.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(f"/matches/{half}/embed/")
    expect(page.locator(".board[data-ply]")).to_be_visible()
    expect(page.locator(".views input[value='public']")).to_have_count(1)
    expect(page.locator(".views")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("name", DRAWN)
def test_a_match_fits_the_frame_of_another_site(reader: Page, room: Room, name: str):
    reader.set_viewport_size({"width": 960, "height": 640})
    reader.goto(f"/matches/{room.matches[name]}/embed/#ply=60")
    for size in ((960, 640), (640, 480), (480, 360), (360, 600)):
        resize(reader, size)
        reader.wait_for_selector(f".board.{'tall' if size[1] > size[0] else 'low'}[data-ply='60']")
        reader.evaluate("document.fonts.ready")
        measured = reader.evaluate(FRAME)
        assert measured["page"] == list(size)
        assert measured["transport"] <= size[1], size
        assert measured["board"] >= size[1] / 2, size
        assert size[0] < 960 or measured["letters"] >= 11


CLIMBED = """async ([state, layout]) => {
  const { draw } = await import('/static/viewer/boards/capone.js');
  const drawn = draw(state, layout, {}).play.join('');
  return [...drawn.matchAll(/data-climbed="(\\d+)" data-seat="(\\d)"/g)].map((found) => found.slice(1).map(Number));
}"""


@pytest.mark.parametrize("layout", ["wide", "low", "tall"])
def test_the_end_of_capone_shows_how_far_each_family_has_climbed(paper: Page, room: Room, layout: str):
    record = room.records["capone"]
    last = frames(record, start=len(record.actions))[0].as_json()["state"]
    ranks, families = last["outcome"]["ranks"], last["families"]
    wanted = [[families[seat]["marker"], seat] for seat in sorted(range(len(ranks)), key=ranks.__getitem__)]
    assert paper.evaluate(CLIMBED, [last, layout]) == wanted
    assert paper.evaluate(CLIMBED, [last | {"outcome": None}, layout]) == []


ABOVE_SUMS = """async ([states, layout]) => {
  const { draw } = await import('/static/viewer/boards/capone.js'), found = [];
  const houses = (state) => draw(state, layout, {}).play.join('').split('data-site=');
  for (const house of JSON.parse(states).flatMap(houses)) {
    const worths = /<text x="[^"]+" y="([^"]+)" class="start b s11"/.exec(house);
    const sum = /translate\\(\\S+ ([^)]+)\\)" class="sum /.exec(house);
    if (worths && sum) found.push(Number(sum[1]) - 20 - Number(worths[1]));
  }
  return found;
}"""


@pytest.mark.parametrize("layout", ["wide", "low"])
def test_what_stands_before_a_house_is_not_covered_by_its_sum(paper: Page, layout: str):
    above = paper.evaluate(ABOVE_SUMS, [states_of("capone", 300), layout])
    assert above
    assert min(above) >= 2


NUMBERS = """async () => {
  const { draw } = await import('/static/viewer/boards/speak_easy.js');
  const drawn = draw({ pieces: [] }, 'tall', {}).ground;
  return [...drawn.matchAll(/class="coord">(\\w+)</g)].map((found) => found[1]);
}"""


def test_on_a_phone_the_map_of_speak_easy_has_its_letters_and_numbers(paper: Page):
    assert paper.evaluate(NUMBERS) == [*"abcde", *[str(number) for number in range(1, 13)]]


def test_a_board_is_drawn_anew_when_the_window_becomes_a_phone_s(reader: Page, room: Room):
    show(reader, room, "gatsby", size=(1440, 900))
    expect(reader.locator(".board.wide")).to_have_attribute("data-ply", "60")
    view = reader.locator(".board").get_attribute("data-view") or ""
    assert view
    reader.set_viewport_size({"width": 390, "height": 844})
    expect(reader.locator(".board.tall")).to_have_attribute("data-ply", "60")
    expect(reader.locator(".board.tall")).to_have_attribute("data-view", view)
    expect(reader.locator(".rail .views")).to_be_visible()


def test_keys_work_from_anywhere_but_not_out_of_a_field(desk: Page):
    turn_to(desk, 10)
    desk.locator(".under a").first.focus()
    desk.keyboard.press("ArrowRight")
    board_at(desk, 11)
    desk.get_by_label("Speed").focus()
    desk.keyboard.press("ArrowRight")
    desk.locator("#main").focus()
    desk.keyboard.press("ArrowLeft")
    board_at(desk, 10)


@pytest.mark.parametrize("name", DRAWN)
def test_a_link_holds_ply_view_and_speed(reader: Page, room: Room, name: str):
    reader.goto(f"/matches/{room.matches[name]}/#ply=12&view=1&speed=fast")
    board_at(reader, 12, view="1")
    expect(reader.get_by_label("Speed")).to_have_value("2")
    expect(reader.locator(".views input[value='1']")).to_be_checked()
    reader.evaluate("location.hash = '#ply=14&view=0&speed=slow'")
    board_at(reader, 14, view="0")
    expect(reader.get_by_label("Speed")).to_have_value("0")


# Timers that the test ends when it likes: those after which the viewer writes its address.
HELD_TIMERS = """
window.held = [];
const begin = window.setTimeout;
window.setTimeout = (act, after, ...more) => (after === 250 ? window.held.push(act) : begin(act, after, ...more));
"""


def test_a_link_that_is_followed_while_the_address_is_about_to_be_written_is_not_lost(reader: Page, room: Room):
    reader.add_init_script(HELD_TIMERS)
    reader.goto(f"/matches/{room.matches['gatsby']}/#ply=12&view=1&speed=fast")
    board_at(reader, 12, view="1")
    assert reader.evaluate("() => window.held.length"), "the viewer writes its address in another way"
    reader.evaluate("() => { location.hash = '#ply=14&view=0&speed=slow'; window.held.forEach((act) => act()); }")
    board_at(reader, 14, view="0")


BACK_AT_ONCE = """(hash) => {
  location.hash = '';
  location.hash = hash;
  window.held.forEach((act) => act());
}"""


def test_a_link_back_to_where_the_reader_came_from_is_not_lost_either(reader: Page, room: Room):
    reader.add_init_script(HELD_TIMERS)
    reader.goto(f"/matches/{room.matches['gatsby']}/#ply=12&view=1&speed=fast")
    board_at(reader, 12, view="1")
    reader.keyboard.press("ArrowRight")
    board_at(reader, 13)
    reader.evaluate(BACK_AT_ONCE, "#ply=12&view=1&speed=fast")
    board_at(reader, 12)


MARKED = """(wanted) => {
  const marks = [...document.querySelectorAll('.marks .beat')].map((mark) => mark.dataset.mark);
  return String(marks) === String(wanted);
}"""  # which are made anew, with the moves, for other eyes


def test_the_time_line_has_a_mark_wherever_something_notable_happened(desk: Page, room: Room, game: str):
    record = room.records[game]
    wanted = [frame.spoken.mark for frame in frames(record) if frame.spoken and frame.spoken.mark]
    assert wanted
    desk.wait_for_function(MARKED, arg=wanted)


# Goes on ply by ply until something moves; returns after how many plies, and how long each piece was to take. What is
# set moving is counted, because it may stand again before a slow machine looks.
UNTIL_MOVED = """async (most) => {
  const animate = Element.prototype.animate, moved = [];
  const moment = () => new Promise((done) => setTimeout(done, 1));
  Element.prototype.animate = function (steps, how) {
    moved.push(how.duration);
    return animate.call(this, steps, how);
  };
  let plies = 0;
  while (plies < most && !moved.length) {
    const next = Number(document.querySelector('.board').dataset.ply) + 1;
    document.querySelector('[data-do=on]').click();
    while (Number(document.querySelector('.board').dataset.ply) !== next) await moment();
    plies += 1;
  }
  Element.prototype.animate = animate;
  return [plies, moved];
}"""
MOST_PLIES = 120  # until something moves; cards of Capone come and go for long


def test_a_move_is_shown_moving_unless_the_reader_wants_none(desk: Page):
    desk.emulate_media(reduced_motion="no-preference")
    turn_to(desk, 52)
    plies, durations = desk.evaluate(UNTIL_MOVED, MOST_PLIES)
    assert durations
    assert all(150 <= duration <= 300 for duration in durations)
    desk.emulate_media(reduced_motion="reduce")
    turn_to(desk, 52)
    assert desk.evaluate(UNTIL_MOVED, plies) == [plies, []]


WITH_NAMES = ("button", "link", "slider", "combobox", "radio", "img", "region", "complementary")


def tree_of(page: Page) -> list[dict[str, Any]]:
    """What a screen reader is given: role, name and description of everything that it does not pass over."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    value = lambda node, key: (node.get(key) or {}).get("value", "")  # noqa: E731
    return [{key: value(node, key) for key in ("role", "name", "description")} for node in nodes if not node["ignored"]]


def test_a_screen_reader_is_told_the_move_the_position_and_what_every_control_does(desk: Page):
    described = "() => document.querySelector('.stage > .visually-hidden').textContent.length > 40"
    turn_to(desk, 30)
    for ply in (30, 31):
        board_at(desk, ply)
        desk.wait_for_function(described)
        tree = tree_of(desk)
        assert [node for node in tree if node["role"] in WITH_NAMES and not node["name"]] == []
        [board] = [node for node in tree if node["name"].startswith(f"After ply {ply}: ")]
        assert not re.search(r"undefined|null|NaN|_|[{}]", board["description"]), board["description"]
        assert len(board["description"]) > 40
        sentence = board["name"].partition(": ")[2]
        assert sentence in (desk.locator(".last-words[aria-live=polite]").text_content() or "")
        desk.keyboard.press("ArrowRight")


def test_a_tap_on_a_card_tells_what_it_is(reader: Page, room: Room):
    show(reader, room, "cotton_club", size=(390, 844))
    card = reader.locator(".board [data-card]").first
    words = card.locator("title").text_content()
    card.click(position={"x": 5, "y": 5})
    expect(reader.locator(".about")).to_contain_text(words or "")
    expect(reader.locator(".about > svg")).to_be_visible()


SHAPES = "() => [...document.querySelectorAll('.tp-head .mark, .seatcard header .mark')].map((m) => m.innerHTML)"
OUTLINED = """(name) => {
  const style = getComputedStyle(document.querySelector(name));
  return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
}"""


def test_forced_colours_leave_seats_their_shapes_and_what_is_current_its_line(desk: Page):
    desk.emulate_media(forced_colors="active")
    all_at(desk, 60)
    shapes, seats = desk.evaluate(SHAPES), desk.locator(".seatcard").count()
    assert len(set(shapes[:seats])) == len(set(shapes[seats:])) == seats
    assert desk.evaluate(OUTLINED, ".seatcard.turn")
    assert desk.evaluate(OUTLINED, ".movelist [aria-current]")
    desk.locator("[data-do=play]").focus()
    desk.keyboard.press("Tab")
    assert desk.evaluate(OUTLINED, ":focus")
    desk.locator(".views input").first.focus()
    desk.keyboard.press("ArrowRight")
    assert desk.evaluate(OUTLINED, ".views label:has(:focus)")


@pytest.fixture
def plain_page(chromium: Browser, tmp_path, monkeypatch) -> Iterator[Page]:
    """The replay of a game that has words and no drawing."""
    monkeypatch.setitem(GAMES, "countdown", Countdown())
    order = MatchOrder(game="countdown", rules_version=1, seed=5, seats=("a" * 64, "b" * 64))
    record = random_record(order, Random(9))
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
    for _ in range(3):  # two are left then: as many as there are seats
        page.keyboard.press("ArrowRight")
    expect(page.locator(".plaintable")).to_contain_text("2 left")
    expect(page.locator("[data-standing='1']")).not_to_contain_text("heap")
    page.keyboard.press("End")
    expect(page.locator(".last-words")).to_contain_text(" won.")


def test_on_a_phone_nothing_parts_the_moves_from_how_it_ended(reader: Page, room: Room) -> None:
    """The page's end, and not the match's, keeps clear of the words that stay in sight."""
    show(reader, room, "capone", size=(390, 844))
    gap, free = reader.evaluate("""() => {
        const box = (name) => document.querySelector(name).getBoundingClientRect();
        const end = document.documentElement.getBoundingClientRect().bottom;
        return [box("#under h2").top - box(".movelist").bottom, end - box(".foot").bottom - box(".caption").height];
    }""")
    assert gap < 90
    assert free >= 0
