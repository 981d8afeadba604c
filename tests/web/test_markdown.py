"""Our own Markdown pages come out as they were meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from ladder.web.markdown import render_page

ROOT = Path(settings.BASE_DIR)
PAGES = sorted([*ROOT.glob("docs/*.md"), *ROOT.glob("engines/*/*.md")])
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^ *(?:[-*]|[1-9]\d*\.) \S", re.MULTILINE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_of_a_list_is_swallowed_by_the_paragraph_before_it(path):
    written = len(ITEM.findall(FENCE.sub("", path.read_text(encoding="utf-8"))))
    assert render_page(path)[1].count("<li>") == written
