"""The counts of the long blame matrix: kept in docs/blame.json, shown as a table in docs/5-arena.md."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.arena.blame import COLUMNS, ROWS, Cell

DOCS = Path(__file__).parents[2] / "docs"
COUNTS = Path(os.environ.get("RUMRUNNER_BLAME_COUNTS", DOCS / "blame.json"))
BEGIN, END = "<!-- blame: begin -->", "<!-- blame: end -->"


def keep(cells: list[Cell], *, column: str, form: str, file: Path = COUNTS) -> None:
    """Write down the verdicts of one column, in place of those of its last run as this user in this form."""
    who = "root" if os.geteuid() == 0 else "user"
    counts = {
        row: dict(
            Counter(f"wrong: {cell.verdict}" if cell.wrong else cell.verdict for cell in cells if cell.row == row)
        )
        for row in ROWS
    }
    merge({f"{who}, {form}, {column}": {"on": f"{datetime.now(UTC):%Y-%m-%d}", "counts": counts}}, file=file)


def merge(runs: dict[str, Any], *, file: Path = COUNTS) -> None:
    known = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(known | runs, indent=1, sort_keys=True) + "\n")


def table(runs: dict[str, Any]) -> str:
    """All runs together: for each bot and each trouble how often which verdict was given."""
    lines = [f"| bot in seat 1 | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| {row} | {' | '.join(_cell(runs, row, column) for column in COLUMNS)} |" for row in ROWS]
    days = sorted({run["on"] for run in runs.values()})
    forms = sorted({name.rpartition(", ")[0] for name in runs})
    return "\n".join([*lines, "", f"Run on {' and '.join(days)} as {'; '.join(forms)}."])


def _cell(runs: dict[str, Any], row: str, column: str) -> str:
    total: Counter[str] = Counter()
    for name, run in runs.items():
        if name.endswith(f", {column}"):
            total.update(run["counts"].get(row, {}))
    return ", ".join(f"{verdict} {count}" for verdict, count in total.most_common()) or "not run"


def show(page: Path = DOCS / "5-arena.md", *, file: Path = COUNTS) -> None:
    """Put the table of all that was kept between the marks on the page."""
    text = re.sub(
        f"{BEGIN}.*?{END}", f"{BEGIN}\n{table(json.loads(file.read_text()))}\n{END}", page.read_text(), flags=re.S
    )
    page.write_text(text)
