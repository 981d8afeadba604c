"""What a worker reports: the result of a match, taken once."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from arena import Fault, MatchRecord, pack
from ladder.events import Event, announce
from ladder.ladders.models import Ladder
from ladder.matches.leases import under_lease
from ladder.matches.models import Match, Seat, SeatLog, StoredRecord
from ladder.matches.turns import turns_of


@transaction.atomic
def record_result(*, match_id: int, lease: UUID, record: MatchRecord) -> bool:
    """Store what happened in a running match; a late or second report changes nothing and returns False.

    Late is whatever comes after the lease ran out by the database's clock, whether or not anyone reaped meanwhile.
    """
    if not under_lease(match_id, lease).update(
        status=Match.Status.FINISHED if record.is_rateable else Match.Status.VOID,
        lease=None,
        lease_until=None,
        finished_at=Now(),
        rules_version=record.order.rules_version,
        ending=record.ending,
        game_ending=record.outcome.ending if record.outcome else "",
        plies=len(record.actions),
        wall_ms=round(record.host.wall_ms),
        digest=record.digest,
        reason="" if record.is_rateable else "every seat failed at start",
    ):
        return False
    order = record.order
    turns = turns_of(order.game, seats=len(order.seats), seed=order.seed, options=order.options)
    for seat, turn in enumerate(turns):
        _record_seat(match_id, seat, record, turn=turn)
    _keep(match_id, record)
    _number(match_id)
    announce(Event.MATCH_SETTLED, match_id)
    return True


def _number(match_id: int) -> None:
    """Give a rated match its place in its ladder's order: with its result, so that none waits for one that hangs."""
    match = Match.objects.only("ladder_id", "is_rated", "rating_number").get(pk=match_id)
    if not match.is_rated or match.rating_number is not None:
        return
    Ladder.objects.filter(pk=match.ladder_id).update(last_number=F("last_number") + 1)
    last = Ladder.objects.values_list("last_number", flat=True).get(pk=match.ladder_id)
    Match.objects.filter(pk=match_id).update(rating_number=last)


def _record_seat(match_id: int, seat: int, record: MatchRecord, *, turn: int) -> None:
    report = record.seats[seat]
    fault = fault_of(record, seat)
    Seat.objects.filter(match=match_id, seat=seat).update(
        turn=turn,
        rank=record.ranks[seat] if record.ranks and record.is_rateable else None,
        score=record.outcome.scores[seat] if record.outcome else None,
        fault=fault.kind if fault else "",
        fault_stage=fault.stage if fault else "",
        fault_ply=fault.ply if fault else None,
        fault_reason=fault.reason if fault else "",
        cpu_ms=round(report.cpu_ms),
        peak_kib=report.peak_memory_kib,
    )


def fault_of(record: MatchRecord, seat: int) -> Fault | None:
    """The fault that put a seat out."""
    return next((fault for fault in record.faults if fault.seat == seat), None)


def _keep(match_id: int, record: MatchRecord) -> None:
    """The record for ever; what the bots wrote to stderr apart from it, because logs are thrown away in time."""
    SeatLog.objects.bulk_create(
        SeatLog(match_id=match_id, seat=seat, text=report.stderr)
        for seat, report in enumerate(record.seats)
        if report.stderr
    )
    quiet = replace(record, seats=tuple(replace(report, stderr="") for report in record.seats))
    StoredRecord.objects.create(match_id=match_id, content=pack(quiet))
