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
from collections.abc import Callable, Sequence

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy comes

import django
import numpy as np
from numpy.typing import NDArray

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils.timezone import now  # noqa: E402

from benchmarks.ladder.bots import bench_ladder  # noqa: E402
from ladder.ladders.models import Ladder  # noqa: E402
from ladder.matches.models import Lane, Match, MatchSet, Seat  # noqa: E402
from ladder.ratings.fit.evidence import Ints  # noqa: E402
from ladder.ratings.fits import fit_ladder  # noqa: E402
from ladder.ratings.models import Standing  # noqa: E402
from ladder.submissions.models import Bot, BotVersion, Bundle  # noqa: E402

SIZES = ((1_000, 100_000, "2 s"), (100_000, 1_000_000, "60 s, 2 GiB"))  # bots, matches, goal
PIECE = 10_000
NEAR = 50  # half of the sets are between bots that are so near in the order of their skills


def fill(ladder: Ladder, bots: int, matches: int) -> None:
    """Bots, and sets of two matches between them that were never played; half of them between neighbours."""
    rng = np.random.default_rng(1)
    for start in range(0, bots, PIECE):
        _add_bots(ladder, range(start, min(bots, start + PIECE)))
    versions = np.array(Standing.objects.order_by("version").values_list("version_id", flat=True))
    skill, sets = np.sort(rng.normal(25, 6, bots)), matches // 2
    one = rng.integers(0, bots, sets)
    other = (one + np.where(rng.random(sets) < 0.5, rng.integers(1, NEAR, sets), rng.integers(1, bots, sets))) % bots
    is_won = skill[one] - skill[other] + rng.normal(0, 25 / 6 * np.sqrt(2), (2, sets)) > 0
    for start in range(0, sets, PIECE):
        piece = slice(start, start + PIECE)
        _add_sets(ladder, np.stack([versions[one[piece]], versions[other[piece]]]), is_won[:, piece], 2 * start)
    Ladder.objects.filter(pk=ladder.pk).update(last_number=matches, rated_through=matches)
    ladder.refresh_from_db()


@transaction.atomic
def _add_bots(ladder: Ladder, numbers: range) -> None:
    bundles = Bundle.objects.bulk_create(Bundle(digest=f"{n:064x}", content=b"", size_bytes=0) for n in numbers)
    bots = Bot.objects.bulk_create(Bot(game=ladder.game, name=f"bench {number}") for number in numbers)
    told = {"number": 1, "runtime": "python", "entry": "main.py", "filename": "main.py", "status": "qualified"}
    versions = BotVersion.objects.bulk_create(
        BotVersion(bot=bot, bundle=bundle, **told) for bot, bundle in zip(bots, bundles, strict=True)
    )
    Standing.objects.bulk_create(
        Standing(ladder=ladder, version=version, bot_id=version.bot_id, name=version.bot.name, is_listed=True)
        for version in versions
    )


@transaction.atomic
def _add_sets(ladder: Ladder, pair: Ints, is_won: NDArray[np.bool_], before: int) -> None:
    sets = MatchSet.objects.bulk_create(
        MatchSet(ladder=ladder, lane=Lane.LADDER, seed="1") for _ in range(pair.shape[1])
    )
    told = {"ladder": ladder, "lane": Lane.LADDER, "is_rated": True, "status": Match.Status.FINISHED, "plies": 1}
    made = Match.objects.bulk_create(
        Match(
            set=each, rotation=rotation, rating_number=before + 2 * at + rotation + 1, digest="x", finished_at=now(),
            rules_version=ladder.rules_version, **told,
        )
        for at, each in enumerate(sets)
        for rotation in range(2)
    )  # fmt: skip
    pair_of, won = pair.T.tolist(), is_won.tolist()
    template = Seat(match=made[0], seat=9, version_id=pair_of[0][0], rank=1, turn=0)
    template.save()
    rows = [
        (made[2 * at + rotation].pk, seat, pair_of[at][side], 1 + int(won[rotation][at] == bool(side)), seat)
        for at in range(len(pair_of))
        for rotation in range(2)
        for seat, side in enumerate((rotation, 1 - rotation))
    ]
    _copy_seat(template, rows)
    template.delete()


def _copy_seat(template: Seat, rows: Sequence[tuple[int, ...]]) -> None:
    """Rows past the ORM, which would take most of the time."""
    varied = ("match_id", "seat", "version_id", "rank", "turn")
    same = [str(f.column) for f in Seat._meta.concrete_fields if f.column not in {*varied, "id"}]
    columns, marks = ", ".join([*varied, *same]), ", ".join(["%s"] * len(varied) + same)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO matches_seat ({columns}) SELECT {marks} FROM matches_seat WHERE id = {template.pk}",  # noqa: S608
            rows,
        )


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
