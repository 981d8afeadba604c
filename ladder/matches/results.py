"""What a worker reports: the result of a match, taken once."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from arena import Fault, MatchRecord, pack
from ladder.events import Event, announce
from ladder.matches.models import Match, Seat, SeatLog, StoredRecord
from ladder.matches.turns import turns_of


@transaction.atomic
def record_result(*, match_id: int, lease: UUID, record: MatchRecord) -> bool:
    """Store what happened in a running match; a late or second report changes nothing and returns False."""
    claimed = Match.objects.filter(pk=match_id, lease=lease, status=Match.Status.RUNNING)
    if not claimed.update(
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
    announce(Event.MATCH_SETTLED, match_id)
    return True


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
