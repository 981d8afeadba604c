"""What brings matches into being and takes them out again; ``leases`` and ``results`` say what workers do with them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from ladder.accounts.models import User
from ladder.accounts.permissions import is_administrator
from ladder.events import Event, announce
from ladder.ladders.models import Ladder
from ladder.ladders.services import request_rebuild
from ladder.matches.models import Lane, Match, MatchSet, Seat
from ladder.matches.queries import UNSETTLED
from ladder.matches.tallies import uncount
from ladder.refusals import Refused, check_day, hold
from ladder.submissions.models import BotVersion

T = TypeVar("T")


class RequestRefused(Refused):
    """A match that somebody asked for and that can't be played."""

    code = "match_refused"
    status = 400


class NotQueued(Refused):
    """The match is in a state in which this can't be done."""

    code = "wrong_state"
    status = 409


def fresh_seed() -> int:
    """All 128 bits of a match's chance, from the system's own source."""
    return secrets.randbits(128)


def rotations(table: Sequence[T]) -> list[tuple[T, ...]]:
    """Every seating of a table in which each sits once in each seat and keeps the neighbours."""
    return [tuple(table[turn:]) + tuple(table[:turn]) for turn in range(len(table))]


@transaction.atomic
def create_set(
    *,
    ladder: Ladder,
    seatings: Sequence[Sequence[int]],
    lane: Lane,
    is_rated: bool,
    seed: int | None = None,
    priority: int = 0,
    is_held: bool = False,
    requested_by: User | None = None,
    wakes: bool = True,
) -> MatchSet:
    """Queue the matches of one seed; each seating lists the version ids by seat. Who queues many sets wakes once."""
    _check_seatings(ladder, seatings)
    if is_rated:
        _check_no_twin(seatings)
    match_set = MatchSet.objects.create(
        ladder=ladder, lane=lane, seed=str(fresh_seed() if seed is None else seed), requested_by=requested_by
    )
    matches = Match.objects.bulk_create(
        Match(
            set=match_set,
            rotation=rotation,
            ladder=ladder,
            lane=lane,
            priority=priority,
            is_rated=is_rated,
            is_held=is_held,
        )
        for rotation in range(len(seatings))
    )
    Seat.objects.bulk_create(
        Seat(match=match, seat=seat, version_id=version)
        for match, seating in zip(matches, seatings, strict=True)
        for seat, version in enumerate(seating)
    )
    if wakes:
        announce(Event.MATCHES_QUEUED)
    return match_set


def _check_seatings(ladder: Ladder, seatings: Sequence[Sequence[int]]) -> None:
    for seating in seatings:
        if len(seating) != ladder.seats:
            raise RequestRefused(f"{ladder.slug} has {ladder.seats} seats, but {len(seating)} bots were named.")


def _check_no_twin(seatings: Sequence[Sequence[int]]) -> None:
    for seating in seatings:
        if len(set(seating)) < len(seating):
            raise RequestRefused(f"A rated match needs different versions in all seats, not {list(seating)}.")


def cancel_sets(sets: Iterable[int], *, reason: str) -> int:
    """Call off the queued matches of these sets; a running one is played to its end. Returns how many."""
    return _queued(sets).update(status=Match.Status.CANCELLED, reason=reason, finished_at=Now())


def hold_sets(sets: Iterable[int]) -> int:
    """Keep workers from the queued matches of these sets; returns how many matches now wait."""
    return _queued(sets).update(is_held=True)


def release_sets(sets: Iterable[int]) -> int:
    """Let workers have held matches again; returns how many."""
    released = _queued(sets).update(is_held=False)
    announce(Event.MATCHES_QUEUED)
    return released


def _queued(sets: Iterable[int]) -> QuerySet[Match]:
    return Match.objects.filter(set__in=list(sets), status=Match.Status.QUEUED)


@transaction.atomic
def pause_ladder(ladder: Ladder) -> None:
    """Stop pairing on a ladder and keep its queued matches from workers; running ones end."""
    Ladder.objects.filter(pk=ladder.pk).update(is_paused=True)
    Match.objects.filter(ladder=ladder, lane=Lane.LADDER, status=Match.Status.QUEUED).update(is_held=True)


