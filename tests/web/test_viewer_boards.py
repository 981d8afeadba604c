"""The drawn table says what the engine knows: pieces, tokens and cards are read out of the SVG at every ply."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from arena import MatchRecord
from arena.replay import states
from tests.web.showroom import Room
from tests.web.standing import all_at, board_at

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Step through the game with the viewer's own button and write down everything on the board that carries data.
WALK = """async ([first, last]) => {
  const stood = () => new Promise((done) => document.addEventListener('ply', done, { once: true }));
  const bears = (e) => e.hasAttributes() && [...e.attributes].some(({ name }) => name.startsWith('data-'));
  const pages = [];
  for (let ply = first; ply <= last; ply++) {
    const stands = ply && stood(); // and nothing is painted in between
    if (ply) document.querySelector('[data-do=on]').click();
    await stands;
    const drawn = document.querySelectorAll('.board *, [data-standing] *');
    pages.push([...drawn].filter(bears).map(e => ({...e.dataset})));
  }
  return JSON.stringify(pages);  // a browser hands over one text sooner than many values
}"""
AT_ONCE = 50
MOST_AS_SEAT = 110  # through all eyes every ply is read, through one seat's these

Marks = list[dict[str, str]]


def drawn(page: Page, plies: int) -> Iterator[Marks]:
    """What the board shows at each ply, some plies at a time."""
    for first in range(0, plies + 1, AT_ONCE):
        yield from json.loads(page.evaluate(WALK, [first, min(first + AT_ONCE - 1, plies)]))


def check_speak_easy(marks: Marks, seen: dict[str, Any]) -> None:
    shown = {(m["seat"], m["home"]): (m["cell"], m["piece"]) for m in marks if "piece" in m}
    known = {(str(p["seat"]), p["home"]): (p["cell"] or "removed", p["kind"] or "?") for p in seen["pieces"]}
    assert shown == known


def check_gatsby(marks: Marks, seen: dict[str, Any]) -> None:
    tokens = {m["cell"]: m["token"] for m in marks if "token" in m}
    cabaret = {f"c{r}{c}": t for r, row in enumerate(seen["cabaret"]) for c, t in enumerate(row) if t != "."}
    tracks = {
        f"t{i}{n}": t
        for i, row in enumerate(seen["tracks"], 1)
        for n, t in enumerate(row or "", 1)
        if t != "."
    }  # fmt: skip
    assert tokens == cabaret | tracks
    characters = {m["place"]: m["character"] for m in marks if "place" in m}
    known = {place: seen["known"].get(place, who) if who == "?" else who for place, who in seen["places"].items()}
    assert characters == {place: who or "none" for place, who in known.items()}
    assert [int(m["floor"]) for m in marks if "floor" in m] == seen["floors"]
    claimed = Counter((m["claimed"], m["character"]) for m in marks if "claimed" in m)
    assert claimed == Counter((str(s), one["character"]) for s in (0, 1) for one in seen["claimed"][s])
    assert [int(m["supply"]) for m in marks if "supply" in m] == seen["supply"]


def check_capone(marks: Marks, seen: dict[str, Any]) -> None:
    members = {(m["seat"], m["member"]): m["at"] for m in marks if "member" in m}
    assert members == dict(_members(seen))
    totals = {m["site"]: int(m["total"]) for m in marks if "site" in m}
    assert totals == {site["site"]: site["total"] for site in seen["sites"]}
    assert [int(m["cash"]) for m in marks if "cash" in m] == [family["cash"] for family in seen["families"]]
    assert [int(m["marker"]) for m in marks if "marker" in m] == [family["marker"] for family in seen["families"]]
    guards = Counter({(m["seat"], m["at"]): int(m["guards"]) for m in marks if "guards" in m})
    for seat, family in enumerate(seen["families"]):
        assert guards[str(seat), "home"] == family["guards"]
        assert guards[str(seat), "park"] == family["park"]
    for seat, hand in enumerate(seen["hands"]):
        cards = [m["card"] for m in marks if m.get("hand") == str(seat)]
        assert cards == (hand if hand is not None else ["?"] * seen["families"][seat]["hand_count"])


def _members(seen: dict[str, Any]):
    for seat, family in enumerate(seen["families"]):
        yield from (((str(seat), member), "home") for member in family["home"])
        yield from (((str(seat), member), "harbour") for member in family["harbour"])
        for block, inside in family["prison"].items():
            yield from (((str(seat), member), f"prison{block}") for member in inside)
    for site in seen["sites"]:
        yield from (((str(site["owner"]), member), site["site"]) for member in site["members"])
    for place, there in seen["rests"].items():
        yield from (((str(one["seat"]), one["member"]), place) for one in there)


def check_cotton_club(marks: Marks, seen: dict[str, Any]) -> None:
    rows: dict[str, list[str]] = {}
    for mark in marks:
        if "card" in mark:
            rows.setdefault(mark["at"], []).append(mark["card"])
    assert rows == {kind: cards for kind, cards in seen["rows"].items() if cards}
    pawns = {m["at"]: int(m["pawn"]) for m in marks if "pawn" in m and m["at"] != "home"}
    placed = {f"{at}{i}": seat for at, spaces in seen["board"].items() for i, seat in enumerate(spaces)}
    assert pawns == {at: seat for at, seat in placed.items() if seat is not None}
    discs = {(m["disc"], int(m["seat"])): int(m["level"]) for m in marks if "disc" in m}
    assert discs == {(name, s): lv for name, track in seen["tracks"].items() for s, lv in enumerate(track["levels"])}
    clubs = [(int(m["money"]), int(m["reputation"])) for m in marks if "club" in m]
    assert clubs == [(club["money"], club["reputation"]) for club in seen["clubs"]]
    owned = [m["owned"] for m in marks if "owned" in m]
    assert owned == [card for club in seen["clubs"] for card in club["cards"]]
    row = [(m["by"], m["event"]) for m in marks if "by" in m]
    assert row == [("pile" if one["by"] is None else str(one["by"]), one["event"] or "?") for one in seen["event_row"]]


CHECKS = {
    "speak_easy": check_speak_easy,
    "gatsby": check_gatsby,
    "capone": check_capone,
    "cotton_club": check_cotton_club,
}


@pytest.mark.parametrize("game", CHECKS)
@pytest.mark.parametrize(("eyes", "width", "layout"), [("all", 940, "low"), ("1", 500, "tall")])
def test_the_board_shows_what_the_engine_knows_at_every_ply(
    reader: Page, room: Room, game: str, eyes: str, width: int, layout: str
):
    record = room.records[game]
    reader.set_viewport_size({"width": width, "height": 300})  # what is not seen costs nothing to paint
    reader.goto(f"/matches/{room.matches[game]}/#ply=0")
    all_at(reader, 0)  # seats' cards come after the board
    reader.check(f".views input[value='{eyes}']")
    board_at(reader, 0, view=eyes)
    assert layout in (reader.locator(".board").get_attribute("class") or "").split()
    seat = None if eyes == "all" else int(eyes)
    plies = len(record.actions) if seat is None else min(len(record.actions), MOST_AS_SEAT)
    for state, marks in zip(states(record), drawn(reader, plies), strict=False):
        CHECKS[game](marks, state.observe(seat))
    assert reader.locator(".board").get_attribute("data-ply") == str(plies)
    check_story(reader, record, room.names[game])


TOLD = """total => {
  const rows = [...document.querySelectorAll('.movelist [data-row] a')];
  return rows.length === total && rows.map(link => link.textContent);
}"""


def check_story(page: Page, record: MatchRecord, names: list[str]) -> None:
    """Every move is told as a sentence that begins with the bot's own name, and no word of it is a program's."""
    told = page.wait_for_function(TOLD, arg=len(record.actions)).json_value()
    for action, sentence in zip(record.actions, told, strict=True):
        assert sentence.startswith((f"{names[action.seat]} ", f"{names[action.seat]}'s ")), sentence
        assert not re.search(r"undefined|null|NaN|object|seat \d|_|[{}]", sentence), sentence
        assert sentence.endswith("."), sentence
    rows = page.locator("[data-standing]").all_text_contents()
    assert all(name in row for name, row in zip(names, rows, strict=True))
