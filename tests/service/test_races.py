"""Several processes at the same rows of a real database, with nothing between them but the database."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.service.harness import Service, running
from tests.service.postgres import remove_postgres, start_postgres

pytestmark = [pytest.mark.service, pytest.mark.slow]
MATCHES, PROCESSES = 60, 4

QUEUE = f"""
from tests.ladder.cast import enrol, make_ladder, queue
ladder = make_ladder("gatsby", 2)
versions = enrol(ladder, 4)
for number in range({MATCHES}):
    queue(ladder, versions[number % 4], versions[(number + 1) % 4])
"""

# Every process claims what it can get, finishes it at once, and rates whatever is ready, all at the same time.
RACE = """
from ladder.matches import leases, results
from ladder.ratings.services import rate_all
from tests.ladder.cast import make_record
mine = []
while claim := leases.claim_match(worker="host/{number}"):
    record = make_record(claim.order, ranks=(1, 2) if claim.match_id % 3 else (2, 1))
    assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    assert not results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    mine.append(claim.match_id)
    if len(mine) % 4 == 0:
        rate_all()
answer(mine)
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data") as service:
        if request.param == "postgresql":
            start_postgres(service)
        service.manage("migrate", "--verbosity", "0", "--no-input")
        yield service
    remove_postgres(service)


def test_processes_that_race_claim_every_match_once_and_rate_it_once(service: Service) -> None:
    service.ask(QUEUE)
    with ThreadPoolExecutor(PROCESSES) as pool:
        claimed = list(pool.map(lambda number: service.ask(RACE.format(number=number)), range(PROCESSES)))
    everything = sorted(match for mine in claimed for match in mine)
    assert everything == sorted(row[0] for row in service.sql("select id from matches_match"))
    service.ask("from ladder.ratings.services import rate_all; rate_all()")
    numbers = [row[0] for row in service.sql("select number from ratings_ratingstep order by number")]
    assert numbers == list(range(1, MATCHES + 1))
    assert "no differences" in service.manage("recompute_ratings", "--check")


# While the table is compared, another match ends and is rated: the comparison must not see half of that.
CHECK_AMID_RATING = """
from threading import Thread
from django.db import connection
from ladder.matches import leases, results
from ladder.ratings import recompute
from ladder.ratings.models import Ladder
from ladder.ratings.services import rate_all
from tests.ladder.cast import make_record

def play_one():
    claim = leases.claim_match(worker="host/1")
    record = make_record(claim.order, ranks=(1, 2))
    assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    rate_all()
    connection.close()

def in_a_thread():
    thread = Thread(target=play_one)
    thread.start()
    thread.join()

def compare_after_another_match(*given):
    in_a_thread()
    compare(*given)

ladder = Ladder.objects.get()
in_a_thread()
compare, recompute._compare_standings = recompute._compare_standings, compare_after_another_match
answer([recompute.check(ladder).problems, recompute.check(ladder).matches, Ladder.objects.get().rated_through])
"""


def test_ratings_are_compared_as_they_stood_at_one_moment(service: Service) -> None:
    service.ask(QUEUE)
    problems, matches, rated = service.ask(CHECK_AMID_RATING)
    assert problems == []
    assert (matches, rated) == (2, 3)
