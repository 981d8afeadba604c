"""Who plays a match now: claimed under a lease, kept by heartbeats, handed back, or reaped when the worker fell silent.

Every write names the lease it was made under, so that whoever lost the lease can change nothing any more. Leases run
by the database's clock alone: a worker whose own clock is wrong does no harm.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now

from arena import Limits, MatchOrder
from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.models import MAX_ATTEMPTS, FailedAttempt, Lane, Match
from ladder.matches.queries import a_sibling_runs, claimable_matches

# How often a worker looks into each lane first. An empty lane passes its turn on, so nothing idles and none starves.
LANE_SHARES = {Lane.TRIAL: 4, Lane.REQUEST: 2, Lane.TOURNAMENT: 3, Lane.LADDER: 2}
LOOK = "SELECT %s WHERE EXISTS (SELECT 1 FROM matches_match WHERE status = 'queued' AND NOT is_held AND lane = %s)"
NEEDED = (
    "id", "attempts", "is_rated", "rating_number", "ladder__game", "ladder__options", "set__seed",
)  # fmt: skip
ELSEWHERE_S = 10  # a host that failed a match leaves it to others for so long


@dataclass(frozen=True, slots=True)
class Claim:
    """A match that one worker may play until its lease runs out."""

    match_id: int
    lease: UUID
    attempt: int
    order: MatchOrder


def lanes_in_turn(rng: random.Random) -> list[Lane]:
    """All lanes, in an order drawn by their shares."""
    return sorted(LANE_SHARES, key=lambda lane: rng.random() ** (1 / LANE_SHARES[lane]), reverse=True)


@transaction.atomic
def claim_match(*, worker: str, rng: random.Random | None = None) -> Claim | None:
    """Take the next queued match; None when nothing waits. Two workers never get the same one, nor two of one set."""
    busy = _busy_lanes()
    for lane in lanes_in_turn(rng or random.Random()):
        if lane in busy and (match := _next_in(lane, worker)) and (claim := _claim(match, worker)):
            return claim
    return None


def _busy_lanes() -> set[str]:
    """The lanes in which something waits, by one look into the queue's index."""
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([LOOK] * len(Lane.values)), [lane for lane in Lane.values for _ in "xx"])
        return {row[0] for row in cursor.fetchall()}


def _claim(match: Match, worker: str) -> Claim | None:
    lease = uuid4()
    # Who holds the row of the set sees here what its last holder did: one of two workers at the same set gets nothing.
    taken = Match.objects.filter(~a_sibling_runs(), pk=match.pk, status=Match.Status.QUEUED).update(
        status=Match.Status.RUNNING,
        lease=lease,
        lease_until=_lease_end(),
        attempts=F("attempts") + 1,
        worker=worker,
        started_at=Now(),
        rating_number=_rating_number(match),
        rules_version=GAMES[match.ladder.game].rules_version,
    )
    return Claim(match.pk, lease, match.attempts + 1, order_of(match)) if taken else None


def _next_in(lane: Lane, worker: str) -> Match | None:
    mine = Q(worker__startswith=f"{host_of(worker)}/", elsewhere_until__gt=Now())
    waiting = claimable_matches().filter(lane=lane).exclude(mine)
    queue = waiting.select_related("ladder", "set").only(*NEEDED).order_by("priority", "id")
    return queue.select_for_update(skip_locked=True, of=("self", "set")).first()


def host_of(worker: str) -> str:
    """The machine of a worker name such as ``host/1234``."""
    return worker.partition("/")[0]


def _lease_end() -> Any:
    return Now() + timedelta(seconds=settings.LEASE_S)


def _rating_number(match: Match) -> int | None:
    """The place of a rated match in its ladder's order, given once, at the first claim."""
    if not match.is_rated or match.rating_number is not None:
        return match.rating_number
    Ladder.objects.filter(pk=match.ladder_id).update(last_number=F("last_number") + 1)
    return Ladder.objects.values_list("last_number", flat=True).get(pk=match.ladder_id)


def order_of(match: Match) -> MatchOrder:
    """What the arena is to play."""
    digests = match.seats.order_by("seat").values_list("version__bundle_id", flat=True)
    return MatchOrder(
        game=match.ladder.game,
        rules_version=GAMES[match.ladder.game].rules_version,
        seed=int(match.set.seed),
        seats=tuple(digests),
        options=match.ladder.options,
        limits=Limits(
            **settings.BOT_LIMITS_MS, memory_mib=settings.BOT_MEMORY_MIB, wall_ms=settings.MATCH_WALL_S * 1000
        ),
    )


def _held(match_id: int, lease: UUID) -> Any:
    return Match.objects.filter(pk=match_id, lease=lease, status=Match.Status.RUNNING)


def renew_lease(match_id: int, lease: UUID) -> bool:
    """A sign of life; False when the lease is lost and the match is another's."""
    return bool(_held(match_id, lease).update(lease_until=_lease_end()))


@transaction.atomic
def hand_back(match_id: int, lease: UUID, *, detail: str) -> bool:
    """Return a match unplayed because the worker has to stop; this counts as no attempt."""
    worker = _held(match_id, lease).values_list("worker", flat=True).first()
    given = _held(match_id, lease).update(**_no_lease(Match.Status.QUEUED), attempts=F("attempts") - 1)
    if given:
        _note(match_id, worker, FailedAttempt.Cause.HANDED_BACK, detail)
    return bool(given)


def report_host_fault(match_id: int, lease: UUID, *, detail: str) -> bool:
    """The match could not be played fairly here: queue it again, elsewhere if possible; the last try voids it."""
    return _fail(match_id, lease, FailedAttempt.Cause.HOST_FAULT, detail)


def reap() -> int:
    """Take back every match whose worker fell silent; returns how many."""
    silent = Match.objects.filter(status=Match.Status.RUNNING, lease_until__lt=Now()).values_list("pk", "lease")
    detail, lost = f"no sign of life for {settings.LEASE_S} s", FailedAttempt.Cause.LOST
    return sum(_fail(match_id, lease, lost, detail, still_silent=True) for match_id, lease in list(silent))


@transaction.atomic
def _fail(
    match_id: int, lease: UUID | None, cause: FailedAttempt.Cause, detail: str, *, still_silent: bool = False
) -> bool:
    if lease is None:
        return False
    held = _held(match_id, lease)
    if still_silent:
        held = held.filter(lease_until__lt=Now())  # a heartbeat may have come in between
    worker = held.values_list("worker", flat=True).first()
    is_last = Q(attempts__gte=MAX_ATTEMPTS)
    changed = held.update(
        lease=None,
        lease_until=None,
        elsewhere_until=Now() + timedelta(seconds=ELSEWHERE_S) if cause == FailedAttempt.Cause.HOST_FAULT else None,
        status=Case(When(is_last, then=Value(Match.Status.VOID)), default=Value(Match.Status.QUEUED)),
        finished_at=Case(When(is_last, then=Now()), default=None),
        reason=Case(When(is_last, then=Value(f"{MAX_ATTEMPTS} attempts failed: {detail}")), default=Value("")),
        ending=Case(When(is_last, then=Value("host_fault")), default=Value("")),
    )
    if changed:
        _note(match_id, worker, cause, detail)
    return bool(changed)


def _no_lease(status: Match.Status) -> dict[str, Any]:
    return {"status": status, "lease": None, "lease_until": None}


def _note(match_id: int, worker: str | None, cause: FailedAttempt.Cause, detail: str) -> None:
    FailedAttempt.objects.create(match_id=match_id, worker=worker or "", cause=cause, detail=detail[:2000])
