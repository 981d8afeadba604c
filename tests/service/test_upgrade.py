"""A database that an earlier release filled is brought up to date by `migrate`, ratings and all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.harness import Service, running
from tests.service.postgres import remove_postgres, start_postgres

pytestmark = [pytest.mark.service, pytest.mark.slow]

SEASON = """
from ladder.ratings.services import rate_all
from tests.ladder.cast import enrol, make_ladder, make_version, play
ladder = make_ladder("gatsby", 2)
one, other, third = enrol(ladder, 3)
newer = make_version(bot=one.bot)
for first, second in ((one, other), (newer, third), (other, third), (one, third), (newer, other)):
    play(ladder, first, second, ranks=(1, 2))
rate_all()
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data") as service:
        if request.param == "postgresql":
            start_postgres(service)
        service.manage("migrate", "--verbosity", "0", "--no-input")
        yield service
    remove_postgres(service)


def test_counts_and_names_are_filled_in(service: Service) -> None:
    service.ask(SEASON)
    counts = "select bot_id, version_id, nth from ratings_rating order by bot_id, nth"
    names = "select id, name from ratings_standing order by id"
    before = service.sql(counts), service.sql(names)
    service.manage("migrate", "ratings", "0003", "--verbosity", "0", "--no-input")
    service.manage("migrate", "--verbosity", "0", "--no-input")
    assert (service.sql(counts), service.sql(names)) == before
    assert len({row[1] for row in before[1]}) == 3
    assert "no differences" in service.manage("recompute_ratings", "--check")
