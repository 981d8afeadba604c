"""A match as one page: it needs nothing from anywhere, and nothing in a record can break out of its place."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace

import pytest

from arena.picture import board_style, plain_style
from arena.plain import drawing_of, has_drawing
from arena.standalone import VIEWER, bundle, standalone_page
from engines import GAMES
from tests.arena.paper import played

HOSTILE = '</script><script>alert("x")</script>&\u2028'


def given(page: str, name: str) -> object:
    found = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.fixture(scope="module")
def page() -> str:
    return standalone_page(played("gatsby"), ["Night Train", "Volstead"])


def test_a_page_asks_nobody_for_anything(page: str) -> None:
    assert "default-src 'none'" in page
    assert not re.search(r'(src|href)="(?!#)', page)
    assert "import " not in re.sub(r"//.*|/\*.*?\*/", "", page.split("<script>", 1)[1], flags=re.DOTALL).split("`")[0]


def test_frames_are_there_through_all_eyes(page: str) -> None:
    frames = given(page, "given")
    assert isinstance(frames, dict)
    assert list(frames) == ["all", "0", "1"]
    assert {len(view) for view in frames.values()} == {len(played("gatsby").actions) + 1}


def test_the_time_of_every_act_is_there(page: str) -> None:
    assert given(page, "times") == [round(action.cpu_ms) for action in played("gatsby").actions]


def test_the_title_names_game_and_bots_or_the_game_alone(page: str) -> None:
    assert "<title>Gatsby: Night Train – Volstead</title>" in page
    assert "<title>Gatsby</title>" in standalone_page(played("gatsby"), [])


def test_seats_without_a_name_have_their_place(page: str) -> None:
    unnamed = standalone_page(played("gatsby"), ["Night Train"])
    assert f'data-seats="{html.escape(json.dumps(["Night Train", ""]))}"' in unnamed
    assert "Dorothy" in unnamed


def test_nothing_in_a_name_is_markup() -> None:
    hostile = standalone_page(played("gatsby"), [HOSTILE, "b"])
    assert hostile.count("<script") == standalone_page(played("gatsby"), ["a", "b"]).count("<script")
    assert "alert" in hostile


def test_nothing_in_a_record_ends_the_script_it_stands_in() -> None:
    record = played("gatsby")
    bent = replace(record, ending=HOSTILE)
    assert "</script><script>" not in standalone_page(bent, [])


def test_a_page_of_present_rules_has_no_banner(page: str) -> None:
    assert "Played under rules" not in page


@pytest.mark.parametrize("game", sorted(GAMES))
def test_only_the_drawing_of_the_game_is_in_the_script(game: str) -> None:
    script = bundle(drawing_of(game))
    modules = re.findall(r'^modules\["([^"]+)"\] = ', script, re.MULTILINE)
    assert len(modules) == len(set(modules))
    drawings = [name for name in modules if name.startswith("boards/") and name[7:-3] in GAMES]
    assert drawings == [f"boards/{game}.js"]
    assert modules[-1] == "viewer.js"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_imported_stands_before_what_imports(game: str) -> None:
    script = bundle(drawing_of(game), whole=False)
    defined: set[str] = set()
    for name, body in re.findall(r'\(\(\) => \{\n(.*?)\nmodules\["([^"]+)"\]', script, re.DOTALL):
        needed = set(re.findall(r'= modules\["([^"]+)"\];', name))
        assert needed <= defined
        defined.add(body)
    assert f"boards/{game}.js" in defined
    assert "viewer.js" not in defined


@pytest.mark.parametrize("game", sorted(GAMES))
def test_our_games_are_drawn_in_their_own_style(game: str) -> None:
    assert has_drawing(game)
    assert board_style(game)


@pytest.mark.parametrize("name", ["chess", "", "../viewer", "gatsby.js", "a b", "plain"])
def test_any_other_name_has_the_plain_table(name: str) -> None:
    assert not has_drawing(name)
    assert drawing_of(name) == "plain"
    assert (VIEWER / "plain.js").is_file()


def test_the_plain_style_has_no_variable_nesting_or_theme_left() -> None:
    style = plain_style()
    assert "var(" not in style
    assert "light-dark(" not in style
    assert "&" not in style
    assert style.count("{") == style.count("}") == len(style.splitlines())
    assert all(
        part.strip().startswith(".board") for line in style.splitlines() for part in line.split("{")[0].split(",")
    )
