"""A match as one HTML file that needs nothing else: the viewer's modules, style sheets and frames in one page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from arena.framing import frames
from arena.plain import drawing_of
from arena.record import MatchRecord
from engines import GAMES

VIEWER = Path(__file__).parent / "viewer"
STYLES = ("tokens.css", "boards.css", "viewer.css", "standalone.css")
IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";$', re.MULTILINE)
LATE_IMPORT = re.compile(r"import\(`\./\$\{(\w+)\}\.js`\)")  # of the drawing, whose name the page gives
EXPORT = re.compile(r"^export (function|const|class|async function) (\w+)", re.MULTILINE)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{styles}</style>
</head>
<body>
<main class="tp">
<div class="tp-head"><h1>{title}</h1><p class="facts">{facts}</p></div>
<div class="tp-note">{banner}</div>
<div data-viewer data-drawing="{drawing}" data-plies="{plies}" data-given="given" data-times="times" data-view="all"
 data-views="{views}" data-seats="{seats}" data-places="{places}"></div>
</main>
<script type="application/json" id="given">{given}</script>
<script type="application/json" id="times">{times}</script>
<script>{script}</script>
</body>
</html>
"""  # noqa: E501
BANNER = """<p class="state" role="note">Played under rules {old}.
The current rules are {now}: the match is drawn as far as they allow its actions,
and shown as text from there on.</p>"""


def standalone_page(record: MatchRecord, names: Sequence[str]) -> str:
    """The replay of a record for a browser without a network; seats without a name get the game's own.

    Raises Unplayable.
    """
    game = GAMES[record.order.game]
    called = [*names, *[""] * len(record.order.seats)][: len(record.order.seats)]
    seats = range(len(record.order.seats))
    eyes: dict[str, int | None] = {"all": None, **{str(seat): seat for seat in seats}}
    given = {view: [frame.as_json() for frame in frames(record, seat)] for view, seat in eyes.items()}
    return PAGE.format(
        title=html.escape(f"{game.title}: {' – '.join(names)}" if names else game.title),
        banner=BANNER.format(old=record.order.rules_version, now=game.rules_version)
        if record.order.is_outdated
        else "",
        facts=html.escape(f"{len(record.actions)} plies, ending {record.ending}, digest {record.digest[:16]}…"),
        styles="\n".join((VIEWER / name).read_text(encoding="utf-8") for name in STYLES),
        drawing=drawing_of(game.name),
        plies=len(record.actions),
        views=html.escape(json.dumps(list(eyes))),
        seats=html.escape(json.dumps(called)),
        places=html.escape(json.dumps([game.words.seat_name(seat, len(called)) for seat in seats])),
        given=_inside_script(json.dumps(given, separators=(",", ":"))),
        times=_inside_script(json.dumps([round(action.cpu_ms) for action in record.actions])),
        script=bundle(drawing_of(game.name)),
    )


def _inside_script(text: str) -> str:
    """JSON that can't end the element it stands in."""
    return text.replace("<", "\\u003c")


def bundle(drawing: str, *, whole: bool = True) -> str:
    """The viewer's modules as one script, each in a function of its own, what is imported before what imports.

    Of the drawings only the one that is named is in it; unless whole, nothing but that one and what it needs.
    """
    entries = (f"{drawing}.js", "viewer.js") if whole else (f"{drawing}.js",)
    return "const modules = {};\n" + "\n".join(_wrapped(name) for name in viewer_modules(*entries))


@lru_cache(maxsize=16)
def viewer_modules(*entries: str) -> tuple[str, ...]:
    """Files of the viewer that these need, themselves included, each after all that it imports."""
    order: list[str] = []
    for entry in entries:
        _collect(entry, order)
    return tuple(order)


def _collect(name: str, order: list[str]) -> None:
    source = (VIEWER / name).read_text(encoding="utf-8")
    for _, path in IMPORT.findall(source):
        needed = _place(name, path)
        if needed not in order:
            _collect(needed, order)
    if name not in order:
        order.append(name)


def _place(name: str, path: str) -> str:
    """The module that a relative path means, seen from another."""
    return (VIEWER / name).parent.joinpath(path).resolve().relative_to(VIEWER.resolve()).as_posix()


def _wrapped(name: str) -> str:
    source = (VIEWER / name).read_text(encoding="utf-8")
    exported = ", ".join(found[1] for found in EXPORT.findall(source))
    source = IMPORT.sub(lambda found: f'const {found[1]} = modules["{_place(name, found[2])}"];', source)
    source = LATE_IMPORT.sub(r"Promise.resolve(modules[`${\1}.js`])", source)
    source = EXPORT.sub(r"\1 \2", source)
    return f'(() => {{\n{source}\nmodules["{name}"] = {{ {exported} }};\n}})();'
