"""Whoever has a worker's narrow role may say anything: what a match, a lease and a machine can't be is not taken."""

from __future__ import annotations

import json
from collections.abc import Iterator

import psycopg
import pytest

from tests.service.test_narrow import OTHER_WORKER, Fleet, about, narrow_fleet

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(900)]

WAITING = """
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.submissions.models import BotVersion
from tests.ladder.cast import enrol, make_ladder, queue
ladder = Ladder.objects.filter(slug="speak_easy-2").first() or make_ladder("speak_easy", 2)
Match.objects.filter(status="queued").update(is_held=True)
Match.objects.filter(status="running").update(status="queued", is_held=True, lease=None, lease_until=None)
queue(ladder, *(BotVersion.objects.order_by("pk")[:2] if BotVersion.objects.count() > 1 else enrol(ladder, 2)))
answer({name: game.rules_version for name, game in GAMES.items()})
"""
MORE = """
from ladder.ladders.models import Ladder
from ladder.submissions.models import BotVersion
from tests.ladder.cast import queue
queue(Ladder.objects.get(slug="speak_easy-2"), *BotVersion.objects.order_by("pk")[:2])
"""
REAP = "from ladder.matches.leases import reap; reap()"


class Liar:
    """Whoever has the role and knows the functions."""

    def __init__(self, fleet: Fleet) -> None:
        self.connection = psycopg.connect(fleet.database_url, autocommit=True)
        self.rules = json.dumps(fleet.service.ask(WAITING))

    def call(self, statement: str, *arguments: object) -> tuple[object, ...]:
        row = self.connection.execute(f"select * from rumrunner_worker.{statement}", arguments).fetchone()
        assert row is not None, f"{statement} answers with nothing"
        return row

    def claim(self, *, me: str = "liar/1", lease_s: float = 60) -> tuple[object, object]:
        return self.call("claim(%s, '{ladder}', NULL, %s, %s)", me, self.rules, lease_s)[:2]  # type: ignore[return-value]

    def settle(self, match: object, lease: object, **lies: object) -> bool:
        told = {"ending": "finished", "game_ending": "", "plies": 1, "wall_ms": 1, "digest": "d", "reason": ""}
        told |= {"is_rateable": True, "seats": [seat(0), seat(1)], **lies}
        return bool(self.call("settle(%s, %s, %s, 'x')", match, lease, json.dumps(told))[0])


def seat(number: int, **lies: object) -> dict[str, object]:
    return {"seat": number, "rank": number + 1, "fault": "", "fault_stage": "", "fault_reason": "", "log": "", **lies}


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with narrow_fleet(tmp_path_factory.mktemp("lies")) as made:
        yield made


@pytest.fixture
def liar(fleet: Fleet) -> Iterator[Liar]:
    liar = Liar(fleet)
    yield liar
    liar.connection.close()


def test_no_pause_it_names_stops_the_claims_of_others(liar: Liar) -> None:
    for _ in range(4):
        match, lease = liar.claim()
        (pause,) = liar.call("host_fault(%s, %s, 'x', 0, '{-1,-1}', '{-1,-1}')", match, lease)
        if pause:
            break
    assert pause == 1
    liar.connection.execute("select pg_sleep(1.1)")
    assert liar.claim(me="another/1")[0] == match


def test_no_lease_it_names_lasts_longer_than_an_hour(fleet: Fleet, liar: Liar) -> None:
    match, lease = liar.claim(lease_s=1e9)
    assert liar.call("renew(%s, %s, 'Infinity')", match, lease) == (True,)
    left = f"select lease_until < now() + interval '61 minutes' from matches_match where id = {match}"
    assert fleet.service.one(left)


LIES = {
    "no seats": {"seats": []},
    "a seat too many": {"seats": [seat(0), seat(1), seat(2)]},
    "a seat twice": {"seats": [seat(0), seat(0)]},
    "no ranks": {"seats": [seat(0, rank=None), seat(1, rank=None)]},
    "a rank of zero": {"seats": [seat(0, rank=0), seat(1)]},
    "a rank beyond the seats": {"seats": [seat(0, rank=3), seat(1)]},
    "ranks of what does not count": {"is_rateable": False},
    "an endless score": {"seats": [seat(0, score="Infinity"), seat(1)]},
    "a score that is none": {"seats": [seat(0, score="NaN"), seat(1)]},
    "a fault of another kind": {"seats": [seat(0, fault="bribe"), seat(1)]},
    "no number of moves": {"plies": None},
}


