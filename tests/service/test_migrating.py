"""Several machines that start at once on an empty database: each makes the tables, and none dies of the others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.harness import PATIENCE_S, ROOT, Service, running
from tests.service.postgres import remove_postgres, start_postgres

pytestmark = [pytest.mark.service, pytest.mark.slow]
AT_ONCE = 3


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data", RUMRUNNER_DEMO="false") as service:
        if request.param == "postgresql":
            start_postgres(service)
        yield service
    remove_postgres(service)


def at_once(service: Service, *words: str) -> list[tuple[int, str]]:
    """The exit code and the output of a command that several run at the same moment."""
    names = [f"{words[0]} {number}" for number in range(AT_ONCE)]
    started = [service.start(name, [sys.executable, "manage.py", *words]) for name in names]
    codes = [process.wait(timeout=PATIENCE_S) for process in started]
    return [(code, (service.logs / f"{name}.log").read_text()) for code, name in zip(codes, names, strict=True)]


def test_several_that_migrate_an_empty_database_at_once_all_end_well(empty: Service) -> None:
    for code, said in at_once(empty, "migrate", "--no-input"):
        assert code == 0, said
        assert "Traceback" not in said
    written = {(file.parents[1].name, file.stem) for file in (ROOT / "ladder").glob("*/migrations/0*.py")}
    recorded = [tuple(row) for row in empty.sql("select app, name from django_migrations")]
    assert written <= set(recorded)
    assert len(recorded) == len(set(recorded)), "one of them was recorded twice"


def test_several_first_starts_at_once_make_one_administrator(service: Service) -> None:
    service.env["RUMRUNNER_DEMO"] = "false"
    outcomes = at_once(service, "first_start")
    assert [code for code, _ in outcomes] == [0] * AT_ONCE, outcomes
    assert sum("password:" in said for _, said in outcomes) == 1
    assert service.one("select count(*) from accounts_user where role = 'administrator'") == 1
