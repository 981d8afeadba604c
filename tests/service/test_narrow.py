"""A worker with narrow rights plays a match, and can do nothing else in database and broker."""

from __future__ import annotations

import json
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
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
from tests.service.postgres import programs, remove_postgres, start_postgres_with_tables
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


@contextmanager
def narrow_fleet(folder: Path) -> Iterator[Fleet]:
    """A service on PostgreSQL with a role ``player`` that may play and nothing else."""
    with running(folder / "service", RUMRUNNER_DEMO="false") as service:
        start_postgres_with_tables(service)
        service.start_broker(tcp=True)
        service.prepare()
        forbid = [str(programs() / "psql"), service.env["RUMRUNNER_DATABASE_URL"], "--file", ROOT / "deploy/narrow.sql"]
        subprocess.run(forbid, check=True, capture_output=True, timeout=60)
        told = service.manage("worker_role", "player")
        lines = dict(line.split("=", 1) for line in told.splitlines() if line.startswith("RUMRUNNER_"))
        with running(folder / "worker", **lines) as worker:
            yield Fleet(service, worker, lines["RUMRUNNER_DATABASE_URL"], lines["RUMRUNNER_BROKER_URL"])
        remove_postgres(service)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with narrow_fleet(tmp_path_factory.mktemp("narrow")) as made:
        yield made


def play_a_set(fleet: Fleet) -> None:
    """Two matches from their schedule to their ratings, by the narrow worker alone."""
    known = fleet.service.one("select count(*) from matches_storedrecord")
    if not fleet.service.one("select count(*) from ladders_ladder where slug = 'gatsby-2'"):
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
    fleet.service.ask(f"from ladder.matches.models import Match; Match.objects.filter(pk={match}).delete()")


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
    ("EVAL", "return 1", 0),
    ("EVALSHA", "0" * 40, 0),
    ("SCRIPT", "LOAD", "return 1"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(map(str, command[:2])))
def test_the_broker_refuses_it_everything_else(fleet: Fleet, command: tuple[object, ...]) -> None:
    with pytest.raises(redis.exceptions.NoPermissionError):
        redis.Redis.from_url(cache_url(fleet.broker_url)).execute_command(*command)