def test_what_can_t_be_the_report_of_a_match_settles_nothing(fleet: Fleet, liar: Liar) -> None:
    match, lease = liar.claim()
    for name, lies in LIES.items():
        with pytest.raises(psycopg.errors.InvalidParameterValue):
            pytest.fail(f"{name}: {liar.settle(match, lease, **lies)}")
    assert fleet.service.one(f"select status from matches_match where id = {match}") == "running"


def test_what_it_tells_without_end_is_cut_off(fleet: Fleet, liar: Liar) -> None:
    match, lease = liar.claim()
    long = [seat(0, log="l" * 1_000_000), seat(1)]
    assert liar.settle(match, lease, rules_version=99, reason="r" * 1_000_000, seats=long)
    of_match = f"from matches_match m join matches_seatlog l on l.match_id = m.id where m.id = {match}"
    kept = f"select length(m.reason), length(l.text), m.rules_version < 99 {of_match}"
    assert fleet.service.sql(kept) == [(10_000, 131_072, True)]


def test_a_report_that_comes_after_its_lease_settles_nothing(liar: Liar) -> None:
    match, lease = liar.claim(lease_s=0.2)
    liar.connection.execute("select pg_sleep(0.3)")
    assert not liar.settle(match, lease)
    assert liar.call("renew(%s, %s, 60)", match, lease) == (False,)


def test_a_transaction_it_leaves_open_keeps_nobody_from_reaping(fleet: Fleet, liar: Liar) -> None:
    match, lease = liar.claim(lease_s=2)
    with liar.connection.transaction():
        assert liar.call("renew(%s, %s, 1)", match, lease) == (True,)
        liar.connection.execute("select pg_sleep(2)")
        fleet.service.ask(REAP)
    fleet.service.ask(REAP)
    assert fleet.service.one(f"select status from matches_match where id = {match}") == "queued"


def test_it_has_no_more_matches_in_hand_than_it_said_it_plays(fleet: Fleet, liar: Liar) -> None:
    for _ in range(3):
        fleet.service.ask(MORE)
    claim = "select count(*) from rumrunner_worker.claim(%s, '{ladder}', NULL, %s, 60)"
    in_hand = [liar.connection.execute(claim, (f"host-{n}/1", liar.rules)).fetchone() for n in range(3)]
    assert in_hand == [(1,), (0,), (0,)], "who has shown no worker has one match"
    assert liar.call("show('matches@hands', %s, '{}')", about(host="hands", plays=True, processes=3)) == (True,)
    in_hand = [liar.connection.execute(claim, (f"hands/{n}", liar.rules)).fetchone() for n in range(3)]
    fleet.service.sql("delete from matches_worker where name = 'matches@hands' returning name")
    assert in_hand == [(1,), (1,), (0,)], "and who plays three at once has three"


def test_it_can_t_sign_with_the_name_of_another_s_machine(fleet: Fleet, liar: Liar) -> None:
    fleet.service.ask(OTHER_WORKER)
    match, _ = liar.claim(me="other/1")
    assert fleet.service.one(f"select worker from matches_match where id = {match}") == "player/1"
    assert liar.call("show('matches@liar', %s, '{}')", about(host="other")) == (True,)
    assert fleet.service.one("select host from matches_worker where name = 'matches@liar'") == "player"


def test_it_shows_neither_more_workers_than_a_machine_has_nor_longer_ones(fleet: Fleet, liar: Liar) -> None:
    assert liar.call("show('long', %s, '{}')", about(abilities={"x": "y" * 70_000})) == (False,)
    shown = [liar.call("show(%s, %s, '{}')", f"liar-{number}", about(processes=30_000))[0] for number in range(201)]
    assert shown.count(False) >= 1
    gone = fleet.service.sql("delete from matches_worker where name like 'liar-%' returning processes")
    assert set(gone) == {(1024,)}
