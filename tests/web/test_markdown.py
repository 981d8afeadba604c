"""Our own Markdown pages come out as they were meant."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.conf import settings
from django.urls import resolve, reverse

from ladder.web import library
from ladder.web.markdown import render_page

ROOT = Path(settings.BASE_DIR)
PAGES = sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("engines/*/*.md")])
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^ *(?:[-*]|[1-9]\d*\.) \S", re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_of_a_list_is_swallowed_by_the_paragraph_before_it(path):
    written = len(ITEM.findall(FENCE.sub("", path.read_text(encoding="utf-8"))))
    assert render_page(path)[1].count("<li>") == written


@pytest.mark.parametrize("key", list(library.files()))
def test_every_link_of_a_page_of_the_docs_leads_to_a_page(key):
    page = reverse("web:docs_page", args=[key])
    for href in re.findall(r'href="([^"#]+)', render_page(library.files()[key]).body):
        path = urljoin(page, href)
        if not urlsplit(path).netloc:
            resolved = resolve(path)
            assert resolved.url_name == "rules" or resolved.kwargs.get("page") in library.files(), f"{href} in {key}"


def test_every_page_of_the_docs_is_on_one_shelf_without_its_number():
    leaves = [leaf for shelf in library.shelves() for leaf in shelf.leaves]
    assert sorted(leaf.key for leaf in leaves) == sorted(library.files())
    assert not [leaf.title for leaf in leaves if leaf.title[0].isdecimal() and ". " in leaf.title]


def test_what_the_site_does_not_have_is_named_and_not_linked(tmp_path):
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text(
        "# Page\n\nSee [the code](../ladder/code.py), [this](page.md#top) and [that](https://example.org/).\n"
    )
    assert "See the code, " in render_page(page).body
    assert 'href="../page/#top"' in render_page(page).body
    assert 'href="https://example.org/"' in render_page(page).body
