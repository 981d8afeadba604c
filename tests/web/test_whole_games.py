"""Whole games played through the page by what it offers: clicked, tapped and by keys, until it is over."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.conftest import PATIENCE_MS
from tests.web.paper_table import HOST, PaperTable, positions, static_file
from tests.web.standing import FRAMES_LATER
from tests.web.test_play import duel, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Short games: seats, seed, and from which ply on the page plays for seat 0, as late as every kind of action is still
# to come (in Speak Easy there is one kind once all pieces stand). `make soak` plays them from their beginnings.
SHORT = {"speak_easy": (2, 1, 240), "gatsby": (2, 0, 0), "capone": (3, 40, 164), "cotton_club": (2, 39, 0)}
# The page asks what the others did a fifth of a moment later.
HURRIED = """
const begin = window.setTimeout;
window.setTimeout = (act, after = 0, ...more) => begin(act, after / 5, ...more);
"""
DESK, PHONE = (1440, 900), (390, 844)

# The steps that the board's own module makes of an action.
STEPS = """async ([text, state]) => {
  const isBoard = ({ name }) => name.includes('/boards/') && name.endsWith('.js') && !name.endsWith('_cards.js');
  const parts = (await import(performance.getEntriesByType('resource').find(isBoard).name)).parts?.(text, state) ?? [];
  return parts.length ? parts : [text];
}"""
# A point of what stands for a key where nothing lies above it; null where there is none.
POINT = """(key) => {
  const name = `[data-target="${CSS.escape(key)}"]`;
  for (const drawn of document.querySelectorAll(`.target:not(.chosen)${name}, .traycard${name}`)) {
    const isCard = drawn.matches('.traycard');
    drawn.scrollIntoView({ block: isCard ? 'nearest' : 'center' });
    for (const shape of isCard ? [drawn] : drawn.querySelectorAll('rect')) {
      const { x, y, width, height } = shape.getBoundingClientRect();
      for (const [p, q] of [[.5, .5], [.5, .85], [.5, .15], [.15, .5], [.85, .5]]) {
        const at = [x + p * width, y + q * height];
        if (width && drawn.contains(document.elementFromPoint(...at))) return at;
      }
    }
  }
  return null;
}"""
# The page shows this ply and offers something, or says that the game is over.
READY = """(ply) => {
  const isOver = document.querySelector('.last-words')?.textContent.includes('The game is over.');
  const offered = document.querySelectorAll('.target:not(.chosen), .traycard').length;
  if (document.fonts.status !== 'loaded') return false;  // with them the board may change its size
  return isOver || (Number(document.querySelector('.board')?.dataset.ply) >= ply && offered > 0);
}"""
# A whole game: every action of the plan is found where it can be hit, pressed there step by step, and confirmed.
GAME = f"""async (plan) => {{
  const [stepsOf, pointOf, isReady] = [{STEPS}, {POINT}, {READY}];
  const until = (happened, what) => new Promise((done, fail) => {{
    const look = () => happened() && done(watch.disconnect()), watch = new MutationObserver(look);
    watch.observe(document.body, {{ subtree: true, childList: true, attributes: true }});
    setTimeout(() => fail(new Error(`${{what}} did not come`)), {5 * PATIENCE_MS}); // which are hurried, too
    look();
  }});
  await document.fonts.ready;
  const asked = () => document.querySelector('[data-confirm]');
  const press = (at, key) => {{
    if (!at) throw new Error(`nothing on the page can be hit for ${{key}}`);
    const [clientX, clientY] = at, given = {{ bubbles: true, cancelable: true, clientX, clientY }};
    for (const event of ['pointerdown', 'pointerup', 'click']) {{
      document.elementFromPoint(...at).dispatchEvent(new PointerEvent(event, given));
    }}
  }};
  for (const [ply, text, seen] of JSON.parse(plan)) {{
    await until(() => isReady(ply), `ply ${{ply}}`);
    if (document.querySelector('.again').checkVisibility()) throw new Error(`over at ply ${{ply}}`);
    for (const key of await stepsOf([text, seen])) {{
      if (!asked()) press(pointOf(key), key); // the last of what was left is chosen by itself
    }}
    const {{ x, y, width, height }} = asked().getBoundingClientRect(), at = [x + width / 2, y + height / 2];
    press(asked().contains(document.elementFromPoint(...at)) ? at : null, 'the confirmation');
    await until(() => Number(document.querySelector('.board').dataset.ply) > ply, `what follows ply ${{ply}}`);
  }}
}}"""
# The arrow that leads from what has the focus towards a key; null when it is there.
TOWARDS = """(key) => {
  const offered = [...document.querySelectorAll('.target:not(.chosen), .traycard')], here = document.activeElement;
  if (here.dataset.target === key) return null;
  if (!offered.includes(here)) return 'ArrowRight';
  const box = (one) => one.getBoundingClientRect();
  const middle = (one) => [box(one).x + box(one).width / 2, box(one).y + box(one).height / 2];
  const [[x, y], [p, q]] = [middle(here), middle(offered.find((one) => one.dataset.target === key))];
  return Math.abs(p - x) > Math.abs(q - y) ? (p > x ? 'ArrowRight' : 'ArrowLeft') : (q > y ? 'ArrowDown' : 'ArrowUp');
}"""
MOST_KEYS = 60

Press = Callable[[Page, str], None]


def point_of(page: Page, key: str) -> tuple[float, float]:
    """Where it can be hit, once the board has followed whatever changed its size."""
    page.evaluate(FRAMES_LATER)
    at = page.evaluate(POINT, key)
    assert at is not None, f"nothing on the page can be hit for {key}"
    return at[0], at[1]


def click(page: Page, key: str) -> None:
    page.mouse.click(*point_of(page, key))


def tap(page: Page, key: str) -> None:
    page.touchscreen.tap(*point_of(page, key))


def walk(page: Page, key: str) -> None:
    """Arrows towards it; where they lead nowhere, the tab key goes on."""
    been = set()
    for _ in range(MOST_KEYS):
        arrow = page.evaluate(TOWARDS, key)
        if arrow is None:
            break
        here = page.evaluate("document.activeElement.dataset.target ?? ''")
        page.keyboard.press("Tab" if (here, arrow) in been else arrow)
        been.add((here, arrow))
    assert page.evaluate(TOWARDS, key) is None, f"no key leads to {key}"
    page.keyboard.press("Enter")


@pytest.fixture
def laid(chromium: Browser, db) -> Iterator[Callable[..., tuple[Page, PaperTable]]]:
    """The page of a game, laid with one that this process plays; no script on it may fail."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def lay(
        game: str, size: tuple[int, int] = DESK, *, from_ply: int | None = None, **more: Any
    ) -> tuple[Page, PaperTable]:
        seats, seed, late = SHORT[game]
        client, ann = signed_in("ann")
        sitting = duel(ann, *[signed_in(f"friend{n}")[1] for n in range(1, seats)], game=game)
        html = client.get(f"/play/{sitting.key}/").content.decode()
        view = {"width": size[0], "height": size[1]}
        context = chromium.new_context(viewport=view, **more)
        context.add_init_script(HURRIED)
        contexts.append(context)
        page, table = context.new_page(), PaperTable(game, seats, seed)
        table.play_ahead(late if from_ply is None else from_ply)
        page.on("pageerror", lambda error: problems.append(str(error)))
        table.lay(page, html)
        return page, table

    yield lay
    for context in contexts:
        context.close()
    assert not problems


