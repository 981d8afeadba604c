"""A worker with narrow rights plays a match, and can do nothing else in database and broker."""

from __future__ import annotations

import json
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import boto3
import psycopg
import pytest
import redis
from moto.server import ThreadedMotoServer

from ladder.broker import cache_url
from tests.service.bots import RANDOM, marked
from tests.service.harness import ROOT, Service, running
from tests.service.postgres import programs, remove_postgres, start_postgres
from tests.service.test_kills import REGISTER, SCHEDULE

pytestmark = [pytest.mark.service, pytest.mark.slow, pytest.mark.timeout(900)]

BEAT = "from ladder import pipeline; pipeline.run_stage('play'); pipeline.run_stage('rate')"
SHOWN = "select count(*) from matches_worker where role = 'player'"
SETTLED = "select count(*) from matches_match where status = 'finished' and rating_number is not null"


@dataclass
class Fleet:
    """A service, and a machine that has nothing but a narrow role."""

    service: Service
    worker: Service
    database_url: str
    broker_url: str


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    folder: Path = tmp_path_factory.mktemp("narrow")
    with running(folder / "service", RUMRUNNER_DEMO="false") as service:
        start_postgres(service)
        service.start_broker(tcp=True)
        service.prepare()
        forbid = [str(programs() / "psql"), service.env["RUMRUNNER_DATABASE_URL"], "--file", ROOT / "deploy/narrow.sql"]
        subprocess.run(forbid, check=True, capture_output=True, timeout=60)
        told = service.manage("worker_role", "player")
        lines = dict(line.split("=", 1) for line in told.splitlines() if line.startswith("RUMRUNNER_"))
        with running(folder / "worker", **lines) as worker:
            yield Fleet(service, worker, lines["RUMRUNNER_DATABASE_URL"], lines["RUMRUNNER_BROKER_URL"])
        remove_postgres(service)


def play_a_set(fleet: Fleet) -> None:
    """Two matches from their schedule to their ratings, by the narrow worker alone."""
    known = fleet.service.one("select count(*) from matches_storedrecord")
    if not fleet.service.one("select count(*) from submissions_botversion"):
        sources = json.dumps([marked(RANDOM).decode() for _ in range(2)])
        fleet.service.ask(f"import io; sys.stdin = io.StringIO({sources!r})\n{REGISTER}")
    fleet.service.ask(SCHEDULE.format(sets=1))
    fleet.worker.start_worker("matches")
    fleet.service.wait_for("the worker", lambda: fleet.service.one(SHOWN))
    fleet.service.ask(BEAT)
    records = "select count(*) from matches_storedrecord"
    fleet.service.wait_for("both results", lambda: fleet.service.one(records) == known + 2)
    fleet.service.ask(BEAT)
    assert fleet.service.one(SETTLED) == known + 2
    assert "NoPermission" not in fleet.worker.log_ends(size=100_000)
    fleet.worker.stop_part("matches")  # what follows is tried by hand


def test_it_plays_a_match_from_claim_to_result_without_a_secret_key(fleet: Fleet) -> None:
    play_a_set(fleet)
    assert not list(fleet.worker.data.rglob("secret_key"))


@pytest.fixture
def store() -> Iterator[str]:
    """The address of an S3-compatible store with an empty bucket."""
    running_store = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running_store.start()
    host, port = running_store.get_host_and_port()
    login = {"aws_access_key_id": "ann", "aws_secret_access_key": "s3cret", "region_name": "us-east-1"}
    boto3.client("s3", endpoint_url=f"http://{host}:{port}", **login).create_bucket(Bucket="cellar")
    yield f"s3+http://ann:s3cret@{host}:{port}/cellar?region=us-east-1"
    running_store.stop()


def test_it_plays_from_a_store_outside_of_which_it_knows_nothing(fleet: Fleet, store: str) -> None:
    play_a_set(fleet)
    fleet.service.env["RUMRUNNER_STORE_URL"] = store
    try:
        fleet.service.manage("move_files", "--to", "store")
        assert fleet.service.one("select sum(length(content)) from submissions_bundle") == 0
        shutil.rmtree(fleet.worker.data / "bundles")  # so that it has to fetch them
        play_a_set(fleet)
        assert len(list((fleet.worker.data / "bundles").iterdir())) == 2
        assert "RUMRUNNER_STORE_URL" not in fleet.worker.env
    finally:
        fleet.service.env["RUMRUNNER_STORE_WRITES"] = "false"
        fleet.service.manage("move_files", "--to", "database")
        for name in ("RUMRUNNER_STORE_URL", "RUMRUNNER_STORE_WRITES"):
            fleet.service.env.pop(name)


