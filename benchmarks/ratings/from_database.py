"""What the fit of a ladder costs from its database to its lines: cpu and peak memory.

`python -m benchmarks.ratings.from_database` fills a database of its own for each size (SQLite, in a folder that goes
away) and has the service's own function fit it, cold and then warm. About four minutes.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain, count, islice

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy comes

import django
import numpy as np

django.setup()

from django.core.management import call_command  # noqa: E402

from benchmarks.ladder.bots import bench_ladder  # noqa: E402
from benchmarks.ladder.bulk import insert, series  # noqa: E402
from benchmarks.ladder.leaderboard import grow  # noqa: E402
from ladder.ladders.models import Ladder  # noqa: E402
from ladder.matches.models import Match, MatchSet, Seat  # noqa: E402
from ladder.ratings.fits import fit_ladder  # noqa: E402
from ladder.ratings.models import Standing  # noqa: E402

SIZES = ((1_000, 100_000, "2 s"), (100_000, 1_000_000, "60 s, 2 GiB"))  # bots, matches, goal
PIECE = 10_000
NEAR = 50  # half of the sets are between bots that are so near in the order of their skills


def fill(ladder: Ladder, bots: int, matches: int) -> None:
    """Bots, and sets of two matches between them that were never played; half of them between neighbours."""
    rng, sets = np.random.default_rng(1), matches // 2
    grow(ladder, bots)
    versions = np.array(Standing.objects.order_by("version").values_list("version_id", flat=True))
    skill, one = np.sort(rng.normal(25, 6, bots)), rng.integers(0, bots, sets)
    other = (one + np.where(rng.random(sets) < 0.5, rng.integers(1, NEAR, sets), rng.integers(1, bots, sets))) % bots
    is_won = skill[one] - skill[other] + rng.normal(0, 25 / 6 * np.sqrt(2), (2, sets)) > 0
    rows, here = series(1, sets), {"ladder_id": str(ladder.pk), "lane": "'ladder'"}
    insert(MatchSet, rows, id="n.i", seed="'1'", **here)
    number = "2 * n.i + r.turn - 1"
    ended = {"status": "'finished'", "plies": "1", "digest": "'x'", "finished_at": "CURRENT_TIMESTAMP"}
    numbers = {"id": number, "rating_number": number, "set_id": "n.i", "rotation": "r.turn"}
    rules = {"is_rated": "TRUE", "rules_version": str(ladder.rules_version)}
    insert(Match, f"{rows}, (SELECT 0 AS turn UNION ALL SELECT 1) r", **numbers, **ended, **rules, **here)
    tables = zip(versions[one].tolist(), versions[other].tolist(), *is_won.tolist(), strict=True)
    seats = chain.from_iterable(map(_seats, count(1, 2), tables))
    while piece := list(islice(seats, PIECE)):  # all at once would be the peak of memory
        Seat.objects.bulk_create(piece)
    Ladder.objects.filter(pk=ladder.pk).update(last_number=matches, rated_through=matches)
    ladder.refresh_from_db()


def _seats(match: int, table: tuple[int, int, bool, bool]) -> Iterator[Seat]:
    """Those of the two matches of a set, in which the seats are exchanged."""
    one, other, *won = table
    for turn, is_won in enumerate(won):
        for version, rank in ((one, 2 - is_won), (other, 1 + is_won)):
            seat = turn if version == one else 1 - turn
            yield Seat(match_id=match + turn, seat=seat, version_id=version, rank=rank, turn=seat)


def _cpu(act: Callable[[], object]) -> float:
    began = time.process_time()
    assert act()
    return time.process_time() - began


def measure(bots: int, matches: int) -> None:
    """Fill a database and fit its ladder twice."""
    call_command("migrate", verbosity=0)
    ladder = bench_ladder()
    fill(ladder, bots, matches)
    cold, warm = (_cpu(lambda: fit_ladder(ladder)) for _ in range(2))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"| {bots:,} | {matches:,} | {cold:.1f} s | {warm:.1f} s | {peak:,.0f} MiB |")


def main() -> None:
    """One line a size; each in a process of its own, for the memory's sake."""
    if len(sys.argv) == 3:
        measure(int(float(sys.argv[1])), int(float(sys.argv[2])))
        return
    print("| bots | matches | cpu | again, warm | peak memory | goal |\n|---|---|---|---|---|---|")
    for bots, matches, goal in SIZES:
        command = [sys.executable, "-m", "benchmarks.ratings.from_database", str(bots), str(matches)]
        with tempfile.TemporaryDirectory() as data:
            told = subprocess.run(command, env={**os.environ, "RUMRUNNER_DATA": data}, check=True, capture_output=True)
        print(f"{told.stdout.decode().splitlines()[-1]} {goal} |", flush=True)


if __name__ == "__main__":
    main()
