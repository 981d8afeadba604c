"""Each game can be learned: how one wins, steps drawn from a game under today's rules, and links to clauses."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from arena.lessons import lesson_of
from engines import GAMES
from ladder.web.markdown import render_page

NAMES = list(GAMES)


@pytest.fixture
def client(db) -> Client:
    return Client()


@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_how_one_wins_and_shows_four_to_six_steps(client: Client, name: str):
    lesson = lesson_of(name)
    assert lesson
    assert 4 <= len(lesson.steps) <= 6
    page = unescape(client.get(reverse("web:learn", args=[name])).content.decode())
    assert lesson.wins in page
    assert page.count("data-scene") == len(lesson.steps)
    for step in lesson.steps:
        assert step.title in page
        assert step.said in page


@pytest.mark.parametrize("name", NAMES)
def test_a_step_tells_what_its_own_action_did(name: str):
    lesson = lesson_of(name)
    assert lesson
    for step in lesson.steps:
        assert step.said
        assert "{" not in step.said
        assert bool(step.around) is (step.holds is None)
    assert lesson.steps[-1].shown["state"]["outcome"] or "wins the game" in lesson.steps[-1].said


def test_a_game_without_a_lesson_leads_to_its_rules(client: Client, monkeypatch):
    monkeypatch.setattr("ladder.web.views.games.lesson_of", lambda name: None)
    answer = client.get(reverse("web:learn", args=["gatsby"]))
    assert answer["Location"] == reverse("web:rules", args=["gatsby"])
    assert client.get("/games/no-such-game/learn/").status_code == 404


@pytest.mark.parametrize("name", NAMES)
def test_every_clause_of_the_rules_can_be_linked_to_and_every_citation_leads_to_one(name: str):
    rules, bots = (render_page(GAMES[name].folder / file) for file in ("RULES.md", "BOTS.md"))
    written = re.findall(r"^\*\*([A-Z]{2} \d+(?:\.\d+)?)\*\*", (GAMES[name].folder / "RULES.md").read_text(), re.M)
    ids = {clause.lower().replace(" ", "-").replace(".", "-") for clause in written}
    assert ids <= set(re.findall(r'id="([^"]+)"', rules.body))
    cited = re.findall(r'href="../rules/#([^"]+)"', rules.body + bots.body)
    assert cited
    assert set(cited) <= ids
    assert [title for _, title in rules.contents]


def test_the_rules_open_with_words_and_the_encodings_stand_on_a_page_of_their_own(client: Client):
    rules = client.get(reverse("web:rules", args=["gatsby"])).content.decode()
    bots = client.get(reverse("web:for_bots", args=["gatsby"])).content.decode()
    assert 'href="#4-a-turn"' in rules
    assert 'id="actions"' not in rules
    assert 'id="actions"' in bots
    assert 'aria-current="page">For bots' in bots


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_step_is_drawn_with_what_it_speaks_of(reader: Page, name: str):
    """A drawing that has lost what a lesson points at would show nothing, or the wrong place."""
    reader.goto(f"/games/{name}/learn/")
    lesson = lesson_of(name)
    assert lesson
    pictures = reader.locator(".lesson-picture")
    for picture, step in zip(pictures.all(), lesson.steps, strict=True):
        if step.holds is None:
            board = picture.locator(".board")
            expect(board).to_have_attribute("aria-label", step.said)
            for part in step.around.split(", "):
                assert board.locator(part).count(), f"{step.title}: {part}"
            assert all(map(float, (board.get_attribute("viewBox") or "x").split()[2:]))
            assert board.locator("> g[clip-path]").count() == (2 if step.is_cut_out else 0)
        else:
            expect(picture.locator(f"[data-standing='{step.holds}']")).to_contain_text(step.holder)


BARE_PLATES = """() => [...document.querySelectorAll('.sum, .need')]
    .filter((plate) => !plate.querySelector('text') && plate.getBoundingClientRect().width > 0).length"""


@pytest.mark.browser
@pytest.mark.slow
def test_a_small_picture_shows_no_plate_without_its_number(reader: Page):
    """Letters that would be too small to read are left out of pictures; a black box is no picture of a sum."""
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.goto("/games/capone/learn/")
    expect(reader.locator(".lesson-picture .board").first).to_be_visible()
    reader.wait_for_function("() => document.querySelector('.lesson-picture .sum:not(:has(text))')")
    assert reader.evaluate(BARE_PLATES) == 0


@pytest.mark.browser
@pytest.mark.slow
def test_letters_that_grew_in_a_small_picture_stay_in_their_room(reader: Page):
    """A picture on an author's page is small, so its letters grow; a name must not cross the edge of its card."""
    reader.goto("/authors/tstone/")
    reader.wait_for_function("() => document.querySelectorAll('.shelf .board').length === 4")
    reader.evaluate("document.fonts.ready")
    widths = reader.eval_on_selector_all(
        ".shelf .board [data-room]", "texts => texts.map((text) => [text.getBBox().width, Number(text.dataset.room)])"
    )
    assert widths
    assert [(width, room) for width, room in widths if width > room + 1.5] == []  # as browsers round letters


# Faces that the frame of their picture cuts in two, by the game's style.
CUT = """() => [...document.querySelectorAll('.scene .stage')].flatMap((stage) => {
  const frame = stage.getBoundingClientRect();
  return [...stage.querySelectorAll('.fig, [class^="fam-"]')].filter((face) => {
    const { left, right, top, bottom } = face.getBoundingClientRect();
    const isSeen = right > frame.left && left < frame.right && bottom > frame.top && top < frame.bottom;
    return isSeen && (left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom);
  }).map((face) => `${stage.className}: ${face.getAttribute('class')}`);
})"""


@pytest.mark.browser
def test_the_pictures_of_the_games_cut_no_face_in_two(reader: Page):
    reader.goto("/games/")
    expect(reader.locator(".scene .board")).to_have_count(len(NAMES))
    expect(reader.locator(".scene .stage-ga [class^=fam-]")).to_have_count(5)
    assert reader.evaluate(CUT) == []
