"""How many connections to PostgreSQL the service has at most, counted there while everybody is at work."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.service.bots import SLOW_RANDOM, marked
from tests.service.harness import PATIENCE_S, Service, running
from tests.service.postgres import remove_postgres, restart_postgres, start_postgres_with_tables, stop_postgres
from tests.service.test_kills import REGISTER, SCHEDULE

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(600)]
VISITORS = 16
WEB_THREADS = 4  # as the service of these tests has them
PLAYERS = RATERS = 2
MOST = WEB_THREADS + (PLAYERS + 1) + (RATERS + 1)  # the parent of some processes has one for a moment, to show itself
# All but those of the tests themselves, which may still be closing when the next is counted.
OPEN = """
select count(*) from pg_stat_activity
where datname = current_database() and backend_type = 'client backend' and application_name <> 'a test'
"""
SETTLED = "select count(*) from matches_match where status = 'finished'"


@pytest.fixture
def on_postgres(tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data", RUMRUNNER_DEMO="false", RUMRUNNER_LEASE_S="4") as service:
        start_postgres_with_tables(service)
        yield service
    remove_postgres(service)


def visit(address: str) -> int:
    with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
        answer.read()
        return int(answer.status)


def answers(service: Service) -> bool:
    try:
        return visit(f"{service.url}/matches/") == 200
    except urllib.error.HTTPError:
        return False


def most_connections(service: Service) -> int:
    """The most that were open while many visitors at once asked for pages that nobody had asked for."""
    with ThreadPoolExecutor(VISITORS) as visitors:
        asked = [visitors.submit(visit, f"{service.url}/matches/?ladder={number}") for number in range(4 * VISITORS)]
        counted = [service.one(OPEN)]
        while not all(each.done() for each in asked):
            counted.append(service.one(OPEN))
    assert {each.result() for each in asked} == {200}
    return max([*counted, service.one(OPEN)])


def test_a_web_server_has_a_connection_a_thread_at_most_also_after_the_database_was_away(on_postgres: Service) -> None:
    on_postgres.start_web()
    assert 2 <= most_connections(on_postgres) <= WEB_THREADS
    stop_postgres(on_postgres)
    restart_postgres(on_postgres)
    on_postgres.wait_for("the page", lambda: answers(on_postgres))
    assert 2 <= most_connections(on_postgres) <= WEB_THREADS


def test_a_service_at_work_has_a_connection_for_each_thread_that_answers_and_each_process_that_plays_or_rates(
    on_postgres: Service,
) -> None:
    sources = json.dumps([marked(SLOW_RANDOM.replace("0.002", "0.05")).decode() for _ in range(3)])
    on_postgres.start_broker()
    on_postgres.prepare()
    on_postgres.ask(f"import io; sys.stdin = io.StringIO({sources!r})\n{REGISTER}")
    on_postgres.ask(SCHEDULE.format(sets=6))
    on_postgres.start_worker("matches", processes=PLAYERS)
    on_postgres.start_worker("service", processes=RATERS)
    on_postgres.start_beat()
    on_postgres.start_web()
    counted = [most_connections(on_postgres)]
    while on_postgres.one(SETTLED) < 4:  # several seconds each, with as many heartbeats
        counted.append(most_connections(on_postgres))
    assert WEB_THREADS < max(counted) <= MOST
