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


def keep(cells: list[Cell], *, form: str, file: Path = COUNTS) -> None:
    """Add the verdicts to those counted before as this user in this form; to begin anew, remove the file."""
    who = "root" if os.geteuid() == 0 else "user"
    for cell in cells:
        verdict = f"wrong: {cell.verdict}" if cell.wrong else cell.verdict
        run = {"on": [f"{datetime.now(UTC):%Y-%m-%d}"], "load": [round(os.getloadavg()[0])] * 2}
        merge({f"{who}, {form}, {cell.column}": run | {"counts": {cell.row: {verdict: 1}}}}, file=file)


def merge(runs: dict[str, Any], *, file: Path = COUNTS) -> None:
    known = known_runs(file)
    for name, run in runs.items():
        known[name] = _together(known[name], run) if name in known else run
    file.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


def known_runs(file: Path = COUNTS) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def _together(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    load = [*one["load"], *other["load"]]
    counts = {row: dict(Counter(one["counts"].get(row, {})) + Counter(other["counts"].get(row, {}))) for row in ROWS}
    return {"on": sorted({*one["on"], *other["on"]}), "load": [min(load), max(load)], "counts": counts}


def table(runs: dict[str, Any]) -> str:
    """All runs together: for each bot and each trouble how often which verdict was given."""
    lines = [f"| bot in seat 1 | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| {row} | {' | '.join(_cell(runs, row, column) for column in COLUMNS)} |" for row in ROWS]
    days = sorted({day for run in runs.values() for day in run["on"]})
    forms = [_form(runs, form) for form in sorted({name.rpartition(", ")[0] for name in runs})]
    load = [number for run in runs.values() for number in run["load"]]
    heavy = f"{min(load)} to {max(load)}"
    return "\n".join([*lines, "", f"Run on {' and '.join(days)} as {'; '.join(forms)}; load of the machine {heavy}."])


def _form(runs: dict[str, Any], form: str) -> str:
    """A form and how many matches its cells have."""
    counts = [run["counts"] for name, run in runs.items() if name.rpartition(", ")[0] == form]
    played = [sum(verdicts.values()) for rows in counts for verdicts in rows.values() if verdicts]
    least, most = min(played), max(played)
    number = f"{least} to {most}" if least < most else least
    return f"{form} ({number} a cell)"


def _cell(runs: dict[str, Any], row: str, column: str) -> str:
    total: Counter[str] = Counter()
    for name, run in runs.items():
        if name.endswith(f", {column}"):
            total.update(run["counts"].get(row, {}))
    return ", ".join(f"{verdict} {count}" for verdict, count in total.most_common()) or "not run"


def show_at_home() -> None:
    """On our own page, unless the counts are kept elsewhere, as those of another user's run are."""
    if COUNTS.parent == DOCS:
        show()


def show(page: Path = DOCS / "5-arena.md", *, file: Path = COUNTS) -> None:
    """Put the table of all that was kept between the marks on the page."""
    text = re.sub(
        f"{BEGIN}.*?{END}", f"{BEGIN}\n{table(json.loads(file.read_text()))}\n{END}", page.read_text(), flags=re.S
    )
    page.write_text(text)
