"""What the database itself does, on both kinds: bringing an earlier release's rows up to date, ordering, ranking."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.service.harness import ROOT, Service

pytestmark = [pytest.mark.service, pytest.mark.slow]

OLDER = ROOT / "tests" / "upgrade" / "folded.backup"
FIT = """
from ladder.ratings.fits import fit_ladder
from ladder.ladders.models import Ladder
from ladder.ratings.models import Standing
assert fit_ladder(Ladder.objects.get(slug="speak_easy-2"))
assert {standing.rating for standing in Standing.objects.all()} != {25.0}
"""


def test_the_backup_of_an_earlier_release_is_brought_up_to_date(service: Service) -> None:
    service.manage("restore", str(OLDER))
    assert service.one("select count(*) from matches_storedrecord") == 602
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
        values = [getattr(row, ORDERS[order].column) for row in rows]
        best_first = sorted(rows, key=lambda row: (-row.rating, row.standing_id))
        assert order.endswith("name") or values == sorted(values, reverse=order.startswith("-")), (order, values)
        assert [row.rank for row in best_first] == list(range(1, 12)), (order, search)
"""


def test_leaderboards_are_paged_and_ranked_in_every_order(service: Service) -> None:
    service.ask(WALK)


@pytest.mark.parametrize("service", ["postgresql"], indirect=True)
def test_what_is_held_of_claims_and_results_holds_for_the_functions_of_postgresql(service: Service) -> None:
    """On SQLite the same tests run with all the others; there the same is done in steps."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    tests = "tests/ladder/matches/test_leases.py"
    env = service.env | {"RUMRUNNER_TEST_TEMPLATE": "postgres"}
    done = subprocess.run([*command, tests], cwd=ROOT, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:]
