"""Fill a database with 100,000 bots and ever more matches, and time pages, claims, the beat and /metrics at each size.

    python -m benchmarks.large_database [--bots 100000] [--matches 100000 1000000 10000000]   on a PostgreSQL of its own
    RUMRUNNER_DATA=/somewhere/empty python -m benchmarks.large_database --here …              in the database of that
    … --here --matches 10000000 --statements home [--explain]      what a page asks of it, each with its time and plan

A database that was filled before is grown from what it has, so it can be measured again after a change.
Results are made up; one real match with a record is played by random moves for the replay page. Nothing is cached
when a page is timed. Ten million matches need about 20 GB of disk.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from django.core.cache import caches
from django.test import Client

LONG_CAREER = 50_000  # matches of the first bot
# One bot has as many matches in a small database as in a large one, so that its page is the same work. Of these bots
# the first gets them in the first size, spread over all of it, the next in the next; nobody gets more afterwards.
CAREER, CAREERS = 200, range(2, 10)
LATELY = 1200  # matches that ended in the last twenty minutes, when the database is measured
ROUNDS = 4
# Made-up chance that is the same on every machine: a multiplicative hash of the row's number, from 0 to 999.
DICE = "((n.i * 2654435761) %% 1000003) %% 1000"
AGO = {
    "sqlite": "datetime('now', (n.i - {last}) || ' seconds')",
    "postgresql": "now() + (n.i - {last}) * interval '1 second'",
}
HEX = {"sqlite": "printf('%%064x', {i})", "postgresql": "lpad(to_hex({i}), 64, '0')"}
NAME = {"sqlite": "printf('bot-%%06d', n.i)", "postgresql": "'bot-' || lpad(n.i::text, 6, '0')"}
STAGES = (
    *("rules", "reap", "rate", "rebuild", "suspect", "check", "duels", "tournaments"),
    *("pair", "play", "count", "tidy"),
)


@dataclass
class FilledDatabase:
    """What the measurements walk through."""

    ladder: Any
    owner: Any
    versions: list[Any]
    matches: int = 0
    career: int = CAREERS.start - 1  # the bot that has CAREER matches
    shown: Any = None  # a match with a record
    told: dict[str, dict[int, tuple[float, int]]] = field(default_factory=dict)  # milliseconds and blocks at each size


def populate(bots: int) -> FilledDatabase:
    """A ladder, so many bots that stand on it, and two that really play."""
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.ladder.bulk import bare_tables, count_on, insert, series
    from ladder.ratings.models import Standing
    from ladder.submissions.models import Bot, BotVersion, Bundle
    from tests.ladder.cast import make_ladder, make_user
    from tests.web.world import enrolled

    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    owner, ladder = make_user("owner", role="administrator"), make_ladder("gatsby", 2)
    rows, digest, name = series(1, bots), HEX[connection.vendor].format(i="n.i"), NAME[connection.vendor]
    mu = f"10 + ({DICE}) / 33.0"
    with bare_tables(Bundle, Bot, BotVersion, Standing):
        insert(Bundle, rows, digest=digest, content="''", size_bytes="0")
        insert(Bot, rows, id="n.i", name=name, owner_id=str(owner.pk), game=f"'{ladder.game}'")
        program = {"runtime": "'python'", "entry": "'main.py'", "filename": "'main.py'", "status": "'qualified'"}
        insert(BotVersion, rows, id="n.i", bot_id="n.i", number="1", bundle_id=digest, **program)
        stands = {"ladder_id": str(ladder.pk), "version_id": "n.i", "bot_id": "n.i", "name": name, "is_listed": "TRUE"}
        known = {"mu": mu, "rating": mu, "board_key": mu, "sigma": "0.9", "sd": "0.9", "is_provisional": "FALSE"}
        counts = {"matches": "20", "wins": "10", "losses": "10", "rank_sum": "30"}
        insert(Standing, rows, **stands, **known, **counts)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE submissions_bot SET active_version_id = id")
    count_on(Bot, BotVersion)
    return FilledDatabase(ladder, owner, enrolled(["real one", "real two"], ladder, owner))


def filled_before() -> FilledDatabase | None:
    """What an earlier run left here; its made-up matches have no records."""
    from django.core.management import call_command

    from ladder.accounts.models import User
    from ladder.ladders.models import Ladder
    from ladder.matches.models import Match, Seat, StoredRecord
    from ladder.submissions.models import BotVersion

    call_command("migrate", verbosity=0)
    ladder, versions = Ladder.objects.first(), BotVersion.objects.filter(bot__name__startswith="real ").order_by("pk")
    if ladder is None:
        return None
    matches = Match.objects.count() - StoredRecord.objects.count()
    career = max(bot for bot in CAREERS if Seat.objects.filter(version=bot).exists())
    return FilledDatabase(ladder, User.objects.get(username="owner"), list(versions), matches, career)


def add_matches(world: FilledDatabase, bots: int, size: int) -> None:
    """Rated matches up to this many, the newest a second ago, and the numbers that rating would have given them."""
    from django.db import connection
    from django.db.models import Max

    from benchmarks.ladder.bulk import bare_tables, count_on, insert, series
    from ladder.matches.models import Match, MatchSet, Seat
    from ladder.ratings.models import Rating, RatingStep

    first = 1 + max(
        model.objects.aggregate(highest=Max("pk"))["highest"] or 0 for model in (MatchSet, Match, RatingStep)
    )
    last = first + size - world.matches - 1
    rows, ladder = series(first, last), {"ladder_id": str(world.ladder.pk)}
    seats = "(SELECT 0 AS seat UNION ALL SELECT 1) s"
    every = max(1, size // LONG_CAREER)
    world.career, step = world.career + 1, (last - first + 1) // CAREER
    in_career = f"s.seat = 1 AND (n.i - {first}) %% {step} = 0 AND n.i < {first + CAREER * step}"
    others = (bots - CAREERS.stop + 1) // 6 * 6  # 6n + 1 is no multiple of it, so the seats have different bots
    other = f"{CAREERS.stop} + (n.i * (7 + 6 * s.seat) + s.seat) %% {others}"
    version = (
        f"CASE WHEN s.seat = 0 AND n.i %% {every} = 0 THEN 1 WHEN {in_career} THEN {world.career} ELSE {other} END"
    )
    ended = {"status": "'finished'", "ending": "'finished'", "game_ending": "'five_families'", "plies": "90"}
    when = {"finished_at": AGO[connection.vendor].format(last=last), "wall_ms": "900", "worker": "'host/1'"}
    with bare_tables(MatchSet, Match, Seat, RatingStep, Rating):
        insert(MatchSet, rows, id="n.i", lane="'ladder'", seed="CAST(n.i AS text)", **ladder)
        digest = HEX[connection.vendor].format(i="n.i")
        numbers = {"id": "n.i", "set_id": "n.i", "rotation": "0", "rating_number": "n.i", "digest": digest}
        insert(Match, rows, lane="'ladder'", is_rated="TRUE", **numbers, **ladder, **ended, **when)
        result = {"rank": "1 + s.seat", "score": "1 - s.seat", "turn": "s.seat", "cpu_ms": "100", "peak_kib": "9000"}
        insert(Seat, f"{rows}, {seats}", match_id="n.i", seat="s.seat", version_id=version, **result)
        insert(RatingStep, rows, id="n.i", number="n.i", match_id="n.i", verdict="'rated'", **ladder)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM ratings_rating" if connection.vendor == "sqlite" else "TRUNCATE ratings_rating")
        nth = "ROW_NUMBER() OVER (PARTITION BY p.version_id ORDER BY p.match_id)"
        place = {"version_id": "p.version_id", "bot_id": "p.version_id", "seat": "p.seat", "rank": "p.rank", "nth": nth}
        skill = {"mu_before": "25", "sigma_before": "1", "mu": "25.1 - p.seat / 5.0", "sigma": "0.99"}
        made_up = f"matches_seat p WHERE p.match_id <= {last} AND p.version_id <= {bots}"
        insert(Rating, made_up, step_id="p.match_id", **place, **skill, **ladder)
    count_on(MatchSet, Match, RatingStep)
    type(world.ladder).objects.filter(pk=world.ladder.pk).update(last_number=last, rated_through=last)
    world.matches = size
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "VACUUM ANALYZE")


def end_lately() -> None:
    """Let the newest matches end in the last minutes, one a second, however long ago the database was filled."""
    from django.db import connection
    from django.db.models import Max

    from ladder.matches.models import Match, Tally

    last = Match.objects.aggregate(highest=Max("pk"))["highest"]
    when = AGO[connection.vendor].format(last=last).replace("n.i", "id")
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE matches_match SET finished_at = {when} WHERE id > {last - LATELY} AND status = 'finished'"  # noqa: S608
        )
    Tally.objects.all().delete()  # of matches that ended before


def paths(world: FilledDatabase) -> dict[str, str]:
    """Every kind of page, and what machines ask."""
    from ladder.ratings.leaderboard import ORDERS

    slug, match = world.ladder.slug, world.shown.pk
    return {
        "home": "/", "ladder": f"/ladders/{slug}/", "ladder, search": f"/ladders/{slug}/?q=bot-0999",
        "ladder, search for what is nowhere": f"/ladders/{slug}/?q=nowhere",
        "ladder, search for what is everywhere": f"/ladders/{slug}/?q=bot-0&order=name",
        **{f"ladder by {order}": f"/ladders/{slug}/?order={order}" for order in ORDERS},
        f"bot of {CAREER} matches": f"/bots/{world.career}/", f"bot of {LONG_CAREER:,} matches": "/bots/1/",
        "match": f"/matches/{match}/",
        "frames": f"/matches/{match}/frames/?start=0&stop=100", "matches": "/matches/",
        "matches of a ladder": f"/matches/?ladder={slug}&status=finished", "tournaments": "/tournaments/",
        "API leaderboard": f"/api/v1/ladders/{slug}/leaderboard/", "API matches": "/api/v1/matches/",
        "/healthz": "/healthz", "/metrics": "/metrics",
    }  # fmt: skip


def measure(world: FilledDatabase) -> None:
    """Everything at the size that the world has now; a busy machine only adds, so the fastest of a few counts."""
    from ladder import pipeline

    pipeline.stage_function("count")()  # as every beat has done while so many were played
    client = visitor(world)
    _claims(world)
    for name, path in paths(world).items():
        _note(world, name, lambda path=path: get_anew(client, path))  # type: ignore[misc]
    _note(world, "/metrics, counts at hand", lambda: client.get("/metrics"))
    for stage in STAGES:
        _note(world, f"beat: {stage}", lambda stage=stage: pipeline.stage_function(stage)())  # type: ignore[misc]


def visitor(world: FilledDatabase) -> Client:
    """Somebody who has logged in."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(world.owner)
    return client


