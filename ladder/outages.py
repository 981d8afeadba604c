"""When the database is away, the disk is full or engines are missing: how that looks from here, and how it is told."""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from django.db import DatabaseError, InterfaceError, OperationalError

RETRY_AFTER_S = 30
WHAT = "The database is not responding."
NEXT = f"Try again in {RETRY_AFTER_S} seconds. Stored matches and results are safe."
BAD_QUERY = 1  # SQLite's code for what PostgreSQL calls a programming error
SILENT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)  # told by SQLite without the name of an operational error
UNDEFINED_TABLE = "42P01"  # PostgreSQL's
FULL = (errno.ENOSPC, errno.EDQUOT)
UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO)


def is_away(error: BaseException | None) -> bool:
    """Whether the database can't be reached, read or written now; a query that is wrong is our own failure."""
    code = _sqlite_code(error)
    if isinstance(error, OperationalError | InterfaceError):
        return code != BAD_QUERY
    return isinstance(error, DatabaseError) and code in SILENT


def explain(error: BaseException, data: Path) -> str | None:
    """For whoever started a command: what the machine refused, and what to do; None for a failure of our own."""
    for each in _chain(error):
        if _is_full(each):
            return f"the disk under {data} is full. Make room, or set RUMRUNNER_DATA to a folder on another disk."
        if isinstance(each, OSError) and each.errno in UNWRITABLE:
            return f"{each.filename or data} can't be used ({each.strerror}). Make it yours, or choose another folder."
        if _lacks_table(each):
            return f"the database is not set up ({str(each).strip()}). Run manage.py migrate first."
        if isinstance(each, ImportError) and str(each).startswith("RUMRUNNER_"):
            return f"{each}."  # engines that can't be had as a setting asks for
        if is_away(each):
            return f"the database does not answer ({str(each).strip()}). Start it, or look at RUMRUNNER_DATABASE_URL."
    return None


def _lacks_table(error: BaseException) -> bool:
    """SQLite says so in words alone, PostgreSQL by a code."""
    in_words = isinstance(error, OperationalError) and str(error).startswith("no such table")
    return in_words or getattr(error, "sqlstate", None) == UNDEFINED_TABLE


def _is_full(error: BaseException) -> bool:
    return (isinstance(error, OSError) and error.errno in FULL) or _sqlite_code(error) == sqlite3.SQLITE_FULL


def _sqlite_code(error: BaseException | None) -> int | None:
    return getattr(getattr(error, "__cause__", None), "sqlite_errorcode", None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


class OneLineOutages(logging.Filter):
    """A database that is away is one line in the log, not a traceback for each request and each beat."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and is_away(record.exc_info[1]):
            record.msg, record.args = f"{record.getMessage()} (the database is away: {record.exc_info[1]})", ()
            record.exc_info = record.exc_text = None
        return True
