"""Files that are served: whole and unchanged where they are others', in step with the tables where they are drawn."""

from __future__ import annotations

import re
import subprocess
from gzip import compress
from pathlib import Path
from random import Random

import orjson
import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from playwright.sync_api import expect
from typer.testing import CliRunner

from arena import MatchOrder
from arena.standalone import standalone_page
from bots.cli.main import app
from engines import GAMES
from ladder.web.viewer_script import viewer_script
from scripts import printed_cards
from tests.web.world import random_record, small_world

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "ladder" / "web" / "static" / "vendor"


def test_vendored_files_are_the_ones_that_were_taken():
    listed = re.search(r"```\n(.*?)```", (VENDOR / "VENDORED.md").read_text(), re.S).group(1)
    checked = subprocess.run(["sha256sum", "-c", "--strict", "-"], input=listed, text=True, cwd=VENDOR, timeout=300)
    assert checked.returncode == 0
    named = {line.split()[1] for line in listed.splitlines() if line}
    held = {str(path.relative_to(VENDOR)) for path in VENDOR.rglob("*") if path.is_file()} - {"VENDORED.md"}
    assert named == held


def test_the_printed_cards_are_those_of_the_engine_s_tables():
    assert printed_cards.TARGET.read_text(encoding="utf-8") == printed_cards.module(), (
        "run python scripts/printed_cards.py"
    )


def test_no_style_sheet_or_script_of_ours_names_another_host():
    ours = [*(ROOT / "arena" / "viewer").rglob("*.*s*"), *(ROOT / "ladder" / "web" / "static" / "web").glob("*")]
    for path in ours:
        found = set(re.findall(r"https?://[^\s\"')]+", path.read_text())) - {"http://www.w3.org/2000/svg"}
        assert not found, path


@pytest.mark.parametrize(("game", "seats"), [("gatsby", 2), ("capone", 3)])
def test_a_match_can_be_one_file_that_needs_nothing_else(game, seats):
    rules, digests = GAMES[game].rules_version, tuple(letter * 64 for letter in "abc"[:seats])
    order = MatchOrder(game=game, rules_version=rules, seed=5, seats=digests)
    page = standalone_page(random_record(order, Random(3)), ["</script><b>x", "two", "three"][:seats])
    assert "<b>x" not in page
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
    script = page.rsplit("<script>", 1)[1]
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    assert f'modules["boards/{game}.js"] = ' in script


def test_a_page_of_a_record_has_the_names_that_were_given_or_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    order = MatchOrder(game="gatsby", rules_version=GAMES["gatsby"].rules_version, seed=5, seats=("a" * 64, "b" * 64))
    Path("game.json").write_bytes(orjson.dumps(random_record(order, Random(3)).as_json()))
    given = ["--name", "ferry", "--name", "gin"]
    for names, title in (([], "<h1>Gatsby</h1>"), (given, "<h1>Gatsby: ferry – gin</h1>")):
        answer = CliRunner().invoke(app, ["replay", "game.json", "--html", "game.html", *names])
        assert answer.exit_code == 0, answer.output
        page = Path("game.html").read_text(encoding="utf-8")
        assert title in page
        assert "Seat 0 –" not in page


@pytest.mark.browser
def test_two_bots_of_one_name_are_told_apart_by_their_places(chromium, tmp_path):
    order = MatchOrder(game="speak_easy", rules_version=1, seed=5, seats=("a" * 64, "b" * 64))
    (tmp_path / "game.html").write_text(standalone_page(random_record(order, Random(3)), ["gin", "gin\u202e"]))
    page = chromium.new_page()
    page.goto(f"{(tmp_path / 'game.html').as_uri()}#ply=51")
    told = re.compile(r"gin \((South|North)\)'s .* (goes|takes|attacks)")
    expect(page.locator(".last-words")).to_contain_text(told)
    expect(page.locator(".seatcard")).to_have_count(2)
    assert "\u202e" not in page.locator("[data-viewer]").text_content()
    page.close()


MOST_BYTES = 250_000


def test_the_page_of_a_match_needs_less_than_250_kb(db, rng, client):
    """Its page, style sheets, scripts with all that they import, fonts and the first frames, each as it is sent."""
    _, [match, *_] = small_world(rng, game="cotton_club", seats=3, matches=1)
    page = client.get(f"/matches/{match.pk}/").content
    linked = set(re.findall(r"/static/([^\"']+\.(?:css|js|woff2|svg))", page.decode()))
    frames = client.get(f"/matches/{match.pk}/frames/?start=0&stop=60").content
    script = viewer_script("boards/cotton_club")
    assert reverse("web:viewer_script", args=[script.digest, script.drawing]) in page.decode()
    files = _with_imports({_static(name) for name in linked})
    fonts = {_static(f"vendor/fonts/{name}") for name in FONTS}
    assert len(files) > 10
    assert (
        sum(map(_sent, files | fonts)) + sum(len(compress(part)) for part in (page, frames, script.text.encode()))
        < MOST_BYTES
    )


FONTS = ("atkinson-hyperlegible-next-latin-wght-normal.woff2", "federo-latin-400-normal.woff2")


def _static(name: str) -> Path:
    found = finders.find(name)
    assert isinstance(found, str), name
    return Path(found)


def _with_imports(files: set[Path]) -> set[Path]:
    """These files and all that their scripts import."""
    wanted, known = set(files), set[Path]()
    while wanted:
        file = wanted.pop()
        known.add(file)
        if file.suffix == ".js":
            imported = re.findall(r"from \"(\.{1,2}/[^\"]+)\"", file.read_text(encoding="utf-8"))
            wanted |= {(file.parent / name).resolve() for name in imported} - known
    return known


def _sent(file: Path) -> int:
    """How many bytes go over the wire: fonts are compressed already."""
    content = file.read_bytes()
    return len(content) if file.suffix == ".woff2" else len(compress(content))
