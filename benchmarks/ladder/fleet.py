"""Claims, heartbeats and results of many workers on PostgreSQL, beside the same statements through bare psycopg.

Then those of workers with narrow rights, each process with a role of its own and all with one, beside the owner's.
Where pgbouncer is installed, all sizes are measured once more with it between workers and PostgreSQL.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.service.harness import Service, running
from tests.service.ports import free_port
from tests.service.postgres import database_cpu_s, remove_postgres, server_user, start_postgres

SECONDS = float(os.environ.get("RUMRUNNER_BENCH_S", "4"))
SIZES = (1, 10, 50, 200)
MOST_OF_A_ROLE = 100  # connections
PROCESSES = 4
MATCHES = 8000  # queued for each measurement; what is left over is called off
QUEUE = """
from django.db import connection
from benchmarks.ladder.bots import bench_ladder, make_bots
from benchmarks.ladder.bulk import count_on, insert, series
from ladder.matches.models import Match, MatchSet, Seat
from ladder.submissions.models import BotVersion
ladder = bench_ladder()
pair = (list(BotVersion.objects.values_list("pk", flat=True)) or make_bots(2, ladder))[:2]
Match.objects.filter(status="queued").update(status="cancelled")
have = max(MatchSet.objects.count(), Match.objects.count())
rows, of_ladder = series(have + 1, have + {count}), dict(ladder_id=str(ladder.pk), lane="'ladder'")
insert(MatchSet, rows, id="n.i", seed="CAST(n.i AS text)", **of_ladder)
insert(Match, rows, id="n.i", set_id="n.i", rotation="0", is_rated="TRUE", **of_ladder)
seats = "(SELECT 0 AS seat, %d AS bot UNION ALL SELECT 1, %d) s" % tuple(pair)
insert(Seat, rows + ", " + seats, match_id="n.i", seat="s.seat", version_id="s.bot")
count_on(MatchSet, Match)
with connection.cursor() as cursor:
    cursor.execute("VACUUM ANALYZE")
"""
POOL = 12  # connections that a pooler has to the database, whatever the number of workers
POOLER = """
[databases]
postgres = host=127.0.0.1 port={port} user=rumrunner
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
auth_type = any
pool_mode = transaction
default_pool_size = {pool}
max_client_conn = 1000
ignore_startup_parameters = extra_float_digits,options
unix_socket_dir =
"""
OPEN = """
select count(*) from pg_stat_activity
where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
"""
BLOCKS = "select sum(blks_hit + blks_read) from pg_stat_database"  # told by a connection when it ends
LOOKS = 8  # at the connections, in one measurement


@dataclass(frozen=True, slots=True)
class FleetFigures:
    """What so many workers did."""

    a_second: float
    p99_ms: float
    connections: int
    database_ms: float  # of processor time for a match
    blocks: float  # of 8 KB looked at for a match, however busy the machine is


def start_players(service: Service, way: str, workers: int, urls: Sequence[str]) -> list[subprocess.Popen[str]]:
    """So many workers in a few processes, in turn at the databases of these addresses; all wait for a word."""
    shares = [len(range(start, workers, PROCESSES)) for start in range(min(PROCESSES, workers))]
    command = [sys.executable, "-m", "benchmarks.ladder.player", way]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    players = []
    for number, share in enumerate(shares):
        env = service.env | ({"RUMRUNNER_DATABASE_URL": urls[number % len(urls)]} if urls else {})
        players.append(subprocess.Popen([*command, str(share), str(SECONDS)], env=env, **pipes))  # type: ignore[call-overload]
    return players


def most_connections(service: Service) -> int:
    """The most that were open at the database until shortly before the end of a measurement."""
    with psycopg.connect(service.env["RUMRUNNER_DATABASE_URL"], autocommit=True) as watcher:
        counted: list[int] = []
        for _ in range(LOOKS):
            time.sleep(SECONDS / (LOOKS + 1))
            counted += watcher.execute(OPEN).fetchone() or ()
    return int(max(counted))


def measure(service: Service, way: str, workers: int, urls: Sequence[str] = ()) -> FleetFigures:
    """Matches a second, from claim to result, of so many workers at once, at the databases of these addresses."""
    service.ask(QUEUE.format(count=MATCHES))
    players = start_players(service, way, workers, urls)
    for player in players:
        assert player.stdout
        assert player.stdout.readline().strip() == "ready"
    before, blocks = database_cpu_s(service), int(service.one(BLOCKS))
    for player in players:
        assert player.stdin
        player.stdin.write("\n")
        player.stdin.flush()
    connections = most_connections(service)
    told = [json.loads(player.communicate(timeout=SECONDS * 30 + 120)[0]) for player in players]
    claims = sorted(took for each in told for took in each)
    assert claims, "nobody claimed anything"
    spent_ms = 1000 * (database_cpu_s(service) - before) / len(claims)
    looked_at = (int(service.one(BLOCKS)) - blocks) / len(claims)
    p99_ms = 1000 * claims[int(0.99 * (len(claims) - 1))]
    return FleetFigures(len(claims) / SECONDS, p99_ms, connections, spent_ms, looked_at)


def start_pooler(service: Service) -> str:
    """Put pgbouncer before PostgreSQL; returns its address, empty where it is not installed."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        return ""
    url, own = service.env["RUMRUNNER_DATABASE_URL"], free_port()
    port = url.rpartition(":")[2].partition("/")[0]
    configuration = Path(service.data.joinpath("postgres.folder").read_text()) / "pgbouncer.ini"
    configuration.write_text(POOLER.format(port=port, own=own, pool=POOL))
    service.start("pooler", [program, "-q", str(configuration)], **server_user())
    pooled = url.replace(f":{port}/", f":{own}/")
    service.wait_for("the pooler", lambda: _answers(own))
    return pooled


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def show(workers: int, ours: FleetFigures, bare: FleetFigures) -> None:
    """A line of the result."""
    print(
        f"{workers} workers: {ours.a_second:.0f} matches/s claimed, kept and reported, "
        f"{ours.a_second / bare.a_second:.2f} of bare psycopg's {bare.a_second:.0f}/s (aim 0.5); "
        f"p99 of a claim {ours.p99_ms:.0f} ms (bare {bare.p99_ms:.0f} ms); {ours.connections} connections; "
        f"{ours.database_ms:.2f} ms of the database's processor a match (bare {bare.database_ms:.2f} ms), "
        f"{ours.blocks:.0f} blocks (bare {bare.blocks:.0f})",
        flush=True,
    )


