"""A worker process at play: claims matches one after another, plays each in the arena, reports what happened."""

from __future__ import annotations

import mmap
import os
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import structlog
from django.conf import settings
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

import arena
from arena import BundleRejected, InvalidOrder, MatchAborted, MatchRecord, SandboxUnavailable
from engines import GAMES
from ladder.files import FileUnavailable
from ladder.matches import leases, results
from ladder.matches.broadcast import broadcast
from ladder.matches.leases import Claim
from ladder.submissions.bundles import stored, unpacked

log = structlog.get_logger("ladder.matches")
CHUNK_S = 20.0  # short matches are played in chunks of about this length for each message
NARROW_CHUNK_S = 600.0  # a worker that may send no message of its own takes a longer one
ASK_AGAIN_S = 0.25  # whether it may go on is asked so often, and not before each of many short matches


class StopFlag:
    """When this worker was told to stop; shared by the parent process, which hears it, and its playing children."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 8)

    def raise_(self) -> None:
        self._shared[:] = int(time.monotonic() * 1000 + 1).to_bytes(8, "little")

    @property
    def raised_s_ago(self) -> float | None:
        at_ms = int.from_bytes(self._shared[:], "little")
        return time.monotonic() - at_ms / 1000 if at_ms else None

    def is_up(self) -> bool:
        return self.raised_s_ago is not None

    def is_past_grace(self) -> bool:
        ago = self.raised_s_ago
        return ago is not None and ago > settings.GRACE_S


STOP = StopFlag()
# What else may want the place of this worker: asked between matches, and a chunk ends when one of them says yes.
CALLS: list[Callable[[], bool]] = []


def worker_name() -> str:
    """How this process signs its claims."""
    return f"{socket.gethostname()[:80]}/{os.getpid()}"


def play_chunk(
    *,
    chunk_s: float | None = None,
    may_go_on: Callable[[], bool] = lambda: True,
    games: Callable[[], Collection[str]] = GAMES.keys,
) -> int:
    """Play queued matches until none is left or the chunk is long enough; returns how many had a result."""
    if chunk_s is None:
        chunk_s = NARROW_CHUNK_S if settings.NARROW else CHUNK_S
    ends, asked_at, played = time.monotonic() + chunk_s, float("-inf"), 0
    while (now := time.monotonic()) < ends and not STOP.is_up():
        if now - asked_at > ASK_AGAIN_S:
            if not may_go_on() or any(is_called() for is_called in CALLS):
                break
            asked_at = now
        claim = leases.claim_match(worker=worker_name(), runtimes=arena.find_abilities().runtimes, games=games())
        if claim is None:
            break
        played += play_claim(claim)
    return played


def play_claim(claim: Claim) -> bool:
    """Play one claimed match and report it; False when it has no result from here."""
    with (
        structlog.contextvars.bound_contextvars(match=claim.match_id, attempt=claim.attempt),
        _heartbeat(claim) as lost,
        broadcast(str(claim.lease)) as told,
    ):
        try:
            record = arena.play(
                claim.order,
                _folders(claim),
                on_action=lambda played: told.append(played.text),
                abort=lambda: lost() or STOP.is_past_grace(),
            )
        except MatchAborted:
            return _aborted(claim)
        except SandboxUnavailable as error:
            leases.hand_back(claim.match_id, claim.lease, detail=str(error))
            raise
        except (InvalidOrder, BundleRejected, OSError) as error:
            has_traceback = not isinstance(error, FileUnavailable)  # which says all there is to say
            log.error("match could not be played", error=str(error), exc_info=has_traceback)  # noqa: TRY400
            leases.report_host_fault(claim.match_id, claim.lease, detail=f"{type(error).__name__}: {error}")
            return False
    return _report(claim, record)


def _folders(claim: Claim) -> Mapping[str, Path]:
    fetch = partial(leases.fetch_bundle, claim) if settings.NARROW else stored
    return {digest: unpacked(digest, fetch) for digest in set(claim.order.seats)}


def _aborted(claim: Claim) -> bool:
    if leases.hand_back(claim.match_id, claim.lease, detail="the worker was told to stop"):
        log.info("match handed back")
    else:
        log.warning("lease lost in mid-match")
    return False


def _report(claim: Claim, record: MatchRecord) -> bool:
    if record.is_host_fault:
        log.warning("host fault", problem=record.host.problem)
        leases.report_host_fault(claim.match_id, claim.lease, detail=record.host.problem or "host fault")
        return False
    taken = results.record_result(match_id=claim.match_id, lease=claim.lease, record=record)
    if not taken:
        log.warning("result came too late: the lease is another's")
    return taken


@contextmanager
def _heartbeat(claim: Claim) -> Iterator[Callable[[], bool]]:
    """Renew the lease while a match is played; the value tells whether it was lost."""
    over, lost = threading.Event(), threading.Event()
    ours = connections["default"]
    thread = threading.Thread(target=_beat, args=(claim, over, lost, ours), name="heartbeat", daemon=True)
    ours.inc_thread_sharing()
    thread.start()
    try:
        yield lost.is_set
    finally:
        over.set()
        thread.join()
        ours.dec_thread_sharing()


def _beat(claim: Claim, over: threading.Event, lost: threading.Event, ours: BaseDatabaseWrapper) -> None:
    """Over the connection of the thread that plays, as it has hardly a use for it then: a fleet has one a player."""
    connections["default"] = ours
    beat_s = settings.LEASE_S / 4
    while not over.wait(beat_s):
        try:
            if not leases.renew_lease(claim.match_id, claim.lease):
                lost.set()
                return
        except DatabaseError as error:
            # A database that is away for a moment costs nothing while the lease runs.
            log.warning("heartbeat failed", error=str(error))
            ours.close_if_unusable_or_obsolete()
