"""Writes docs/13-soak.md: what `make soak` ran, how it ended and how long it took; loaded by `make soak` alone."""

import re
from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "13-soak.md"
HEAD = """# 13. The long forms

`make soak` runs them one after another and writes this page: kills, fuzz, scale, house bots. A part can be run alone
(`make soak PART=tests/engines`); the other lines stay as they were, each with the day it was run. Cases of one test
share a line. What a test noted as a figure (`record_property`) stands beside it.

| test | last run | passed | failed | seconds | figures |
|---|---|---|---|---|---|
"""
LINE = re.compile(r"\| `([^`]+)` \|")


def table(runs, when):
    """One line for each test, its cases taken together; runs holds (test, case, outcome, seconds, figures)."""
    lines = {}
    for test in sorted({run[0] for run in runs}):
        cases = [run for run in runs if run[0] == test]
        passed = sum(outcome == "passed" for _, _, outcome, _, _ in cases)
        figures = "; ".join(f"{case} {told}".strip() for _, case, _, _, told in cases if told)
        seconds = sum(seconds for _, _, _, seconds, _ in cases)
        lines[test] = f"| `{test}` | {when} | {passed} | {len(cases) - passed} | {seconds:.0f} | {figures} |"
    return lines


def merged(page, lines):
    """The page with these lines in place of older ones of the same tests."""
    known = {found[1]: line for line in page.splitlines() if (found := LINE.match(line))}
    return HEAD + "\n".join(line for _, line in sorted((known | lines).items())) + "\n"


class SoakPage:
    """Collects reports and writes the page at the end of the run."""

    def __init__(self):
        self.runs = {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.failed or report.skipped:
            figures = ", ".join(f"{name} {value}" for name, value in report.user_properties)
            test, _, case = report.nodeid.removeprefix("tests/").partition("[")
            self.runs[report.nodeid] = (test, case.rstrip("]"), report.outcome, report.duration, figures)

    def pytest_sessionfinish(self):
        if self.runs:
            page = PAGE.read_text() if PAGE.exists() else ""
            PAGE.write_text(merged(page, table(list(self.runs.values()), f"{datetime.now(UTC):%Y-%m-%d}")))


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(SoakPage(), "soak-page")
