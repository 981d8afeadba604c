"""The pages of docs/ as the site shows them: which there are, and on which shelf a reader finds them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from django.conf import settings

from ladder.web.markdown import key_of, render_page

NUMBERED = re.compile(r"^\d+\. ")
SHELVES = {
    "Write a bot": ("3-tutorial", "10-protocol", "12-strength", "strategy-*"),
    "Run a tournament": ("11-tournaments",),
    "Understand the ladder": ("6-ladder", "14-ratings", "glossary"),
    "Use it from programs": ("7-api",),
    "Run the service": ("2-settings", "9-operations", "signing-in", "storage", "upgrading", "scale", "13-soak"),
    "How it is built": ("*",),
    "Decisions": ("decisions-*",),
}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page: what its address ends with, and its title without a number."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """Pages for one kind of reader."""

    title: str
    leaves: tuple[Leaf, ...]


def folder() -> Path:
    return Path(settings.BASE_DIR) / "docs"


def files() -> dict[str, Path]:
    """Every page by its key; decisions have their folder in front."""
    pages = [*sorted(folder().glob("*.md"), key=_place), *sorted(folder().glob("decisions/*.md"))]
    return {key_of(path): path for path in pages}


def title_of(path: Path) -> str:
    return NUMBERED.sub("", render_page(path).title)


def shelves() -> list[Shelf]:
    """All pages, each on the shelf that names it or its kind."""
    pages = files()
    return [
        Shelf(title, tuple(Leaf(key, title_of(pages[key])) for pattern in patterns for key in _named(pages, pattern)))
        for title, patterns in SHELVES.items()
    ]


def _named(keys: Iterable[str], pattern: str) -> list[str]:
    """The pages that a pattern means; `*` means those that no other shelf has."""
    if pattern != "*":
        return [key for key in keys if fnmatchcase(key, pattern)]
    others = [other for patterns in SHELVES.values() for other in patterns if other != "*"]
    return [key for key in keys if not any(fnmatchcase(key, other) for other in others)]


def _place(path: Path) -> tuple[int, str]:
    """Numbered pages by their number, the others after them."""
    number = path.stem.split("-")[0]
    return (int(number) if number.isdecimal() else 1_000, path.stem)