@transaction.atomic
def resume_ladder(ladder: Ladder) -> None:
    """Let a paused ladder go on."""
    Ladder.objects.filter(pk=ladder.pk).update(is_paused=False)
    Match.objects.filter(ladder=ladder, lane=Lane.LADDER, status=Match.Status.QUEUED).update(is_held=False)
    announce(Event.MATCHES_QUEUED)


def call_off_ladder(ladder: Ladder, *, reason: str) -> int:
    """Call off every match that matchmaking made on a ladder and that has no result, also one that is being played.

    Whoever plays it has lost the lease. Returns how many.
    """
    open_matches = Match.objects.filter(ladder=ladder, lane=Lane.LADDER, status__in=UNSETTLED)
    over = {"status": Match.Status.CANCELLED, "lease": None, "lease_until": None, "finished_at": Now()}
    return open_matches.update(reason=reason, **over)


def call_off_versions(*versions: BotVersion) -> None:
    """Ladder matches that wait unclaimed are not worth playing for versions that left for good."""
    waiting = Match.objects.filter(
        seats__version__in=versions, lane=Lane.LADDER, status=Match.Status.QUEUED, attempts=0
    )
    Match.objects.filter(pk__in=list(waiting.values_list("pk", flat=True)), status=Match.Status.QUEUED).update(
        status=Match.Status.CANCELLED, reason="a version left the ladder", finished_at=Now()
    )


@transaction.atomic
def void_match(match: Match, *, reason: str) -> None:
    """Strike a match; if it was rated, the ratings of its ladder are computed again. Raises NotQueued."""
    uncount(match.pk)
    if _strike(match, Match.Status.FINISHED, reason):
        if match.is_rated:
            request_rebuild(match.ladder_id)
    elif not _strike(match, Match.Status.QUEUED, reason):
        raise NotQueued(f"Match {match.pk} is {match.status}; only a queued or finished match can be voided.")


def _strike(match: Match, status: Match.Status, reason: str) -> int:
    struck = Match.objects.filter(pk=match.pk, status=status)
    return struck.update(status=Match.Status.VOID, reason=reason, finished_at=Now())


def rerun_match(match: Match, *, requested_by: User | None = None) -> MatchSet:
    """Play a match again as a new one with the same seats and lane; the seed is fresh, as the old may be known."""
    seating = list(match.seats.order_by("seat").values_list("version_id", flat=True))
    return create_set(
        ladder=match.ladder,
        seatings=[seating],
        lane=Lane(match.lane),
        is_rated=match.is_rated,
        requested_by=requested_by,
    )


@transaction.atomic
def request_matches(
    *, user: User, ladder: Ladder, versions: Sequence[BotVersion], all_rotations: bool = False
) -> MatchSet:
    """Queue unrated matches that somebody asked for; raises RequestRefused or QuotaReached."""
    seating = [version.pk for version in versions]
    seatings = rotations(seating) if all_rotations else [tuple(seating)]
    _check_seatings(ladder, seatings)
    for version in versions:
        _check_may_play(version, ladder)
    _check_quota(user, asked=len(seatings))
    return create_set(ladder=ladder, seatings=seatings, lane=Lane.REQUEST, is_rated=False, requested_by=user)


def _check_may_play(version: BotVersion, ladder: Ladder) -> None:
    if version.bot.game != ladder.game:
        raise RequestRefused(f"{version} can't play on {ladder.slug}: it is a bot for {version.bot.game}.")
    if version.status != BotVersion.Status.QUALIFIED:
        raise RequestRefused(f"{version} is {version.status}; only qualified versions can play.")
    if version.bot.is_hidden:
        raise RequestRefused(f"{version.bot} is hidden by its owner and plays no matches.")


def _check_quota(user: User, *, asked: int) -> None:
    hold(user)
    if is_administrator(user):
        return
    asked_for = Match.objects.filter(set__requested_by=user, lane=Lane.REQUEST)
    told = "You asked for {had} matches in the last 24 hours; {more} more would pass the limit of {most}."
    check_day(asked_for, "set__created_at", settings.REQUESTS_A_DAY, told, more=asked)
