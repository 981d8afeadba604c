"""The table of blame says what was counted."""

from __future__ import annotations

import json
from pathlib import Path

from tests.arena import blame_page
from tests.arena.blame import COLUMNS, ROWS


def test_counts_of_runs_are_kept_beside_each_other_and_shown_together(tmp_path: Path) -> None:
    file, page = tmp_path / "blame.json", tmp_path / "page.md"
    page.write_text(f"before\n{blame_page.BEGIN}\nold\n{blame_page.END}\nafter\n")
    for who, count in (("root", 20), ("user", 3), ("root", 19)):
        counts = {"burner": {"seat 1 timeout": count}, "quick bot": {"finished": count, "wrong: void": 1}}
        run = {"on": ["2026-11-17"], "load": [count, count], "counts": counts}
        blame_page.merge({f"{who}, bank 1 s, quiet core": run}, file=file)
    blame_page.show(page, file=file)
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "| burner | seat 1 timeout 42 | not run |" in text
    assert "| quick bot | finished 42, wrong: void 3 |" in text
    assert "as root, bank 1 s (39 to 41 a cell); user, bank 1 s (3 to 4 a cell); load" in text
    assert text.count("Run on 2026-11-17 ") == text.count("load of the machine 3 to 20.") == 1


def test_the_page_has_its_place_and_shows_what_is_kept() -> None:
    page = (blame_page.DOCS / "5-arena.md").read_text()
    assert page.count(blame_page.BEGIN) == page.count(blame_page.END) == 1
    if blame_page.COUNTS.exists():
        runs = json.loads(blame_page.COUNTS.read_text())
        assert blame_page.table(runs) in page
        assert {row for run in runs.values() for row in run["counts"]} <= set(ROWS)
        assert {name.rpartition(", ")[2] for name in runs} <= set(COLUMNS)