def play_on(page: Page, table: PaperTable, press: Press, confirm: Callable[[Page], None]) -> None:
    """Whatever the game's dice choose is found on the page, step by step, and confirmed, until the game is over."""
    for ply, text, seen in PaperTable(table.game, table.seats, table.seed).told_beforehand(table.ply):
        page.wait_for_function(READY, arg=ply)
        expect(page.locator(".again")).to_be_hidden()
        for key in page.evaluate(STEPS, [text, seen]):
            if not page.locator("[data-confirm]").count():  # the last of what was left is chosen by itself
                press(page, key)
        expect(page.locator("[data-confirm]")).to_be_visible()
        confirm(page)
        page.wait_for_function("(ply) => Number(document.querySelector('.board').dataset.ply) > ply", arg=ply)
        assert table.chosen[-1] == text
    see_the_end(page)


def play_within(page: Page, table: PaperTable) -> None:
    """The same without a way from here to the page and back for every step."""
    plan = PaperTable(table.game, table.seats, table.seed).told_beforehand(table.ply)
    page.evaluate(GAME, json.dumps(plan))
    assert table.chosen == [text for _, text, _ in plan]
    see_the_end(page)


def see_the_end(page: Page) -> None:
    expect(page.locator(".last-words")).to_contain_text("The game is over.")
    expect(page.locator(".target, .traycard, [data-confirm]")).to_have_count(0)
    expect(page.locator(".again")).to_be_visible()
    expect(page.locator(".answers")).to_have_text("Play againWatch the replay")
    expect(page.locator(".resign")).to_be_hidden()


def click_confirm(page: Page) -> None:
    page.locator("[data-confirm]").click()


def press_confirm(page: Page) -> None:
    page.keyboard.press("Enter")


def tap_confirm(page: Page) -> None:
    page.locator("[data-confirm]").tap()


@pytest.mark.parametrize("game", SHORT)
def test_a_game_is_played_to_its_end_by_clicking_what_is_offered(laid, game: str) -> None:
    play_within(*laid(game))


def test_a_game_is_played_to_its_end_by_keys_alone(laid) -> None:
    play_on(*laid("cotton_club", from_ply=20), walk, press_confirm)


def test_a_game_is_played_to_its_end_by_tapping_on_a_phone(laid) -> None:
    play_on(*laid("gatsby", PHONE, has_touch=True, from_ply=30), tap, tap_confirm)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", SHORT)
@pytest.mark.parametrize("how", ["clicks", "keys", "taps"])
def test_a_game_is_played_from_its_beginning_to_its_end(laid, game: str, how: str) -> None:
    size, press, confirm = {
        "clicks": (DESK, click, click_confirm), "keys": (DESK, walk, press_confirm), "taps": (PHONE, tap, tap_confirm),
    }[how]  # fmt: skip
    play_on(*laid(game, size, from_ply=0, has_touch=how == "taps"), press, confirm)


