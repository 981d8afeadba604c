"""Writes docs/13-soak.md: what `make soak` ran, how it ended and how long it took; loaded by `make soak` alone."""

from datetime import UTC, datetime
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "13-soak.md"
HEAD = """# The long forms

`make soak` runs them one after another and writes this page: kills, fuzz, scale, house bots. What a test noted as a
figure (`record_property`) stands beside it.

Last run: {when}, {passed} passed, {failed} failed.

| test | ended | seconds | figures |
|---|---|---|---|
"""


class SoakPage:
    """Collects reports and writes the page at the end of the run."""

    def __init__(self):
        self.rows = {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.failed or report.skipped:
            figures = ", ".join(f"{name} {value}" for name, value in report.user_properties)
            self.rows[report.nodeid] = (report.outcome, report.duration, figures)

    def pytest_sessionfinish(self):
        if not self.rows:
            return
        outcomes = [outcome for outcome, _, _ in self.rows.values()]
        head = HEAD.format(
            when=f"{datetime.now(UTC):%Y-%m-%d}", passed=outcomes.count("passed"), failed=outcomes.count("failed")
        )
        lines = [
            f"| `{test.removeprefix('tests/')}` | {outcome} | {seconds:.0f} | {figures} |"
            for test, (outcome, seconds, figures) in sorted(self.rows.items())
        ]
        PAGE.write_text(head + "\n".join(lines) + "\n")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(SoakPage(), "soak-page")
