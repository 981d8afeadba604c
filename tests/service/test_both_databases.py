"""What the database itself does, on both kinds: bringing an earlier release's rows up to date, ordering, ranking."""

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
ladder = make_ladder("speak_easy", 2)
one, other, third = enrol(ladder, 3)
newer = make_version(bot=one.bot)
for first, second in ((one, other), (newer, third), (other, third), (one, third), (newer, other)):
    play(ladder, first, second, ranks=(1, 2))
rate_all()
"""
FIT = """
from ladder.ratings.fits import fit_ladder
from ladder.ratings.models import Ladder, Standing
assert fit_ladder(Ladder.objects.get(slug="speak_easy-2"))
assert {standing.rating for standing in Standing.objects.all()} != {25.0}
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data") as service:
        if request.param == "postgresql":
            start_postgres(service)
        service.manage("migrate", "--verbosity", "0", "--no-input")
        yield service
    remove_postgres(service)


def test_what_an_earlier_release_left_is_brought_up_to_date(service: Service) -> None:
    service.ask(SEASON)
    counts = "select bot_id, version_id, nth from ratings_rating order by bot_id, nth"
    names = "select id, name from ratings_standing order by id"
    before = service.sql(counts), service.sql(names)
    service.manage("migrate", "ratings", "0003", "--verbosity", "0", "--no-input")
    service.manage("migrate", "--verbosity", "0", "--no-input")
    assert (service.sql(counts), service.sql(names)) == before
    assert len({row[1] for row in before[1]}) == 3
    assert "no differences" in service.manage("recompute_ratings", "--check")
    service.ask(FIT)


WALK = """
from ladder.ratings.leaderboard import ORDERS, leaderboard
from ladder.ratings.models import Standing
from tests.ladder.cast import enrol, make_ladder, shown_at
ladder = make_ladder("gatsby", 2)
for number, version in enumerate(enrol(ladder, 11)):
    Standing.objects.filter(version=version).update(**shown_at(number // 2), mu=-number % 5, matches=number % 4)
for order in ORDERS:
    for search in ("", "bot"):
        page = leaderboard(ladder, order=order, search=search, limit=4)
        rows = list(page.rows)
        while page.next and len(rows) < 99:
            page = leaderboard(ladder, order=order, search=search, limit=4, cursor=page.next)
            rows += page.rows
        values = [ORDERS[order].value(row) for row in rows]
        best_first = sorted(rows, key=lambda row: (-row.rating, row.standing_id))
        assert order.endswith("name") or values == sorted(values, reverse=order.startswith("-")), (order, values)
        assert [row.rank for row in best_first] == list(range(1, 12)), (order, search)
"""


def test_leaderboards_are_paged_and_ranked_in_every_order(service: Service) -> None:
    service.ask(WALK)
