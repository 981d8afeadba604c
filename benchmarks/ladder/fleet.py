"""Claims, heartbeats and results of many workers on PostgreSQL, beside the same statements through bare psycopg.

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
from dataclasses import dataclass
from pathlib import Path

from tests.service.harness import Service, free_port, running
from tests.service.postgres import database_cpu_s, remove_postgres, server_user, start_postgres

SECONDS = float(os.environ.get("RUMRUNNER_BENCH_S", "4"))
SIZES = (1, 10, 50, 200)
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
MOST_CONNECTIONS = "select count(*) from pg_stat_activity where usename = 'rumrunner'"


@dataclass(frozen=True, slots=True)
class FleetFigures:
    """What so many workers did."""

    a_second: float
    p99_ms: float
    connections: int
    database_ms: float  # of processor time for a match


def measure(service: Service, way: str, workers: int, url: str = "") -> FleetFigures:
    """Matches a second, from claim to result, of so many workers at once, at the database of this address."""
    service.ask(QUEUE.format(count=MATCHES))
    shares = [len(range(start, workers, PROCESSES)) for start in range(min(PROCESSES, workers))]
    env = service.env | ({"RUMRUNNER_DATABASE_URL": url} if url else {})
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": env}
    command = [sys.executable, "-m", "benchmarks.ladder.player", way]
    players = [subprocess.Popen([*command, str(share), str(SECONDS)], **pipes) for share in shares]  # type: ignore[call-overload]
    for player in players:
        assert player.stdout.readline().strip() == "ready"
    before = database_cpu_s(service)
    for player in players:
        player.stdin.write("\n")
        player.stdin.flush()
    time.sleep(SECONDS / 2)
    connections = int(service.one(MOST_CONNECTIONS)) - 1  # but for the one that asks
    told = [json.loads(player.communicate(timeout=SECONDS * 30 + 120)[0]) for player in players]
    claims = sorted(took for each in told for took in each)
    assert claims, "nobody claimed anything"
    spent_ms = 1000 * (database_cpu_s(service) - before) / len(claims)
    return FleetFigures(len(claims) / SECONDS, 1000 * claims[int(0.99 * (len(claims) - 1))], connections, spent_ms)


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
        f"{ours.database_ms:.2f} ms of the database's processor a match (bare {bare.database_ms:.2f} ms)",
        flush=True,
    )


def main() -> None:
    """Measure each size in both ways and print the ratios."""
    with running(
        Path(os.environ["RUMRUNNER_DATA"]) / "fleet", RUMRUNNER_DEMO="false", RUMRUNNER_NARROW="true"
    ) as service:
        start_postgres(service, connections=250)
        service.manage("migrate", "--verbosity", "0", "--no-input")
        for workers in SIZES:
            show(workers, measure(service, "service", workers), measure(service, "bare", workers))
        if pooled := start_pooler(service):
            print(f"Through pgbouncer with {POOL} connections:")
            for workers in SIZES:
                show(workers, measure(service, "service", workers, pooled), measure(service, "bare", workers, pooled))
    remove_postgres(service)


if __name__ == "__main__":
    main()