def get_anew(client: Client, path: str) -> None:
    """A page of which nothing is remembered."""
    caches["pages"].clear()
    caches["default"].clear()
    answer = client.get(path)
    assert answer.status_code in (200, 503), (path, answer.status_code)


def show_statements(world: FilledDatabase, name: str, *, with_plans: bool) -> None:
    """What one page asks the database, the slowest first: the fastest of some times each, and the plan if wanted."""
    from django.db import connection

    from ladder import pipeline

    pipeline.stage_function("count")()
    _claims(world)
    client, path = visitor(world), paths(world)[name]
    rounds: list[dict[str, float]] = []
    asked: dict[str, Any] = {}

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        began = time.perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            rounds[-1][sql] = rounds[-1].get(sql, 0.0) + 1000 * (time.perf_counter() - began)
            asked[sql] = params

    with connection.execute_wrapper(watch):
        for _ in range(ROUNDS + 1):
            rounds.append({})
            get_anew(client, path)
    fastest = {sql: min(each[sql] for each in rounds if sql in each) for sql in asked}
    print(f"{name}: {sum(fastest.values()):.1f} ms in {len(fastest)} statements", flush=True)
    for sql, took in sorted(fastest.items(), key=lambda item: -item[1]):
        print(f"{took:8.2f} ms: {sql}", flush=True)
        if with_plans and connection.vendor == "postgresql" and sql.startswith(("SELECT", "WITH")):
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", asked[sql])
                print("\n".join(f"            {row[0]}" for row in cursor.fetchall()))