FORBIDDEN = (
    "select * from django_session",
    "select * from accounts_user",
    "select * from knox_authtoken",
    "select * from matches_seatlog",
    "select * from matches_match",
    "select * from submissions_bundle",
    "insert into django_session values ('x', 'forged', now())",
    "update matches_match set status = 'void'",
    "delete from matches_storedrecord",
    "create table public.mine (a int)",
    "create function rumrunner_worker.mine() returns int language sql as 'select 1'",
    "create or replace function rumrunner_worker.facts(text) returns bool language sql as 'select true'",
    "set role rumrunner",
    "create role other",
    "copy (select 1) to program 'id'",
    "create temp table matches_match (id bigint)",
    "create function pg_temp.clock_timestamp() returns timestamptz language sql as 'select now()'",
    "select pg_try_advisory_lock(1)",
    "select pg_advisory_xact_lock_shared(1, 2)",
    "select lo_from_bytea(0, 'x')",
    "select nextval('matches_match_id_seq')",
    "begin; lock table matches_match",
    "alter role player connection limit 1000",
    "select pg_read_file('/etc/passwd')",
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'rumrunner'",
)


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_database_refuses_it_everything_else(fleet: Fleet, statement: str) -> None:
    refused = pytest.raises(psycopg.errors.InsufficientPrivilege)
    with psycopg.connect(fleet.database_url, autocommit=True) as connection, refused:
        connection.execute(statement)


RUNNING = """
from tests.ladder.cast import enrol, make_ladder, queue
from ladder.matches import leases
ladder = make_ladder("speak_easy", 2)
match = queue(ladder, *enrol(ladder, 2))
claim = leases.claim_match(worker="another/1")
answer([claim.match_id, claim.order.seats[0]])
"""


def test_it_can_neither_settle_nor_keep_nor_read_a_match_of_another(fleet: Fleet) -> None:
    match, digest = fleet.service.ask(RUNNING)
    forged = uuid.uuid4()
    with psycopg.connect(fleet.database_url, autocommit=True) as connection:

        def call(statement: str, *arguments: object) -> list[tuple[object, ...]]:
            return connection.execute(f"select * from rumrunner_worker.{statement}", arguments).fetchall()

        assert call("settle(%s, %s, '{}', '')", match, forged) == [(False,)]
        assert call("renew(%s, %s, 60)", match, forged) == [(False,)]
        assert call("hand_back(%s, %s, 'mine')", match, forged) == [(False,)]
        assert call("host_fault(%s, %s, 'mine', 1, '{1,2}', '{1,2}')", match, forged) == [(None,)]
        assert call("bundle(%s, %s, %s)", match, forged, digest) == []
        assert call("bundle_link(%s, %s, %s)", match, forged, digest) == [(None,)]
    assert fleet.service.one(f"select worker from matches_match where id = {match}") == "another/1"


WAITING = """
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.submissions.models import BotVersion
from tests.ladder.cast import enrol, make_ladder, queue
ladder = Ladder.objects.filter(slug="speak_easy-2").first() or make_ladder("speak_easy", 2)
Match.objects.filter(status="queued").update(is_held=True)
queue(ladder, *(BotVersion.objects.order_by("pk")[:2] if BotVersion.objects.count() > 1 else enrol(ladder, 2)))
answer({name: game.rules_version for name, game in GAMES.items()})
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
    assert fleet.service.one("select max(processes) from matches_worker where role = 'player'") == 1024


def about(**lies: object) -> str:
    told = {"host": "liar", "pid": 1, "plays": False, "processes": 9, "version": "", "engines_digest": ""}
    return json.dumps(told | {"abilities": {}, **lies})


OTHER_WORKER = """
from ladder.matches.models import Worker
about = {"host": "other", "pid": 1, "plays": True, "version": "1", "engines_digest": "", "sandbox_ok": True}
Worker.objects.get_or_create(name="matches@other", defaults=about)
"""


def test_it_can_t_speak_for_another_worker(fleet: Fleet) -> None:
    fleet.service.ask(OTHER_WORKER)
    with psycopg.connect(fleet.database_url, autocommit=True) as connection:
        health = json.dumps({"message": "broken", "sandbox_ok": False})
        for call in (("show('matches@other', %s, %s)", about(), health), ("trouble('matches@other', %s)", health)):
            row = connection.execute(f"select rumrunner_worker.{call[0]}", call[1:]).fetchone()
            assert row == (False,)
    assert fleet.service.one("select message from matches_worker where name = 'matches@other'") == ""


COMMANDS = (
    ("LPUSH", "rumrunner:service", "{}"),
    ("LPUSH", "rumrunner:matches", "{}"),
    ("RPUSH", "rumrunner:matches", "{}"),
    ("BRPOP", "rumrunner:service", 1),
    ("HSET", "rumrunner:unacked", "tag", "{}"),
    ("ZADD", "rumrunner:unacked_index", 1, "tag"),
    ("GET", "rumrunner:cache:1:anything"),
    ("SET", "rumrunner:cache:1:anything", "x"),
    ("PUBLISH", "rumrunner:/0.celery.pidbox", "{}"),
    ("KEYS", "*"),
    ("FLUSHALL",),
    ("CONFIG", "GET", "*"),
    ("ACL", "LIST"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(map(str, command[:2])))
def test_the_broker_refuses_it_everything_else(fleet: Fleet, command: tuple[object, ...]) -> None:
    with pytest.raises(redis.exceptions.NoPermissionError):
        redis.Redis.from_url(cache_url(fleet.broker_url)).execute_command(*command)
