"""Several processes at one duel: what ends at the same moment counts once, and there is one end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from arena.desk.sequential import SequentialTest
from tests.service.harness import Service

pytestmark = [pytest.mark.service, pytest.mark.slow]
PROCESSES = 3
WIDE = 0.4  # a margin that few sets decide

DUEL = """
from tests.ladder.cast import make_ladder, make_user
from tests.ladder.duels.staging import started
started(make_ladder("gatsby", 2), make_user("owner"), margin={margin}, switch_when_better=True)
"""

# Everybody plays what can be claimed and takes the duel further after each match, until it is over.
RACE = """
import time
from ladder.accounts.models import User
from ladder.duels import services
from ladder.duels.advancing import advance_all
from ladder.duels.models import Duel
from ladder.matches import leases, results
from ladder.matches.models import Match
from ladder.refusals import Conflict
from tests.ladder.cast import make_record
from tests.ladder.duels.staging import ranks_for
duel, mine = Duel.objects.get(), 0
while Duel.objects.filter(status="playing").exists():
    claim = leases.claim_match(worker="host/{number}")
    if claim is None:
        time.sleep(0.005)
    else:
        ranks = tuple(ranks_for(Match.objects.get(pk=claim.match_id), duel.new_id, 1))
        results.record_result(match_id=claim.match_id, lease=claim.lease, record=make_record(claim.order, ranks=ranks))
        mine += 1
    advance_all()
    if mine >= {patience}:
        try:
            services.cancel(duel, by=User.objects.get(username="owner"))
            answer("cancelled")
        except Conflict:
            answer("too late")
        break
"""


def race(service: Service, *, margin: float, patience: int) -> list[Any]:
    """What each process answered in a duel that the new version wins; everyone cancels after so many matches."""
    service.ask(DUEL.format(margin=margin))
    codes = [RACE.format(number=number, patience=patience) for number in range(PROCESSES)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        return list(pool.map(service.ask, codes))


def counted(service: Service) -> list[float]:
    """The scores of the sets that count, in their order, which has no gap."""
    rows = service.sql("select number, score from duels_duelset where is_over order by number")
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
    return [float(score) for _, score in rows]


def test_processes_that_end_sets_at_once_count_each_once_and_come_to_one_verdict(service: Service) -> None:
    race(service, margin=WIDE, patience=10**6)
    scores, test = counted(service), SequentialTest(WIDE)
    ((status, sets, ratio, switched),) = service.sql("select status, sets, ratio, switched from duels_duel")
    assert (status, sets, bool(switched)) == ("better", len(scores), True)
    assert ratio == pytest.approx(test.ratio(scores))
    assert test.ratio(scores[:-1]) < test.bound <= ratio
    assert service.one("select count(*) from accounts_notification where kind = 'duel'") == 1
    assert service.one("select count(*) from matches_match where status = 'queued'") == 0


def test_a_duel_that_several_cancel_while_others_play_ends_once_and_counts_nothing_afterwards(service: Service) -> None:
    answers = race(service, margin=0.02, patience=2)
    assert answers.count("cancelled") == 1
    ((status, sets),) = service.sql("select status, sets from duels_duel")
    assert (status, sets) == ("cancelled", len(counted(service)))
    assert service.one("select count(*) from matches_match where status in ('queued', 'running')") == 0
    service.ask("from ladder.duels.advancing import advance_all; assert advance_all() == 0")
