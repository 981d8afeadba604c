"""A replay as one self-contained page: the site's own viewer, its modules and the frames inlined."""

from __future__ import annotations

import base64
import re
from html import escape
from pathlib import Path

import orjson

from arena.framing import frames
from arena.record import MatchRecord
from engines import GAMES

HERE = Path(__file__).parent
STYLES = ("tokens.css", "standalone.css", "viewer.css")
_SPECIFIER = re.compile(r"""((?:from|import)\s*\(?\s*)"(\.{1,2}/[\w./]+\.js)\"""")


def page(record: MatchRecord, names: list[str] | None = None) -> str:
    """The whole replay in one HTML text, for all eyes and for each seat's."""
    seats = len(record.order.seats)
    title = GAMES[record.order.game].title
    views = ["all", *map(str, range(seats))]
    given = {view: [f.as_json() for f in frames(record, None if view == "all" else int(view))] for view in views}
    attributes = {
        "data-game": record.order.game,
        "data-plies": str(len(record.actions)),
        "data-view": "all",
        "data-views": _json(views),
        "data-seats": _json(names or [f"Seat {seat}" for seat in range(seats)]),
        "data-given": "frames",
    }
    marked = " ".join(f'{name}="{escape(value)}"' for name, value in attributes.items())
    styles = "\n".join((HERE / name).read_text(encoding="utf-8") for name in STYLES)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}: a replay</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{styles}\n</style>\n'
        f'<script type="importmap">{_json({"imports": _modules()})}</script></head>\n'
        f"<body><main><h1>{escape(title)}</h1>\n<p>{escape(_ending(record))}</p>\n"
        f'<div class="match" data-viewer {marked}></div></main>\n'
        f'<script type="application/json" id="frames">{_json(given)}</script>\n'
        '<script type="module">import "rumrunner/viewer.js";</script></body></html>\n'
    )


def _json(value: object) -> str:
    """JSON that can stand inside a script element."""
    return orjson.dumps(value).decode().replace("<", "\\u003c").replace("\u2028", "\\u2028")


def _modules() -> dict[str, str]:
    """Every module under a bare name, as a data address; a module in an address can't import by relative path."""
    modules = {}
    for path in sorted(HERE.rglob("*.js")):
        name = path.relative_to(HERE)

        def absolute(found: re.Match[str], folder: Path = name.parent) -> str:
            parts: list[str] = []
            for part in (folder / found[2]).parts:
                if part == "..":
                    parts.pop()
                else:
                    parts.append(part)
            return f'{found[1]}"rumrunner/{"/".join(parts)}"'

        source = _SPECIFIER.sub(absolute, path.read_text(encoding="utf-8"))
        modules[f"rumrunner/{name.as_posix()}"] = "data:text/javascript;base64," + base64.b64encode(
            source.encode()
        ).decode("ascii")
    return modules


def _ending(record: MatchRecord) -> str:
    if record.outcome is None:
        return f"Ended by {record.ending.replace('_', ' ')}."
    ranks = ", ".join(f"seat {seat} rank {rank}" for seat, rank in enumerate(record.ranks or ()))
    return f"Ended by {record.outcome.ending.replace('_', ' ')}: {ranks}."