def _claims(world: FilledDatabase) -> None:
    """Matches from claim to result, one after another; the last is the one that is shown."""
    from ladder.matches import leases, results
    from ladder.matches.models import Lane, Match
    from ladder.matches.services import create_set
    from tests.web.world import random_record

    pair, rng = [version.pk for version in world.versions], Random(1)
    for _ in range(ROUNDS + 1):
        create_set(ladder=world.ladder, seatings=[pair], lane=Lane.LADDER, is_rated=True)
    claims: list[Any] = []
    _note(world, "claim", lambda: claims.append(leases.claim_match(worker="host/1")))
    reports = [(claim, random_record(claim.order, rng)) for claim in claims]
    _note(world, "result", lambda: _settle(results.record_result, *reports.pop()))
    world.shown = Match.objects.get(pk=claims[0].match_id)


def _settle(record_result: Callable[..., bool], claim: Any, record: Any) -> None:
    assert record_result(match_id=claim.match_id, lease=claim.lease, record=record)


def _note(world: FilledDatabase, name: str, act: Callable[[], object]) -> None:
    """Do it once to load what it needs, then some times more, and keep the fastest in milliseconds."""
    times, blocks = [], []
    for _ in range(ROUNDS + 1):
        before, began = _blocks(), time.perf_counter()
        act()
        times.append(1000 * (time.perf_counter() - began))
        blocks.append(_blocks() - before)
    itself = _blocks() - _blocks()
    world.told.setdefault(name, {})[world.matches] = fastest, fewest = min(times[1:]), min(blocks[1:]) + itself
    print(f"{name}: {fastest:.1f} ms, {fewest:,} blocks", flush=True)


