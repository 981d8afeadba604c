"""Who plays a match now: claimed under a lease, kept by heartbeats, handed back, or reaped when the worker fell silent.

Every write names the lease it was made under, so that whoever lost the lease can change nothing any more. Leases run
by the database's clock alone: a worker whose own clock is wrong does no harm.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Now, StrIndex

from arena import Limits, MatchOrder
from arena.sandbox.runtimes import RUNTIME_KINDS
from engines import GAMES
from ladder.files import fetch_by_link
from ladder.matches import functions
from ladder.matches.models import MAX_ATTEMPTS, FailedAttempt, Lane, Match, Seat
from ladder.matches.queries import (
    a_sibling_runs,
    claimable_matches,
    has_other_bots_than,
    is_foreign,
    matches_to_play,
    set_aside_matches,
)
from ladder.prepared import prepared, prepared_update

# How often a worker looks into each lane first. An empty lane passes its turn on, so nothing idles and none starves.
LANE_SHARES = {Lane.TRIAL: 4, Lane.REQUEST: 2, Lane.TOURNAMENT: 3, Lane.LADDER: 2}
LOOK = (
    "SELECT '{0}' WHERE EXISTS (SELECT 1 FROM matches_match WHERE status = 'queued' AND NOT is_held AND lane = '{0}')"
)
BUSY_LANES = " UNION ALL ".join(map(LOOK.format, Lane.values))
NEEDED = ("id", "attempts", "ladder__game", "ladder__rules_version", "ladder__options", "set__seed")
ELSEWHERE_S = 10  # a host that failed a match leaves it to others for so long
# The first and the longest pause of a match that was set aside, in leases: 5 minutes to 6 hours as a rule.
PAUSE, TRIAL_PAUSE = (5, 360), (1, 60)
log = structlog.get_logger("ladder.matches")


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


def claim_match(
    *,
    worker: str,
    runtimes: Collection[str] = tuple(RUNTIME_KINDS),
    games: Collection[str] | None = None,
    rng: random.Random | None = None,
) -> Claim | None:
    """Take the next queued match of these games whose bots this worker can run; None when nothing waits.

    Two workers never get the same one, nor two of one set.
    """
    claim = _claim_at_once if functions.are_here() else _claim_in_steps
    return claim(worker, runtimes, GAMES if games is None else games, lanes_in_turn(rng or random.Random()))


def _claim_at_once(worker: str, runtimes: Collection[str], games: Collection[str], lanes: list[Lane]) -> Claim | None:
    able = None if set(RUNTIME_KINDS) <= set(runtimes) else list(runtimes)
    rules = functions.as_json({name: GAMES[name].rules_version for name in games})
    row = functions.call_for_row("claim", worker, [str(lane) for lane in lanes], able, rules, settings.LEASE_S)
    if row is None:
        return None
    match_id, lease, attempt, game, options, seed, seats = row
    order = order_from(game, seed=seed, seats=tuple(seats), options=json.loads(options))
    return Claim(match_id, lease, attempt, order)


@transaction.atomic
def _claim_in_steps(worker: str, runtimes: Collection[str], games: Collection[str], lanes: list[Lane]) -> Claim | None:
    busy = _busy_lanes()
    for lane in lanes:
        if lane in busy and (match := _next_in(lane, worker, runtimes, games)) and (claim := claim_one(match, worker)):
            return claim
    return None


def _busy_lanes() -> set[str]:
    """The lanes in which something waits."""
    with connection.cursor() as cursor:
        cursor.execute(BUSY_LANES)
        return {row[0] for row in cursor.fetchall()}


def claim_one(match: Match, worker: str) -> Claim | None:
    lease, rules = uuid4(), GAMES[match.ladder.game].rules_version
    taken = _taking(settings.LEASE_S)(match.pk, lease, worker, rules)
    return Claim(match.pk, lease, match.attempts + 1, order_of(match)) if taken else None


@lru_cache(maxsize=8)
def _taking(lease_s: int) -> Callable[[int, UUID, str, int], int]:
    """What gives a waiting match to a worker under a lease of so many seconds."""

    @prepared_update
    def take(match_id: int, lease: UUID, worker: str, rules: int) -> tuple[QuerySet[Match], dict[str, Any]]:
        # Who holds the row of the set sees here what its last holder did: one of two workers at the same set gets none.
        waiting = Match.objects.filter(~a_sibling_runs(), pk=match_id, status=Match.Status.QUEUED)
        return waiting, {
            "status": Match.Status.RUNNING,
            "lease": lease,
            "lease_until": Now() + timedelta(seconds=lease_s),
            "attempts": F("attempts") + 1,
            "worker": worker,
            "started_at": Now(),
            "aside_until": None,
            "rules_version": rules,
        }

    return take


def _next_in(lane: Lane, worker: str, runtimes: Collection[str], games: Collection[str]) -> Match | None:
    host, has_all = f"{host_of(worker)}/", set(RUNTIME_KINDS) <= set(runtimes) and set(GAMES) <= set(games)
    if has_all:
        match = next(iter(_next_of_all(str(lane), host)), None)
        if match is None or not is_foreign(match.ladder.game, match.ladder.rules_version):
            return match
    waiting = _left_to(host, claimable_matches().filter(lane=lane))
    if not set(RUNTIME_KINDS) <= set(runtimes):
        waiting = waiting.exclude(has_other_bots_than(runtimes))
    if not set(GAMES) <= set(games):
        waiting = waiting.filter(ladder__game__in=list(games))
    return _first_of(waiting).first()


@prepared
def _next_of_all(lane: str, host: str) -> QuerySet[Match]:
    """What most workers ask, who can play everything: the next of a lane."""
    return _first_of(_left_to(host, matches_to_play().filter(lane=lane)))


def _left_to(host: str, waiting: QuerySet[Match]) -> QuerySet[Match]:
    """Without those that this machine, by its name and a stroke, leaves to others for a while."""
    named = waiting.alias(named=StrIndex("worker", Value(host)))
    return named.exclude(named=1, elsewhere_until__gt=Now())


def _first_of(waiting: QuerySet[Match]) -> QuerySet[Match]:
    queue = waiting.select_related("ladder", "set").only(*NEEDED).order_by("priority", "id")
    return queue.select_for_update(skip_locked=True, of=("self", "set"))[:1]


def host_of(worker: str) -> str:
    """The machine of a worker name such as ``host/1234``."""
    return worker.partition("/")[0]


def order_of(match: Match) -> MatchOrder:
    """What the arena is to play."""
    digests = tuple(_bundles_of(match.pk))
    return order_from(match.ladder.game, seed=match.set.seed, seats=digests, options=match.ladder.options)


@prepared
def _bundles_of(match_id: int) -> QuerySet[Seat, str]:
    return Seat.objects.filter(match=match_id).order_by("seat").values_list("version__bundle_id", flat=True)


def order_from(game: str, *, seed: str, seats: tuple[str, ...], options: dict[str, Any]) -> MatchOrder:
    """What the arena is to play, from what the database tells."""
    wall_ms = settings.MATCH_WALL_S * 1000
    limits = _limits(game, len(seats), settings.BOT_MEMORY_MIB, wall_ms, tuple(settings.BOT_LIMITS_MS.items()))
    return MatchOrder(
        game=game,
        rules_version=GAMES[game].rules_version,
        seed=int(seed),
        seats=seats,
        options=options,
        limits=limits,
    )


@lru_cache(maxsize=64)
def _limits(game: str, seats: int, memory_mib: int, wall_ms: int, others: tuple[tuple[str, int], ...]) -> Limits:
    return Limits(**dict(others), memory_mib=memory_mib, wall_ms=wall_ms).lasting(game, seats)


def fetch_bundle(claim: Claim, digest: str) -> tuple[bytes, str]:
    """A bundle of a claimed match and its file name, for a worker that may read nothing else."""
    row = functions.call_for_row("bundle", claim.match_id, claim.lease, digest)
    if row is None:
        raise FileNotFoundError(f"bundle {digest[:12]} is not of match {claim.match_id}, or the lease was lost")
    if row[0]:
        return bytes(row[0]), row[1]
    return fetch_by_link(functions.call("bundle_link", claim.match_id, claim.lease, digest), digest), row[1]


def under_lease(match_id: int, lease: UUID) -> QuerySet[Match]:
    """The running match, if this lease is its own and has not run out by the database's clock."""
    return Match.objects.filter(pk=match_id, lease=lease, lease_until__gt=Now(), status=Match.Status.RUNNING)


