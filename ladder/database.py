"""When the database is away: how that looks from here, and how it is told."""

from __future__ import annotations

import logging
import sqlite3

from django.db import DatabaseError, InterfaceError, OperationalError

RETRY_AFTER_S = 30
WHAT = "The database does not answer at the moment."
NEXT = f"Try again in {RETRY_AFTER_S} seconds. Matches and results that were stored are safe."
BAD_QUERY = 1  # SQLite's code for what PostgreSQL calls a programming error
SILENT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)  # told by SQLite without the name of an operational error


def is_away(error: BaseException | None) -> bool:
    """Whether the database can't be reached, read or written now; a query that is wrong is our own failure."""
    code = getattr(getattr(error, "__cause__", None), "sqlite_errorcode", None)
    if isinstance(error, OperationalError | InterfaceError):
        return code != BAD_QUERY
    return isinstance(error, DatabaseError) and code in SILENT


class OneLineOutages(logging.Filter):
    """A database that is away is one line in the log, not a traceback for each request and each beat."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and is_away(record.exc_info[1]):
            record.msg, record.args = f"{record.getMessage()} (the database is away: {record.exc_info[1]})", ()
            record.exc_info = record.exc_text = None
        return True
