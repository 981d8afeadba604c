"""Work that one process at a time may do: making tables, what a new service begins with, holding the data folder."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from django.conf import settings
from django.db import DatabaseError, connection

KEY = 0x52756D72  # "Rumr": the number of our advisory lock; other programs of the same database have others
WAITING = "Another process is setting up this database; waiting for it to finish."


@contextmanager
def one_at_a_time(say: Callable[[str], object]) -> Iterator[None]:
    """Wait until no other process of this database is in here."""
    with (_by_database if connection.vendor == "postgresql" else _by_file)(say):
        yield


@contextmanager
def _by_database(say: Callable[[str], object]) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [KEY])
        if not cursor.fetchone()[0]:
            say(WAITING)
            cursor.execute("SELECT pg_advisory_lock(%s)", [KEY])
    try:
        yield
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:  # a lost connection has let go of it already
            cursor.execute("SELECT pg_advisory_unlock(%s)", [KEY])


@contextmanager
def _by_file(say: Callable[[str], object]) -> Iterator[None]:
    settings.DATA.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (settings.DATA / "setup.lock").open("a") as lock:
        if not take_file(lock):
            say(WAITING)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def take_file(lock: IO[str]) -> bool:
    """Hold a file until it is closed; False when another process holds it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
