"""Reads that belong together see the database as it stood at one moment, while others go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Hold one view of the database for all reads inside, without keeping a writer waiting; writing is an error.

    Inside a transaction that is open already its own view is all there is.
    """
    if connection.in_atomic_block:
        yield
        return
    begin = _begin_on_sqlite if connection.vendor == "sqlite" else _begin_on_postgresql
    with begin():
        yield


@contextmanager
def _begin_on_sqlite() -> Iterator[None]:
    """With a write-ahead log a transaction that only reads keeps the view of its first read."""
    sqlite: Any = connection
    sqlite.ensure_connection()  # which is when it learns its usual mode
    usual, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic():
            sqlite.transaction_mode = usual
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA query_only = ON")
            try:
                yield
            finally:
                with connection.cursor() as cursor:
                    cursor.execute("PRAGMA query_only = OFF")
    finally:
        sqlite.transaction_mode = usual


@contextmanager
def _begin_on_postgresql() -> Iterator[None]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