def _blocks() -> int:
    """How many blocks of 8 KB PostgreSQL has looked at so far, in memory or on the disk; load does not blur that."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT blks_hit + blks_read FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def show(world: FilledDatabase, sizes: list[int]) -> None:
    """The table for docs/scale.md."""
    print(
        "| ms, blocks | " + " | ".join(f"{size:,} matches | " for size in sizes) + " |\n|---|" + "---|---|" * len(sizes)
    )
    for name, at in world.told.items():
        print(f"| {name} | " + " | ".join("{:.1f} | {:,}".format(*at[size]) for size in sizes) + " |")


def grow(bots: int, sizes: list[int], look: Callable[[FilledDatabase], None]) -> FilledDatabase:
    """Fill and look, size after size."""
    import django

    django.setup()
    from ladder import pipeline
    from ladder.disk import disk_used_bytes

    logging.disable(logging.ERROR)  # a health check without workers is one
    pipeline.send = lambda task, **options: None  # type: ignore[assignment]
    world = filled_before() or populate(bots)
    if sizes[0] < world.matches:
        raise SystemExit(f"There are {world.matches:,} matches here already.")
    for size in sizes:
        began = time.monotonic()
        if size > world.matches:
            add_matches(world, bots, size)
        end_lately()
        took, bytes_used = time.monotonic() - began, disk_used_bytes()
        print(f"{size:,} matches in {took:.0f} s; {bytes_used / size:.0f} bytes a match, no records", flush=True)
        look(world)
    return world


def on_own_postgres() -> int:
    """Start a server, run this there, and remove it."""
    from tests.service.harness import running
    from tests.service.postgres import remove_postgres, start_postgres

    with tempfile.TemporaryDirectory(prefix="rumrunner-large-") as folder:
        with running(Path(folder) / "data", RUMRUNNER_DEMO="false") as service:
            start_postgres(service)
            again = [sys.executable, "-m", "benchmarks.large_database", "--here", *sys.argv[1:]]
            code = subprocess.run(again, env=service.env).returncode
        remove_postgres(service)
    return code


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bots", type=int, default=100_000)
    parser.add_argument("--matches", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument(
        "--here", action="store_true", help="in the database of RUMRUNNER_DATA or RUMRUNNER_DATABASE_URL"
    )
    parser.add_argument("--statements", metavar="PAGE", help="what this page asks the database, and no more")
    parser.add_argument("--explain", action="store_true", help="with the plan of each statement")
    wanted = parser.parse_args()
    if not wanted.here:
        return on_own_postgres()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
    sizes = sorted(wanted.matches)
    if wanted.statements:
        grow(wanted.bots, sizes, lambda world: show_statements(world, wanted.statements, with_plans=wanted.explain))
    else:
        show(grow(wanted.bots, sizes, measure), sizes)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