def renew_lease(match_id: int, lease: UUID) -> bool:
    """A sign of life; False when the lease is lost and the match is another's."""
    if functions.are_here():
        return bool(functions.call("renew", match_id, lease, settings.LEASE_S))
    return bool(under_lease(match_id, lease).update(lease_until=Now() + timedelta(seconds=settings.LEASE_S)))


def hand_back(match_id: int, lease: UUID, *, detail: str) -> bool:
    """Return a match unplayed because the worker has to stop; this counts as no attempt."""
    if functions.are_here():
        return bool(functions.call("hand_back", match_id, lease, detail))
    return _hand_back_in_steps(match_id, lease, detail)


@transaction.atomic
def _hand_back_in_steps(match_id: int, lease: UUID, detail: str) -> bool:
    held = under_lease(match_id, lease)
    worker = held.values_list("worker", flat=True).first()
    given = held.update(**_no_lease(Match.Status.QUEUED), attempts=F("attempts") - 1)
    if given:
        _note(match_id, worker, FailedAttempt.Cause.HANDED_BACK, detail)
    return bool(given)


def report_host_fault(match_id: int, lease: UUID, *, detail: str) -> bool:
    """The match could not be played fairly here: queue it again, elsewhere if possible; the last try sets it aside."""
    if functions.are_here():
        return _fail_at_once(match_id, lease, detail)
    return _fail(under_lease(match_id, lease), FailedAttempt.Cause.HOST_FAULT, detail)


