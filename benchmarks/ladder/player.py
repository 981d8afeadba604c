"""Workers of the fleet benchmark: threads that claim, renew and report at full speed, with nothing played between.

``service`` goes through ``ladder.matches``; ``bare`` sends the same statements through psycopg alone; ``narrow`` is
``service`` for a role with narrow rights, which first says how many matches it plays at once.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from uuid import uuid4

import django

django.setup()

import psycopg  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from arena import HostFacts, MatchRecord, SandboxFacts, SeatReport, pack  # noqa: E402
from engines import GAMES, Outcome  # noqa: E402
from ladder.matches import leases, results  # noqa: E402
from ladder.matches.functions import SCHEMA  # noqa: E402
from ladder.matches.leases import Claim  # noqa: E402
from ladder.matches.models import Lane  # noqa: E402
from ladder.matches.registration import Registration, show_worker  # noqa: E402

PlayOnce = Callable[[], float | None]  # one match; the seconds its claim took, None when nothing waited


def record_of(claim: Claim) -> MatchRecord:
    """What an arena that answers at once would tell."""
    return MatchRecord(
        order=claim.order,
        actions=(),
        faults=(),
        outcome=Outcome(ranks=(1, 2), scores=(1.0, 0.0), ending="done"),
        ending="finished",
        ranks=(1, 2),
        seats=(SeatReport(), SeatReport()),
        sandbox=SandboxFacts(kind="bwrap"),
        host=HostFacts(wall_ms=12.0),
    ).sealed()


def through_service(name: str) -> PlayOnce:
    """As ``playing`` does it."""

    def play() -> float | None:
        began = time.perf_counter()
        claim = leases.claim_match(worker=name)
        took = time.perf_counter() - began
        if claim is None:
            return None
        assert leases.renew_lease(claim.match_id, claim.lease)
        assert results.record_result(match_id=claim.match_id, lease=claim.lease, record=record_of(claim))
        return took

    return play


def through_psycopg(name: str) -> PlayOnce:
    """The same statements with arguments that were made beforehand."""
    bare = psycopg.connect(os.environ["RUMRUNNER_DATABASE_URL"], autocommit=True, prepare_threshold=None)
    lanes, rules = [str(lane) for lane in Lane], json.dumps({each: game.rules_version for each, game in GAMES.items()})
    kept: list[tuple[str, bytes]] = []

    def ask(function: str, *arguments: object) -> tuple[object, ...] | None:
        places = ", ".join(["%s"] * len(arguments))
        return bare.execute(f"SELECT * FROM {SCHEMA}.{function}({places})", arguments).fetchone()  # noqa: S608

    def play() -> float | None:
        began = time.perf_counter()
        row = ask("claim", name, lanes, None, rules, float(settings.LEASE_S))
        took = time.perf_counter() - began
        if row is None:
            return None
        report = _report_of(row)  # the arena's part, on either way
        if not kept:
            kept.append((results.report_of(report), pack(report)))
        assert ask("renew", row[0], row[1], float(settings.LEASE_S)) == (True,)
        assert ask("settle", row[0], row[1], *kept[0]) == (True,)
        return took

    return play


def _report_of(row: tuple[object, ...]) -> MatchRecord:
    game, options, seed, seats = row[3:]
    order = leases.order_from(str(game), seed=str(seed), seats=tuple(seats), options=json.loads(str(options)))  # type: ignore[arg-type]
    return record_of(Claim(0, row[1], 1, order))  # type: ignore[arg-type]


def show(threads: int) -> None:
    """Say that so many matches may be in hand at once."""
    Registration.name, Registration.plays, Registration.processes = f"bench@{os.getpid()}", True, threads
    show_worker(is_new=True)
    connection.close()


def work(play: PlayOnce, go: threading.Barrier, seconds: float, claims: list[float]) -> None:
    """Play once, as a worker has long done, wait for the others, and play until the time is over."""
    play()
    go.wait()
    go.wait()
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if (took := play()) is not None:
            claims.append(took)
    connection.close()


def main(way: str, threads: int, seconds: float) -> list[float]:
    """How long each claim took, over all threads."""
    claims: list[float] = []
    order = leases.order_from("gatsby", seed="1", seats=("a" * 64, "b" * 64), options={})
    results.report_of(record_of(Claim(0, uuid4(), 1, order)))  # everything is loaded before the clock runs
    assert all(game.rules_version for game in GAMES.values())
    make = {"service": through_service, "narrow": through_service, "bare": through_psycopg}[way]
    if way == "narrow":
        show(threads)
    go = threading.Barrier(threads + 1)
    plays = [make(f"bench-{os.getpid()}/{number}") for number in range(threads)]
    players = [threading.Thread(target=work, args=(play, go, seconds, claims)) for play in plays]
    for player in players:
        player.start()
    go.wait()
    print("ready", flush=True)
    sys.stdin.readline()
    go.wait()
    for player in players:
        player.join()
    return claims


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))))
