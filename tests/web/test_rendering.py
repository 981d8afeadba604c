"""Our own Markdown as pages: titles, links between pages, clauses, and nothing that could be markup of others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ladder.web.markdown import MarkdownPage, render_page


@pytest.fixture
def write(tmp_path: Path):
    def page(text: str, name: str = "1-page.md") -> MarkdownPage:
        path = tmp_path / name
        path.write_text(text)
        return render_page(path)

    return page


@pytest.mark.parametrize(
    ("text", "title"),
    [("# The house\n\nText.", "The house"), ("## Rooms\n", "Rooms"), ("No heading at all.", "1-page"), ("", "1-page")],
)
def test_a_page_is_called_by_its_first_heading_or_its_file(write, text: str, title: str) -> None:
    assert write(text).title == title


def test_the_title_is_not_told_twice(write) -> None:
    assert "<h1" not in write("# The house\n\nText.").body


def test_sections_are_listed_with_the_names_that_links_use(write) -> None:
    page = write("# T\n\n## Who may do what?\n\n### Not listed\n\n## C++ & Co\n")
    assert page.contents == (("who-may-do-what", "Who may do what?"), ("c-co", "C++ & Co"))
    assert '<h2 id="who-may-do-what">' in page.body
    assert '<h3 id="not-listed">' in page.body


@pytest.mark.parametrize(
    ("link", "href"),
    [
        ("5-arena.md", "../5-arena/"),
        ("docs/5-arena.md", "../5-arena/"),
        ("glossary.md#seat", "../glossary/#seat"),
        ("RULES.md", "../rules/"),
        ("BOTS.md", "../bots/"),
        ("https://example.org/a.md", "https://example.org/a.md"),
        ("#below", "#below"),
    ],
)
def test_links_between_files_become_links_between_pages(write, link: str, href: str) -> None:
    assert f'href="{href}"' in write(f"See [there]({link}).").body


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b>bold</b> word"])
def test_raw_markup_is_shown_as_text(write, text: str) -> None:
    body = write(text).body
    assert "<script" not in body
    assert "<img" not in body
    assert "<b>" not in body
    assert "&lt;" in body


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_a_link_that_would_run_something_is_none(write, link: str) -> None:
    assert "href=" not in write(f"[click]({link})").body


def test_what_may_be_wider_than_the_page_can_be_reached_by_keyboard(write) -> None:
    body = write("| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n").body
    assert '<table tabindex="0">' in body
    assert '<pre tabindex="0">' in body


def test_a_clause_has_a_name_and_leads_to_itself(write) -> None:
    body = write("# R\n\n**GA 2.4** An advance.\n\n**Bold** words are none.\n", "RULES.md").body
    assert '<p id="ga-2-4">' in body
    assert '<a href="#ga-2-4" class="clause">GA 2.4</a>' in body
    assert body.count("<p id=") == 1


def test_a_clause_that_is_cited_leads_to_the_rules_if_there_is_such_a_one(write, tmp_path: Path) -> None:
    write("**GA 2.4** An advance.\n", "RULES.md")
    body = write("See GA 2.4, GA 9.9, GA 2.41 and XGA 2.4.\n", "BOTS.md").body
    assert body.count("../rules/#ga-2-4") == 1
    assert "GA 9.9" in body


def test_a_page_is_read_anew_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("# One\n")
    os.utime(path, (1, 1))
    assert render_page(path).title == "One"
    path.write_text("# Two\n")
    os.utime(path, (2, 2))
    assert render_page(path).title == "Two"