def _fail_at_once(match_id: int, lease: UUID, detail: str) -> bool:
    pauses, trial_pauses = ([settings.LEASE_S * times for times in each] for each in (PAUSE, TRIAL_PAUSE))
    pause = functions.call("host_fault", match_id, lease, detail, ELSEWHERE_S, pauses, trial_pauses)
    if pause:
        log.error("match set aside", match=match_id, hours=pause / 3600, cause=detail)
    return pause is not None


def reap() -> int:
    """Take back every match whose worker fell silent; returns how many."""
    silent = Match.objects.filter(status=Match.Status.RUNNING, lease_until__lt=Now()).values_list("pk", "lease")
    detail, lost = f"no sign of life for {settings.LEASE_S} s", FailedAttempt.Cause.LOST
    return sum(_fail(_silent(match_id, lease), lost, detail) for match_id, lease in list(silent))


def _silent(match_id: int, lease: UUID | None) -> QuerySet[Match]:
    """The same match, looked at again: a heartbeat may have come in between, or be at it now."""
    silent = Match.objects.filter(pk=match_id, lease=lease, lease_until__lte=Now(), status=Match.Status.RUNNING)
    return silent.select_for_update(skip_locked=True, no_key=True)


@transaction.atomic
def _fail(held: QuerySet[Match], cause: FailedAttempt.Cause, detail: str) -> bool:
    """Queue the match of this attempt again; after the last of its attempts later, and later each time."""
    match = held.first()
    if match is None:
        return False
    is_last = match.attempts >= MAX_ATTEMPTS
    pause = pause_after(match.times_aside + 1, Lane(match.lane)) if is_last else None
    changed = held.update(
        **_no_lease(Match.Status.QUEUED),
        elsewhere_until=Now() + timedelta(seconds=ELSEWHERE_S) if cause == FailedAttempt.Cause.HOST_FAULT else None,
        attempts=0 if is_last else match.attempts,
        times_aside=F("times_aside") + int(is_last),
        aside_until=Now() + pause if pause else None,
    )
    if changed:
        _note(match.pk, match.worker, cause, detail)
    if changed and pause:
        log.error("match set aside", match=match.pk, lane=match.lane, hours=pause / timedelta(hours=1), cause=detail)
    return bool(changed)


def try_again(match_id: int) -> bool:
    """Let a match that was set aside be claimed now; False when it is none."""
    return bool(set_aside_matches().filter(pk=match_id).update(aside_until=None, elsewhere_until=None))


def pause_after(times: int, lane: Lane) -> timedelta:
    """How long a match rests that was set aside so many times; an author who waits for a check waits less."""
    first, longest = TRIAL_PAUSE if lane == Lane.TRIAL else PAUSE
    return timedelta(seconds=settings.LEASE_S * min(first << min(times - 1, 10), longest))


def _no_lease(status: Match.Status) -> dict[str, Any]:
    return {"status": status, "lease": None, "lease_until": None}


def _note(match_id: int, worker: str | None, cause: FailedAttempt.Cause, detail: str) -> None:
    FailedAttempt.objects.create(match_id=match_id, worker=worker or "", cause=cause, detail=detail[:2000])
