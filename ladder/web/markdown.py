"""Our own Markdown pages (rules, docs) as HTML; raw HTML in them is shown as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

SCROLLS = re.compile(r"<(table|pre)>")  # what may be wider than the page can be reached by keyboard
_PAGES_OF_A_GAME = {"RULES.md": "../rules/", "BOTS.md": "../bots/"}
_CLAUSE = re.compile(r"^[A-Z]{2} \d+(?:\.\d+)?$")
_CITED = re.compile(r"(?<![\w#>-])([A-Z]{2}) (\d+(?:\.\d+)?)(?![\w.]*\d)")


class MarkdownPage(NamedTuple):
    """A page and the list of its sections as (id, title)."""

    title: str
    body: SafeString
    contents: tuple[tuple[str, str], ...]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _name_headings(tokens: list[Any]) -> None:
    """Give each heading an id, so that a clause can be linked to; the page's own title stays one level up."""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _slug(inline.content))


def _open_links(tokens: list[Any]) -> None:
    """Links between files of docs/, or of a game, become links between pages; what the site has not is only named."""
    for token in tokens:
        for opening, closing in _links(token.children or []):
            if href := _address(str(opening.attrGet("href"))):
                opening.attrSet("href", href)
                continue
            for one in (opening, closing):
                one.type, one.content = "text", ""


def _links(children: list[Any]) -> Iterator[tuple[Any, Any]]:
    opening = None
    for child in children:
        if child.type == "link_open":
            opening = child
        elif child.type == "link_close":
            yield opening, child


def _address(href: str) -> str:
    """Where the site has what a page links to; empty where it has not."""
    path, hash_, place = href.partition("#")
    if not path or ":" in path:
        return href
    if path in _PAGES_OF_A_GAME:
        return f"{_PAGES_OF_A_GAME[path]}{hash_}{place}"
    names = [part for part in PurePosixPath(path).parts if part not in {"..", "docs"}]
    if names[0] == "engines" and names[-1] in _PAGES_OF_A_GAME:
        return f"../../games/{names[1]}/{_PAGES_OF_A_GAME[names[-1]][3:]}{hash_}{place}"
    is_page = path.endswith(".md") and names[:-1] in ([], ["decisions"])
    return f"../{'-'.join(names).removesuffix('.md')}/{hash_}{place}" if is_page else ""


def key_of(path: Path) -> str:
    """What the address of a page of docs/ ends with; what lies in a folder there has its name in front."""
    return path.stem if path.parent.name == "docs" else f"{path.parent.name}-{path.stem}"


def _name_clauses(tokens: list[Any]) -> None:
    """Give each numbered clause an id and make its number a link to itself."""
    for token, inline in pairwise(tokens):
        if token.type != "paragraph_open" or [child.type for child in inline.children[1:2]] != ["strong_open"]:
            continue
        number = inline.children[2].content
        if _CLAUSE.match(number):
            token.attrSet("id", _slug(number))
            inline.children[2:3] = _link(inline.children[2], f"#{_slug(number)}")


def _link(text: Any, href: str) -> list[Any]:
    return [Token("link_open", "a", 1, attrs={"href": href, "class": "clause"}), text, Token("link_close", "a", -1)]


def _link_citations(body: str, rules: Path) -> str:
    """Every `GA 2.4` of a game's pages leads to that clause of its rules."""
    known = set(re.findall(r"^\*\*([A-Z]{2} \d+(?:\.\d+)?)\*\*", rules.read_text(encoding="utf-8"), re.MULTILINE))

    def linked(found: re.Match[str]) -> str:
        return f'<a href="../rules/#{_slug(found[0])}">{found[0]}</a>' if found[0] in known else found[0]

    return _CITED.sub(linked, body)


@lru_cache(maxsize=64)
def _render(path: Path, changed: float) -> MarkdownPage:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(path.read_text(encoding="utf-8"))
    title = next((b.content for a, b in pairwise(tokens) if a.type == "heading_open"), path.stem)
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        tokens = tokens[3:]
    _name_headings(tokens)
    _name_clauses(tokens)
    _open_links(tokens)
    contents = tuple(
        (str(a.attrGet("id")), b.content) for a, b in pairwise(tokens) if a.type == "heading_open" and a.tag == "h2"
    )
    body = SCROLLS.sub(r'<\1 tabindex="0">', str(reader.renderer.render(tokens, reader.options, {})))
    if path.name in _PAGES_OF_A_GAME:
        body = _link_citations(body, path.with_name("RULES.md"))
    return MarkdownPage(title, mark_safe(body), contents)  # noqa: S308  our own files, raw HTML off


def render_page(path: Path) -> MarkdownPage:
    """A Markdown file as a page, read anew when it changes."""
    return _render(path, path.stat().st_mtime)
