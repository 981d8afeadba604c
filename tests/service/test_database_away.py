"""The real web server while its real database is away: 503 in the right shape, no traceback, and back by itself."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.harness import PATIENCE_S, Service, running
from tests.service.postgres import remove_postgres, restart_postgres, start_postgres_with_tables, stop_postgres

pytestmark = [pytest.mark.service, pytest.mark.slow]


@pytest.fixture
def on_postgres(tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data") as service:
        start_postgres_with_tables(service)
        yield service
    remove_postgres(service)


def page(service: Service, path: str) -> tuple[int, str, str | None]:
    """Status, text and Retry-After of a page."""
    try:
        with urllib.request.urlopen(service.url + path, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode(), None
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers["Retry-After"]


def expect_outage(service: Service) -> None:
    status, html, retry = page(service, "/matches/")
    assert (status, bool(retry)) == (503, True)
    assert "database" in html
    status, told = service.call("GET", "/api/v1/ladders/")
    assert (status, told["error"]["code"]) == (503, "unavailable")
    assert "Traceback" not in service.logs.joinpath("web.log").read_text()


def test_a_postgresql_that_stops_is_503_until_it_is_back(on_postgres: Service) -> None:
    on_postgres.start_web()
    assert page(on_postgres, "/matches/")[0] == 200
    stop_postgres(on_postgres)
    expect_outage(on_postgres)
    restart_postgres(on_postgres)
    on_postgres.wait_for("the page", lambda: page(on_postgres, "/matches/")[0] == 200)


def test_an_sqlite_file_that_cannot_be_opened_is_503(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service:
        (service.data / "rumrunner.sqlite3").mkdir()
        service.start_web()
        expect_outage(service)


def test_an_sqlite_file_that_is_none_is_503(tmp_path: Path) -> None:
    with running(tmp_path / "data") as service:
        (service.data / "rumrunner.sqlite3").write_text("not a database " * 1000)
        service.start_web()
        expect_outage(service)
