"""What a worker reports: the result of a match, taken once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from arena import Fault, MatchRecord, pack
from ladder.events import Event, announce
from ladder.matches import functions
from ladder.matches.leases import under_lease
from ladder.matches.models import Match, Seat, SeatLog, StoredRecord
from ladder.matches.turns import turns_of
from ladder.prepared import prepared_update

COLUMNS = ("rules_version", "ending", "game_ending", "plies", "wall_ms", "digest", "reason")


def record_result(*, match_id: int, lease: UUID, record: MatchRecord) -> bool:
    """Store what happened in a running match; a late or second report changes nothing and returns False.

    Late is whatever comes after the lease ran out by the database's clock, whether or not anyone reaped meanwhile.
    """
    settle = _settle_at_once if functions.are_here() else _settle_in_steps
    is_taken = settle(match_id, lease, record)
    if is_taken:
        announce(Event.MATCH_SETTLED, match_id)
    return is_taken


def _settle_at_once(match_id: int, lease: UUID, record: MatchRecord) -> bool:
    return bool(functions.call("settle", match_id, lease, report_of(record), pack(_quiet(record))))


def report_of(record: MatchRecord) -> str:
    """All that the rows of match and seats learn, as PostgreSQL's function takes it."""
    logs = [report.stderr for report in record.seats]
    seats = [{**row, "seat": seat, "log": logs[seat]} for seat, row in enumerate(_seats(record))]
    return functions.as_json({**_columns(record), "is_rateable": record.is_rateable, "seats": seats})


@transaction.atomic
def _settle_in_steps(match_id: int, lease: UUID, record: MatchRecord) -> bool:
    status = Match.Status.FINISHED if record.is_rateable else Match.Status.VOID
    columns = _columns(record)
    if not _settled(match_id, lease, str(status), *(columns[name] for name in COLUMNS)):
        return False
    _write_seats(match_id, _seats(record))
    SeatLog.objects.bulk_create(
        SeatLog(match_id=match_id, seat=seat, text=report.stderr)
        for seat, report in enumerate(record.seats)
        if report.stderr
    )
    _store(match_id, pack(_quiet(record)))
    return True


@prepared_update
def _settled(
    match_id: int, lease: UUID, status: str, rules: int, ending: str, game_ending: str, plies: int, wall_ms: int,
    digest: str, reason: str,
) -> tuple[QuerySet[Match], dict[str, Any]]:  # fmt: skip
    learned = dict(zip(COLUMNS, (rules, ending, game_ending, plies, wall_ms, digest, reason), strict=True))
    ended = {"status": status, "lease": None, "lease_until": None, "finished_at": Now()}
    return under_lease(match_id, lease), learned | ended


def _store(match_id: int, content: bytes) -> None:
    """Past the ORM as well; the other columns have their defaults in the database."""
    with connection.cursor() as cursor:
        into = f"{StoredRecord._meta.db_table} (match_id, content)"
        cursor.execute(f"INSERT INTO {into} VALUES (%s, %s)", [match_id, content])  # noqa: S608


def _write_seats(match_id: int, rows: list[dict[str, Any]]) -> None:
    """All seats in one statement, past the ORM, whose updates take longer than the database's."""
    columns = ", ".join(f"{name} = %s" for name in rows[0])
    values = [(*row.values(), match_id, seat) for seat, row in enumerate(rows)]
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE {Seat._meta.db_table} SET {columns} WHERE match_id = %s AND seat = %s", values)  # noqa: S608


def _columns(record: MatchRecord) -> dict[str, Any]:
    """What the row of the match learns."""
    return {
        "rules_version": record.order.rules_version,
        "ending": record.ending,
        "game_ending": record.outcome.ending if record.outcome else "",
        "plies": len(record.actions),
        "wall_ms": round(record.host.wall_ms),
        "digest": record.digest,
        "reason": "" if record.is_rateable else "every seat failed at start",
    }


def _seats(record: MatchRecord) -> list[dict[str, Any]]:
    """What the rows of the seats learn."""
    order = record.order
    turns = turns_of(order.game, seats=len(order.seats), seed=order.seed, options=order.options)
    return [_seat(record, seat, turn) for seat, turn in enumerate(turns)]


def _seat(record: MatchRecord, seat: int, turn: int) -> dict[str, Any]:
    report, fault = record.seats[seat], fault_of(record, seat)
    return {
        "turn": turn,
        "rank": record.ranks[seat] if record.ranks and record.is_rateable else None,
        "score": record.outcome.scores[seat] if record.outcome else None,
        "fault": fault.kind if fault else "",
        "fault_stage": fault.stage if fault else "",
        "fault_ply": fault.ply if fault else None,
        "fault_reason": fault.reason if fault else "",
        "cpu_ms": round(report.cpu_ms),
        "peak_kib": report.peak_memory_kib,
    }


def fault_of(record: MatchRecord, seat: int) -> Fault | None:
    """The fault that put a seat out."""
    return next((fault for fault in record.faults if fault.seat == seat), None)


def _quiet(record: MatchRecord) -> MatchRecord:
    """The record as it is kept for ever; what bots wrote to stderr is kept apart, as logs are thrown away in time."""
    return replace(record, seats=tuple(replace(report, stderr="") for report in record.seats))