def make_roles(service: Service) -> list[str]:
    """The addresses with which as many machines log in that have narrow rights."""
    told = "".join(service.manage("worker_role", f"cellar{number}") for number in range(PROCESSES))
    mark = "RUMRUNNER_DATABASE_URL="
    return [line.removeprefix(mark) for line in told.splitlines() if line.startswith(mark)]


def show_narrow(service: Service) -> None:
    """Lines for workers with narrow rights, each beside workers with the owner's that were measured just before."""
    roles = make_roles(service)
    for workers, urls in ((size, urls) for size in SIZES[1:] for urls in (roles, roles[:1])):
        if workers > MOST_OF_A_ROLE * len(urls):
            continue
        owner, narrow = measure(service, "service", workers), measure(service, "narrow", workers, urls)
        print(
            f"{workers} workers with {len(urls)} narrow role{'s' * (len(urls) > 1)}: {narrow.a_second:.0f} matches/s, "
            f"{narrow.a_second / owner.a_second:.2f} of the owner's {owner.a_second:.0f}/s; p99 of a claim "
            f"{narrow.p99_ms:.0f} ms (owner's {owner.p99_ms:.0f} ms); {narrow.connections} connections; "
            f"{narrow.database_ms:.2f} ms of the database's processor a match (owner's {owner.database_ms:.2f} ms), "
            f"{narrow.blocks:.0f} blocks (owner's {owner.blocks:.0f})",
            flush=True,
        )


def main() -> None:
    """Measure each size in all ways and print the ratios."""
    with running(
        Path(os.environ["RUMRUNNER_DATA"]) / "fleet", RUMRUNNER_DEMO="false", RUMRUNNER_NARROW="true"
    ) as service:
        start_postgres(service, connections=250)
        service.manage("migrate", "--verbosity", "0", "--no-input")
        for workers in SIZES:
            show(workers, measure(service, "service", workers), measure(service, "bare", workers))
        show_narrow(service)
        if pooled := start_pooler(service):
            print(f"Through pgbouncer with {POOL} connections:")
            for workers in SIZES:
                ours, bare = (measure(service, way, workers, [pooled]) for way in ("service", "bare"))
                show(workers, ours, bare)
    remove_postgres(service)


if __name__ == "__main__":
    main()
