"""Rating and recomputing a long ladder."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from benchmarks.ladder.bots import bench_ladder, make_bots  # noqa: E402
from benchmarks.ladder.bulk import insert, series  # noqa: E402
from ladder.ladders.models import Ladder  # noqa: E402
from ladder.matches.models import Match, MatchSet, Seat  # noqa: E402
from ladder.ratings.book import Book, BookEntry, SeatFinish  # noqa: E402
from ladder.ratings.recompute import check, rebuild  # noqa: E402
from ladder.ratings.services import manner_of, rate_all  # noqa: E402
from ladder.ratings.skill import Skill  # noqa: E402

MATCHES = int(os.environ.get("RUMRUNNER_BENCH_MATCHES", "100000"))
BOTS = 200
FIRST = f"(n.i * 7919 + n.i / {BOTS}) %% {BOTS}"  # which two of the bots play match n.i
SECOND = f"({FIRST} + 1 + n.i * 104729 %% {BOTS - 1}) %% {BOTS}"


def play(ladder: Ladder, versions: list[int], count: int) -> None:
    """Finished matches by the million, never played; the lower id is the stronger, most of the time."""
    rows, here = series(1, count), {"ladder_id": str(ladder.pk), "lane": "'ladder'"}
    one, other, is_usual = f"({FIRST})", f"({SECOND})", "n.i * 31 %% 10 < 7"
    winner = f"CASE WHEN ({one} < {other}) = ({is_usual}) THEN 0 ELSE 1 END"
    insert(MatchSet, rows, id="n.i", seed="'1'", **here)
    ended = {"status": "'finished'", "plies": "1", "digest": "'x'", "finished_at": "CURRENT_TIMESTAMP"}
    numbers = {"id": "n.i", "set_id": "n.i", "rotation": "0", "rules_version": str(ladder.rules_version)}
    insert(Match, rows, is_rated="TRUE", **numbers, **ended, **here)
    version = f"{versions[0]} + CASE s.seat WHEN 0 THEN {one} ELSE {other} END"
    rank = f"CASE WHEN s.seat = {winner} THEN 1 ELSE 2 END"
    insert(Seat, f"{rows}, (SELECT 0 AS seat UNION ALL SELECT 1) s", match_id="n.i", seat="s.seat",
           version_id=version, rank=rank)  # fmt: skip


def maths_alone(ladder: Ladder, count: int) -> float:
    """The floor: the same number of ratings with no database."""
    rng, versions = random.Random(1), range(BOTS)
    book = Book(manner_of(ladder), {version: BookEntry(Skill()) for version in versions})
    began = time.perf_counter()
    for _ in range(count):
        one, other = rng.sample(versions, 2)
        book.enter([SeatFinish(0, one, 1), SeatFinish(1, other, 2)])
    return time.perf_counter() - began


@contextmanager
def locks_held() -> Iterator[list[float]]:
    """For how many seconds each transaction of this process keeps all other writers of an SQLite waiting."""
    held: list[float] = []
    taken, database = 0.0, cast(Any, connection)
    commit = database.commit

    def watch(execute: Any, sql: str, *details: Any) -> Any:
        nonlocal taken
        answer = execute(sql, *details)
        if sql.startswith("BEGIN"):
            taken = time.perf_counter()
        return answer

    def committed() -> None:
        commit()
        held.append(time.perf_counter() - taken)

    database.commit = committed
    try:
        with connection.execute_wrapper(watch):
            yield held
    finally:
        database.commit = commit


def rebuilt_beside_a_writer(ladder: Ladder) -> str:
    """The table computed anew while somebody writes all the time, and what that cost him."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writer = subprocess.Popen([sys.executable, "-m", "benchmarks.ladder.writer"], **pipes)  # type: ignore[call-overload]
    assert writer.stdout.readline().strip() == "ready"
    began = time.perf_counter()
    with locks_held() as held:
        assert rebuild(ladder) == MATCHES
    took = time.perf_counter() - began
    told = json.loads(writer.communicate("\n", timeout=60)[0])
    return (
        f"rebuilt in {took:.0f} s; a writer beside it wrote {told['writes']} times, waited {told['longest_s']:.2f} s "
        f"at the longest (aim under 1 s) and failed {told['failed']} times; the rebuild held the lock "
        f"{len(held)} times, {max(held):.3f} s at the longest, {sum(held) / took:.2f} of its time"
    )


def main() -> None:
    """Time rating, checking, rebuilding, and the floor."""
    call_command("migrate", verbosity=0)
    ladder = bench_ladder()
    play(ladder, make_bots(BOTS, ladder), MATCHES)
    began, cpu_began = time.perf_counter(), time.process_time()
    assert rate_all() == MATCHES
    rated, cpu = time.perf_counter() - began, time.process_time() - cpu_began
    ladder.refresh_from_db()
    began = time.perf_counter()
    assert check(ladder).problems == []
    checked = time.perf_counter() - began
    floor = maths_alone(ladder, MATCHES // 10) * 10
    print(
        f"{MATCHES} matches: rated in {rated:.0f} s ({cpu:.0f} s cpu, {cpu / MATCHES * 1e6:.0f} µs a match, aim 360); "
        f"recomputed and compared in {checked:.0f} s; the rating maths "
        f"alone takes {floor:.0f} s ({floor / checked:.2f} of recomputing)"
    )
    print(rebuilt_beside_a_writer(ladder))


if __name__ == "__main__":
    main()
