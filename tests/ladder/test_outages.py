"""What is an outage and what is a failure of ours, and how each is told."""

from __future__ import annotations

import errno
import logging
import sqlite3
import sys
from pathlib import Path

import pytest
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, ProgrammingError
from psycopg.errors import UndefinedTable

from ladder.outages import RETRY_AFTER_S, OneLineOutages, explain, is_away

DATA = Path("/srv/rum")


def of_sqlite(kind: type[Exception], code: int, told: str = "it failed") -> Exception:
    """An error of Django's with the one of SQLite that caused it."""
    error = kind(told)
    cause = sqlite3.DatabaseError("it failed")
    cause.sqlite_errorcode = code
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (OperationalError("could not connect"), True),
        (InterfaceError("connection already closed"), True),
        (of_sqlite(OperationalError, sqlite3.SQLITE_BUSY), True),
        (of_sqlite(OperationalError, sqlite3.SQLITE_CANTOPEN), True),
        (of_sqlite(OperationalError, 1), False),
        (of_sqlite(DatabaseError, sqlite3.SQLITE_CORRUPT), True),
        (of_sqlite(DatabaseError, sqlite3.SQLITE_NOTADB), True),
        (DatabaseError("what?"), False),
        (ProgrammingError("no such column"), False),
        (IntegrityError("twice"), False),
        (ValueError("ours"), False),
        (None, False),
    ],
)
def test_a_database_that_can_t_be_used_is_away_and_a_wrong_query_is_ours(error: Exception | None, away: bool) -> None:
    assert is_away(error) is away


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk under /srv/rum is full. Make room"),
        (OSError(errno.EDQUOT, "Quota exceeded"), "the disk under /srv/rum is full. Make room"),
        (of_sqlite(OperationalError, sqlite3.SQLITE_FULL), "the disk under /srv/rum is full. Make room"),
        (PermissionError(errno.EACCES, "Permission denied", "/srv/x"), "/srv/x can't be used (Permission denied)"),
        (OSError(errno.EROFS, "Read-only file system"), "/srv/rum can't be used (Read-only file system)"),
        (of_sqlite(OperationalError, 1, "no such table: a"), "the database is not set up (no such table: a). Run"),
        (UndefinedTable('relation "a" does not exist'), "the database is not set up"),
        (OperationalError(" refused \n"), "the database does not answer (refused). Start it"),
    ],
)
def test_what_the_machine_refused_is_told_with_what_to_do(error: Exception, told: str) -> None:
    assert (explain(error, DATA) or "").startswith(told)


@pytest.mark.parametrize("error", [ValueError("x"), OSError(errno.ENOENT, "No such file"), IntegrityError("twice")])
def test_a_failure_of_ours_is_not_explained_away(error: Exception) -> None:
    assert explain(error, DATA) is None


@pytest.mark.parametrize("is_cause", [True, False])
def test_the_reason_is_found_behind_what_was_raised(is_cause: bool) -> None:
    outer, inner = RuntimeError("outer"), OSError(errno.ENOSPC, "No space left on device")
    if is_cause:
        outer.__cause__ = inner
    else:
        outer.__context__ = inner
    assert "is full" in (explain(outer, DATA) or "")


def record(error: Exception | None) -> logging.LogRecord:
    info = (type(error), error, None) if error else None
    return logging.LogRecord("ladder", logging.ERROR, __file__, 1, "stage %s failed", ("rate",), info)


def test_an_outage_is_one_line_in_the_log() -> None:
    line = record(OperationalError("could not connect"))
    assert OneLineOutages().filter(line)
    assert line.getMessage() == "stage rate failed (the database is away: could not connect)"
    assert (line.exc_info, line.exc_text) == (None, None)


@pytest.mark.parametrize("error", [None, ValueError("ours")])
def test_anything_else_keeps_its_traceback(error: Exception | None) -> None:
    line = record(error)
    assert OneLineOutages().filter(line)
    assert line.getMessage() == "stage rate failed"
    assert bool(line.exc_info) is (error is not None)


def test_people_are_told_a_time_that_is_the_header_s() -> None:
    from ladder import outages

    assert f"{RETRY_AFTER_S} seconds" in outages.NEXT
    assert "ladder.outages" in sys.modules
