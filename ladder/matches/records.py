"""What is kept of a match, for whoever may see it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from arena import Frame, InvalidRecord, MatchRecord, Verification, View, frames, redact, unpack, verify
from ladder.files import FileKind, FileUnavailable, bytes_of
from ladder.matches.models import Match, SeatLog, StoredRecord
from ladder.matches.queries import is_revealed
from ladder.prepared import prepared
from ladder.refusals import Refused

MOST_FRAMES = 100


class NoRecord(Refused):
    """There is nothing to show yet, or nothing that may be shown yet."""

    code = "no_record"
    status = 404


class UnplayableRecord(Refused):
    """A record that the engines of today can't play."""

    code = "unplayable"
    status = 409


def stored_record(match: Match) -> MatchRecord:
    """The whole record of a match, for the service's own use; raises NoRecord."""
    kept = next(iter(_kept(match.pk)), None)
    if kept is None:
        raise NoRecord(f"Match {match.pk} is {match.status}: it has no record.")
    try:
        return unpack(bytes_of(FileKind.RECORD, *kept))
    except FileUnavailable as gone:
        raise NoRecord(gone.message, code=gone.code, status=gone.status) from None
    except InvalidRecord as damage:  # a worker may store anything
        raise NoRecord(f"The record of match {match.pk} can't be read: {damage}") from damage


@prepared
def _kept(match_id: int) -> QuerySet[StoredRecord, tuple[Any, str]]:
    return StoredRecord.objects.filter(match=match_id).values_list("content", "file")


def public_record(match: Match) -> MatchRecord:
    """The record as anyone may have it; raises NoRecord while a match of the same seed is still to be played."""
    return redact(_revealed_record(match))


def _revealed_record(match: Match) -> MatchRecord:
    record = stored_record(match)
    if not is_revealed(match):
        raise NoRecord(
            f"Match {match.pk} shares its seed with matches that are still to be played; try again later.",
            code="not_revealed",
            status=409,
        )
    return record


def frames_of(match: Match, *, view: View = None, start: int = 0, end: int | None = None) -> list[Frame]:
    """What a viewer draws: frames start to end (not included), at most 100, with one seat's eyes, anybody's or all.

    Raises NoRecord or UnplayableRecord.
    """
    last = min(start + MOST_FRAMES, end) if end is not None else start + MOST_FRAMES
    record = stored_record(match)
    try:
        return frames(record, view, start, last)
    except InvalidRecord as error:
        raise UnplayableRecord(f"The record of match {match.pk} can't be replayed: {error}") from error


def verification_of(match: Match) -> Verification:
    """Whether the record is true: its actions are played again. Raises NoRecord as ``public_record`` does."""
    return verify(_revealed_record(match))


def log_of(match: Match, seat: int) -> str:
    """The end of what the bot in a seat wrote to stderr; empty when it was silent or the log is too old."""
    return SeatLog.objects.filter(match=match, seat=seat).values_list("text", flat=True).first() or ""
