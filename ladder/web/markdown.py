"""Our own Markdown pages (rules, docs) as HTML; raw HTML in them is shown as text."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

SCROLLS = re.compile(r"<(table|pre)>")  # what may be wider than the page can be reached by keyboard
_PAGES_OF_A_GAME = {"RULES.md": "../rules/", "BOTS.md": "../bots/"}
_LINK = re.compile(r"^(?:\./)?(?:docs/)?(?:\d+-)?[a-z0-9-]+\.md")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _name_headings(tokens: list[Any]) -> None:
    """Give each heading an id, so that a clause can be linked to; the page's own title stays one level up."""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _slug(inline.content))


def _open_docs_links(tokens: list[Any]) -> None:
    """Links between files of docs/, or of a game, become links between pages of the site."""
    for token in tokens:
        for child in token.children or ():
            href = child.attrGet("href") if child.type == "link_open" else None
            if href in _PAGES_OF_A_GAME:
                child.attrSet("href", _PAGES_OF_A_GAME[href])
            if href and _LINK.match(href):
                child.attrSet("href", "../" + Path(href.split("#")[0]).stem + "/" + href[len(href.split("#")[0]) :])


@lru_cache(maxsize=64)
def _render(path: Path, changed: float) -> tuple[str, str]:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(path.read_text(encoding="utf-8"))
    title = next((b.content for a, b in pairwise(tokens) if a.type == "heading_open"), path.stem)
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        tokens = tokens[3:]
    _name_headings(tokens)
    _open_docs_links(tokens)
    body = str(reader.renderer.render(tokens, reader.options, {}))
    return title, SCROLLS.sub(r'<\1 tabindex="0">', body)


def render_page(path: Path) -> tuple[str, SafeString]:
    """Title and body of a Markdown file, read anew when it changes."""
    title, body = _render(path, path.stat().st_mtime)
    return title, mark_safe(body)  # noqa: S308  our own files, raw HTML off
