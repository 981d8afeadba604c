"""The chart of a bot's rating, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]
STATIC = Path(settings.BASE_DIR) / "ladder" / "web" / "static"
KEEP = (
    "() => { const made = uPlot; window.uPlot = function (...given) { return (window.plot = new made(...given)); }; }"
)


@pytest.mark.parametrize("matches", [2, 3, 7, 200])
def test_ticks_stand_at_whole_matches_only(chromium: Browser, matches: int):
    page = chromium.new_page(viewport={"width": 900, "height": 400})
    flat = {name: [25] * matches for name in ("value", "low", "high")}
    data = json.dumps({"number": list(range(1, matches + 1)), "marks": [], "label": "Match", "what": "Rating", **flat})
    page.set_content(
        f'<div class="history" id="history"></div><script type="application/json" id="history-data">{data}</script>'
    )
    page.add_script_tag(path=next(STATIC.rglob("uPlot.iife.min.js")))
    page.evaluate(KEEP)
    page.add_script_tag(path=STATIC / "web" / "history.js")
    page.wait_for_function("window.plot?.axes[0]._values?.length")
    ticks = page.evaluate("plot.axes[0]._values")
    page.close()
    assert ticks
    assert all(tick is None or tick.isdecimal() for tick in ticks)


# Where the words of the marks were written: their left end and how they were aligned.
LISTEN = """() => {
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    if (text.startsWith("v")) written.push([this.textAlign, x]);
    return write.call(this, text, x, y);
  };
}"""


def test_the_name_of_a_version_stands_inside_the_chart_and_not_on_the_numbers_of_its_axis(chromium: Browser):
    page = chromium.new_page(viewport={"width": 900, "height": 400})
    flat = {name: [25, 26] for name in ("value", "low", "high")}
    marks = [{"at": 0, "label": "v1"}]
    data = json.dumps({"number": [1, 2], "marks": marks, "label": "Match", "what": "Rating", **flat})
    page.set_content(
        f'<div class="history" id="history"></div><script type="application/json" id="history-data">{data}</script>'
    )
    page.add_script_tag(path=next(STATIC.rglob("uPlot.iife.min.js")))
    page.evaluate(KEEP)
    page.evaluate(LISTEN)
    page.add_script_tag(path=STATIC / "web" / "history.js")
    page.wait_for_function("window.written.length")
    align, x = page.evaluate("written.at(-1)")
    left = page.evaluate("plot.bbox.left")
    page.close()
    assert align == "left"
    assert x > left


def test_axes_are_named_and_the_chart_fills_the_room_that_the_page_keeps_for_it(chromium: Browser):
    page = chromium.new_page(viewport={"width": 900, "height": 600})
    flat = {name: [25, 26] for name in ("value", "low", "high")}
    data = json.dumps({"number": [1, 2], "marks": [], "label": "Rated matches", "what": "Rating", **flat})
    page.set_content(
        f'<div class="history" id="history"></div><script type="application/json" id="history-data">{data}</script>'
    )
    page.add_style_tag(path=STATIC / "web" / "tables.css")
    page.add_style_tag(path=next(STATIC.rglob("uPlot.min.css")))
    page.add_script_tag(path=next(STATIC.rglob("uPlot.iife.min.js")))
    page.evaluate(KEEP)
    page.add_script_tag(path=STATIC / "web" / "history.js")
    page.wait_for_function("window.plot?.axes[0]._values?.length")
    names = page.evaluate("plot.axes.map(axis => axis.label)")
    box, drawn = (page.locator(part).first.bounding_box() for part in (".history", ".u-wrap"))
    page.close()
    assert names == ["Rated matches", "Rating"]
    assert box["height"] - drawn["height"] <= 3
