"""How long a page and a claim take while a large ladder is being fitted: `python -m benchmarks.ratings.beside_fit`.

Fills the database of RUMRUNNER_DATA or DATABASE_URL, which should be one of its own, with 1,000 bots and 100,000
matches, unless it did so before. Then one process asks for pages that nobody asked for before and claims matches, alone
at first, and then beside a process that fits the ladder again and again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from unittest.mock import patch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy comes

import django
import numpy as np

django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from benchmarks.ladder.bots import bench_ladder  # noqa: E402
from benchmarks.ratings.from_database import fill  # noqa: E402
from ladder.broker import server_command  # noqa: E402
from ladder.ladders.models import Ladder  # noqa: E402
from ladder.matches.leases import claim_match  # noqa: E402
from ladder.matches.models import Lane, Match  # noqa: E402
from ladder.matches.services import create_set, rotations  # noqa: E402
from ladder.ratings.fits import fit_ladder  # noqa: E402

BOTS, MATCHES = 1_000, 100_000
SETS = 20  # that wait
SECONDS = 40.0
PAUSE_S = 0.02


def ask(ladder: Ladder) -> dict[str, list[float]]:
    """How many ms each page and each claim took, as long as it is asked."""
    client, taken, until = Client(SERVER_NAME="localhost"), dict[str, list[float]](), time.monotonic() + SECONDS
    acts: dict[str, Callable[[], bool]] = {
        "leaderboard": lambda: client.get(f"/ladders/{ladder.slug}/").status_code == 200,
        "API: leaderboard": lambda: client.get(f"/api/v1/ladders/{ladder.slug}/leaderboard/").status_code == 200,
        "claim": lambda: claim_match(worker="bench/1") is not None,  # and put back between two questions
    }
    for act in acts.values():  # the first of each fills what is kept for good
        act()
    while time.monotonic() < until:
        for name, act in acts.items():
            for cache in caches.all():
                cache.clear()
            began = time.perf_counter()
            assert act(), name
            taken.setdefault(name, []).append(1000 * (time.perf_counter() - began))
            put_back()
            time.sleep(PAUSE_S)
    return taken


def put_back() -> None:
    """What was claimed waits again: a worker holds few leases, not hundreds."""
    claimed = Match.objects.filter(status=Match.Status.RUNNING)
    claimed.update(status=Match.Status.QUEUED, lease=None, lease_until=None, worker="", started_at=None, attempts=0)


def queue(ladder: Ladder, sets: int) -> None:
    """Matches to be claimed; nobody is told of them."""
    versions = list(ladder.standings.order_by("version").values_list("version_id", flat=True)[: 2 * sets])
    for pair in zip(versions[::2], versions[1::2], strict=True):
        create_set(ladder=ladder, seatings=rotations(pair), lane=Lane.LADDER, is_rated=True)


def fit_on(slug: str) -> None:
    """Fit a ladder until somebody stops it, and say each time how long that took."""
    ladder = Ladder.objects.get(slug=slug)
    while True:
        began = time.process_time()
        fit_ladder(ladder)
        print(f"{time.process_time() - began:.2f}", flush=True)


def told(taken: Sequence[float]) -> str:
    median, late = np.quantile(taken, (0.5, 0.95))
    return f"{median:.1f}, {late:.1f}, {max(taken):.0f} ({len(taken)})"


def main() -> None:
    if len(sys.argv) == 2:
        fit_on(sys.argv[1])
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    broker = subprocess.Popen(server_command(settings.DATA), stdout=subprocess.DEVNULL)
    try:
        measure()
    finally:
        broker.terminate()
        broker.wait()


def measure() -> None:
    """The same questions alone and beside a fit."""
    ladder = bench_ladder()
    if not ladder.rated_through:
        fill(ladder, BOTS, MATCHES)
    if not ladder.fits.exists():
        fit_ladder(ladder)
    put_back()
    if not Match.objects.filter(status=Match.Status.QUEUED).exists():
        with patch("ladder.pipeline.send"):
            queue(ladder, sets=SETS)
    alone = ask(ladder)
    command = [sys.executable, "-m", "benchmarks.ratings.beside_fit", ladder.slug]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as fitting:
        assert fitting.stdout is not None
        fitting.stdout.readline()  # it is under way
        beside = ask(ladder)
        fitting.terminate()
        fits = fitting.stdout.read().split()
    print(f"{len(fits)} fits of {', '.join(fits)} s of cpu\n")
    print("| p50, p95, longest, ms | alone | beside a fit |\n|---|---|---|")
    for name, taken in alone.items():
        print(f"| {name} | {told(taken)} | {told(beside[name])} |")


if __name__ == "__main__":
    main()
