"""A drawn position as SVG without a browser: the viewer's own drawing, run by node, and its style sheets made plain.

Renderers know neither nested rules nor variables, so the sheets are flattened for one theme, by day or by night.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from arena.plain import drawing_of, has_drawing
from arena.standalone import VIEWER, bundle

SIZE = (1028, 686)
NODE_S = 10
RUN = """
const {{ draw }} = modules[{drawing} + ".js"], {{ state, last, before }} = {given};
const {{ ground, play }} = draw(state, "wide", {{ last, before }});
process.stdout.write(ground + play.join(""));
"""
ROOTED = re.compile(r"var\((--[\w-]+)(?:, *([^()]*|[^()]*\([^()]*\)[^()]*))?\)")
BOTH = re.compile(r"light-dark\(([^,()]+), *([^()]+)\)")
FONT = re.compile(r"font: *(\d+) +([\d.]+)px(?:/[\d.]+)? +([^;]+)")
SPELT = r"font-weight: \1; font-size: \2px; font-family: \3"
Rule = tuple[str, dict[str, str]]


def position_svg(game: str, frame: dict[str, Any]) -> str | None:
    """The inside of an SVG of SIZE; None for a game without a drawing, and where no node runs it."""
    node = shutil.which("node")
    if node is None or not has_drawing(game):
        return None
    drawing = drawing_of(game)
    given = {"state": frame["state"], "last": _last(frame.get("entry")), "before": frame.get("before")}
    script = bundle(drawing, whole=False) + RUN.format(drawing=json.dumps(drawing), given=json.dumps(given))
    try:
        done = subprocess.run(
            [node, "-"], input=script.encode(), capture_output=True, timeout=NODE_S, env={}, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode()


@lru_cache(maxsize=16)
def board_style(game: str) -> str:
    """The class that the style of a game's board hangs on."""
    found = re.search(
        r'^export const style = "(\w+)";', (VIEWER / f"{drawing_of(game)}.js").read_text(encoding="utf-8"), re.M
    )
    return found[1] if found else ""


def _last(entry: str | None) -> dict[str, Any] | None:
    seat, _, text = (entry or "").partition(" ")
    return {"seat": int(seat), "text": text} if entry else None


@lru_cache(maxsize=2)
def plain_style(*, night: bool = False) -> str:
    """The sheets of tokens and boards in one theme, without nesting, variables or media, for what is in a `.board`."""
    rules = [rule for name in ("tokens.css", "boards.css") for rule in _rules(_bare(name), "")]
    root = {name: value for selector, found in rules if selector == ":root" for name, value in found.items()}
    scopes = [
        (selector, found) for selector, found in rules if selector != ":root" and any(n.startswith("--") for n in found)
    ]
    style = "\n".join(line for rule in rules for line in _plain(rule, root, scopes))
    return BOTH.sub(r"\2" if night else r"\1", style)


def _bare(name: str) -> str:
    text = re.sub(r"/\*.*?\*/", "", (VIEWER / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", text)


def _rules(text: str, outer: str) -> Iterator[Rule]:
    """Every rule with its whole selector, what is nested after what holds it."""
    at = 0
    declared: dict[str, str] = {}
    inner: list[tuple[str, str]] = []
    while at < len(text):
        brace, end = text.find("{", at), text.find(";", at)
        if brace < 0 or 0 <= end < brace:
            _declare(declared, text[at : end if end >= 0 else len(text)])
            at = end + 1 if end >= 0 else len(text)
            continue
        close = _closing(text, brace)
        inner.append((text[at:brace].strip(), text[brace + 1 : close]))
        at = close + 1
    if declared:
        yield outer, declared
    for selector, body in inner:
        yield from _rules(body, _within(outer, selector))


def _declare(declared: dict[str, str], text: str) -> None:
    name, colon, value = text.partition(":")
    if colon:
        declared[name.strip()] = value.strip()


def _closing(text: str, brace: int) -> int:
    depth = 0
    for at in range(brace, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("a style sheet with a brace that nothing closes")


def _within(outer: str, selector: str) -> str:
    """Nested selectors as whole ones; `.drawn` is the picture itself and is left out."""
    pairs = [
        part.replace("&", one) if "&" in part else f"{one} {part}".strip()
        for one in (outer or "").split(",")
        for part in selector.split(",")
    ]
    return ", ".join(re.sub(r"^\.drawn\b *", "", pair.strip()) or ".drawn" for pair in pairs)


def _plain(rule: Rule, root: dict[str, str], scopes: list[Rule]) -> Iterator[str]:
    selector, declared = rule
    shown = {name: value for name, value in declared.items() if not name.startswith("--")}
    if selector in (":root", ".drawn") or ":" in selector or not shown:
        return
    yield _written(selector, shown, root)
    used = {name for value in shown.values() for name, _ in ROOTED.findall(value)} - root.keys()
    for scope, given in scopes:
        if used & given.keys():
            pairs = [(one, part.strip()) for one in scope.split(", ") for part in selector.split(",")]
            yield _written(", ".join(where for pair in pairs for where in _met(*pair)), shown, root | given)


def _met(scope: str, part: str) -> Iterator[str]:
    """Where a variable of a scope is known to what a selector means: inside it, at it, or further out."""
    yield f"{scope} {part}"
    words = part.split()
    if " " not in scope:
        yield from (" ".join((*words[:at], word + scope, *words[at + 1 :])) for at, word in enumerate(words))
    yield from (part.replace(one, scope, 1) for one in part.split() if scope.startswith(f"{one}."))


def _written(selector: str, shown: dict[str, str], known: dict[str, str]) -> str:
    said = {name: _value(value, known) for name, value in shown.items()}
    body = "; ".join(f"{name}: {value}" for name, value in said.items() if "var(" not in value)
    return f"{_inside(selector)} {{ {FONT.sub(SPELT, body)} }}"


def _inside(selector: str) -> str:
    return ", ".join(f".board {part.strip()}" for part in selector.split(","))


def _value(value: str, known: dict[str, str]) -> str:
    for _ in range(4):  # a variable may stand for another
        value = ROOTED.sub(lambda found: known.get(found[1], found[2] or found[0]), value)
    return value
