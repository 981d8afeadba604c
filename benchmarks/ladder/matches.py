"""Matches a second through the whole service, as a ratio to the arena alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import django
import psutil  # type: ignore[import-untyped]

django.setup()

from django.conf import settings  # noqa: E402

from benchmarks.ladder.bots import bench_ladder, make_bots  # noqa: E402
from ladder.ladders.models import Ladder  # noqa: E402
from ladder.matches.models import Lane, Match  # noqa: E402
from ladder.matches.queries import UNSETTLED, able_workers  # noqa: E402
from ladder.matches.services import create_set, rotations  # noqa: E402
from ladder.qualifying.models import Trial  # noqa: E402
from ladder.submissions.models import BotVersion  # noqa: E402

SECONDS = float(os.environ.get("RUMRUNNER_BENCH_S", "12"))
ROUNDS = 2
SETS = 400


def wait(what: str, happened: Callable[[], bool], patience_s: float = 180) -> None:
    """Wait for something; raises SystemExit with its name when it does not happen."""
    deadline = time.monotonic() + patience_s
    while not happened():
        if time.monotonic() > deadline:
            raise SystemExit(f"{what} did not happen in {patience_s:.0f} s; see {settings.DATA}/logs")
        time.sleep(0.2)


def start_service() -> subprocess.Popen[bytes]:
    """The service as anybody runs it, with matchmaking quiet."""
    env = {**os.environ, "PORT": os.environ.get("RUMRUNNER_BENCH_PORT", "8799")}
    root = Path(settings.BASE_DIR)
    up = subprocess.Popen([sys.executable, "manage.py", "up"], cwd=root, env=env, stdout=subprocess.DEVNULL)
    wait("the start of the service", lambda: _has_tables() and able_workers().exists())
    Ladder.objects.update(is_open=False)
    BotVersion.objects.update(status=BotVersion.Status.WITHDRAWN)  # the checks of the house bots would take minutes
    Trial.objects.update(status=Trial.Status.SKIPPED)
    Match.objects.filter(status=Match.Status.QUEUED).update(status=Match.Status.CANCELLED)
    wait("the end of what was queued", lambda: not Match.objects.filter(status__in=UNSETTLED).exists())
    return up


def _has_tables() -> bool:
    from django.db import DatabaseError

    try:
        return bool(Ladder.objects.count())
    except DatabaseError:
        return False


@dataclass(frozen=True, slots=True)
class Speed:
    """Matches a second, and the processor time of one."""

    a_second: float
    cpu_ms: float


def arena_alone(digests: list[str]) -> Speed:
    """As many processes as the service has."""
    command = [sys.executable, "-m", "benchmarks.ladder.arena_alone", str(SECONDS), *digests]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    players = [subprocess.Popen(command, **pipes) for _ in range(settings.WORKERS)]  # type: ignore[call-overload]
    for player in players:
        assert player.stdout.readline().strip() == "warm"
    for player in players:
        player.stdin.write("\n")
        player.stdin.flush()
    told = [player.communicate(timeout=SECONDS * 10)[0].split() for player in players]
    played, cpu = (sum(float(line[at]) for line in told) for at in range(2))
    return Speed(played / SECONDS, cpu / played)


def cpu_of(service: psutil.Process) -> float:
    """The processor time in ms of the service and of all that it started, warm parents and ended bots included."""
    times = [process.cpu_times() for process in (service, *service.children(recursive=True))]
    return 1e3 * sum(float(one.user + one.system + one.children_user + one.children_system) for one in times)


def through_service(ladder: Ladder, versions: list[int], service: psutil.Process) -> Speed:
    """From queue to rating, after a warm-up."""
    for _ in range(SETS):
        create_set(ladder=ladder, seatings=rotations(versions), lane=Lane.TOURNAMENT, is_rated=True)
    rated = ladder.rated_through
    wait("the first rating", lambda: _rated(ladder) > rated + 4)
    began, before, used = time.monotonic(), _rated(ladder), cpu_of(service)
    time.sleep(SECONDS)
    count, took, used = _rated(ladder) - before, time.monotonic() - began, cpu_of(service) - used
    Match.objects.filter(status=Match.Status.QUEUED).update(is_held=True)
    wait("the last match", lambda: not Match.objects.filter(status=Match.Status.RUNNING).exists())
    return Speed(count / took, used / max(count, 1))


def _rated(ladder: Ladder) -> int:
    ladder.refresh_from_db()
    return ladder.rated_through


def main() -> None:
    """Measure both in turn and print the ratio."""
    up = start_service()
    try:
        ladder = bench_ladder()
        versions = make_bots(2, ladder)
        digests = list(BotVersion.objects.filter(pk__in=versions).values_list("bundle_id", flat=True))
        rounds = [
            (arena_alone(digests), through_service(ladder, versions, psutil.Process(up.pid))) for _ in range(ROUNDS)
        ]
    finally:
        up.terminate()
        up.wait(timeout=120)
    alone, through = (mean(pair[at].a_second for pair in rounds) for at in range(2))
    floor_ms, cost_ms = (mean(pair[at].cpu_ms for pair in rounds) for at in range(2))
    print(
        f"matches: service {through:.1f}/s, arena alone {alone:.1f}/s, ratio {through / alone:.2f} (aim 0.80); "
        f"cpu of a match {cost_ms:.1f} ms, {floor_ms:.1f} alone, ratio {floor_ms / cost_ms:.2f}"
    )


if __name__ == "__main__":
    main()