def test_whoever_does_not_want_to_place_every_piece_has_the_rest_placed(laid) -> None:
    page, table = laid("speak_easy", from_ply=0)
    page.wait_for_function(READY, arg=0)
    expect(page.locator(".last-words")).to_contain_text("Choose a piece to place on a1.")
    expect(page.locator(".traycard svg")).to_have_count(len(table.legal()))
    expect(page.locator(".legend svg")).to_have_count(1)
    click(page, "8")
    page.locator("[data-confirm]").click()
    page.get_by_role("button", name="Place the rest for me").click()
    page.wait_for_function(READY, arg=50)
    assert table.chosen[0] == "8"
    assert len(table.chosen) == 25
    assert table.state.observe(0)["phase"] == "play"
    expect(page.locator("[data-rest]")).to_have_count(0)


@pytest.mark.parametrize("game", ["capone", "cotton_club"])
def test_hints_move_neither_the_board_nor_what_may_be_chosen(laid, game: str) -> None:
    page, table = laid(game)
    page.wait_for_function(READY, arg=table.ply)
    height = "() => document.querySelector('.stage').getBoundingClientRect().height"
    before, sentence = page.evaluate(height), page.locator(".last-words").text_content()
    for card in page.locator(".traycard, .target").all()[:8]:
        card.hover(force=True)
        assert page.evaluate(height) == before
    page.mouse.move(5, 5)
    expect(page.locator(".last-words")).to_have_text(sentence or "")


def test_a_click_counts_although_the_board_changes_its_size_meanwhile(laid) -> None:
    page, table = laid("speak_easy")
    page.wait_for_function(READY, arg=table.ply)
    key = page.locator(".target").first.get_attribute("data-target") or ""
    page.mouse.move(*point_of(page, key))
    page.mouse.down()
    page.evaluate("() => { document.querySelector('.caption').style.paddingBottom = '12px'; }")
    page.evaluate(FRAMES_LATER)
    page.mouse.up()
    expect(page.locator(f'.target.chosen[data-target="{key}"]')).to_have_count(1)


def test_what_was_picked_can_be_taken_back_step_by_step(laid) -> None:
    page, table = laid("capone", from_ply=130)
    page.wait_for_function(READY, arg=table.ply)
    offered = page.locator(".traycard, .target").count()
    text = next(text for text in table.legal() if text.startswith(("use", "discard", "return")))
    first = page.evaluate(STEPS, [text, table.state.observe(0)])[0]
    click(page, first)
    expect(page.locator("[data-back]")).to_be_visible()
    page.locator("[data-back]").click()
    expect(page.locator(".traycard, .target:not(.chosen)")).to_have_count(offered)
    assert table.chosen == []


def test_what_the_others_did_since_the_last_turn_stands_out(laid) -> None:
    page, table = laid("capone", from_ply=150)
    page.wait_for_function(READY, arg=table.ply)
    whose = [row.get_attribute("data-seat") for row in page.locator(".movelist li").all()]
    own = whose.index("0")
    assert own
    expect(page.locator(".movelist li.news")).to_have_count(own)
    assert "0" not in whose[:own]


# ---- completeness: the steps of all actions of many positions ----
POSITIONS = 1_000

# What is wrong with the steps: two actions share theirs, one's are the beginning of another's, or a step has no name.
WRONG = """async ([game, positions]) => {
  const board = await import(`/static/viewer/boards/${game}.js`), wrong = [], names = ['a', 'b', 'c', 'd', 'e', 'f'];
  for (const { state, legal } of JSON.parse(positions)) {
    const own = (text) => board.parts?.(text, state) ?? [];
    const steps = legal.map((text) => (own(text).length ? own(text) : [text]));
    const whole = new Set(steps.map((keys) => keys.join('\\n')));
    if (whole.size !== legal.length) wrong.push(['two actions share their steps', legal]);
    for (const keys of steps) {
      const isWithin = keys.some((_, n) => n && whole.has(keys.slice(0, n).join('\\n')));
      if (isWithin) wrong.push(['another ends within it', keys]);
      for (const key of keys) {
        const label = board.piece ? board.piece(key, state, names)?.label : key;
        if (!label || /undefined|NaN|null/.test(label + key)) wrong.push(['has no name', key]);
      }
    }
  }
  return wrong.slice(0, 5);
}"""


@pytest.mark.parametrize("game", SHORT)
def test_every_legal_action_of_a_thousand_positions_has_steps_of_its_own(chromium: Browser, game: str) -> None:
    page = chromium.new_page()
    page.route(f"{HOST}/static/**", lambda route: static_file(route, route.request.url.partition("/static/")[2]))
    page.route(f"{HOST}/", lambda route: route.fulfill(body="<title>-</title>", content_type="text/html"))
    page.goto(f"{HOST}/")
    assert page.evaluate(WRONG, [game, json.dumps(positions(game, POSITIONS))]) == []
    page.close()
