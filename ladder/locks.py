"""Work that one process at a time may do: making tables, a stage of the pipeline, holding the data folder."""

from __future__ import annotations

import fcntl
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import IO

from django.conf import settings
from django.db import DatabaseError, connection

KEY = 0x52756D72  # "Rumr": the number of our advisory lock; other programs of the same database have others
PATIENT = "SET lock_timeout = 0; SET statement_timeout = 0"  # making tables takes as long as it takes
WAITING = "Another process is setting up this database; waiting for it to finish."


@contextmanager
def one_at_a_time(say: Callable[[str], object]) -> Iterator[None]:
    """Wait until no other process of this database is in here."""
    with (_by_database if connection.vendor == "postgresql" else _by_file)(say):
        yield


@contextmanager
def _by_database(say: Callable[[str], object]) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(PATIENT)
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [KEY])
        if not cursor.fetchone()[0]:
            say(WAITING)
            cursor.execute("SELECT pg_advisory_lock(%s)", [KEY])
    try:
        yield
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:  # a lost connection has let go of it already
            cursor.execute("SELECT pg_advisory_unlock(%s); RESET lock_timeout; RESET statement_timeout", [KEY])


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


@contextmanager
def alone(name: str) -> Iterator[bool]:
    """Whether no other process is at the work of this name; it stays so until the block ends, or this process does.

    Nobody waits: who comes second leaves it to the first. This saves work and no more than that; what must happen once
    is held by rows and constraints, also when a lost connection to PostgreSQL has let go of the name.
    """
    with (_name_in_database if connection.vendor == "postgresql" else _name_in_file)(_number_of(name)) as is_mine:
        yield is_mine


def each_alone(kind: str, ids: Iterable[int], work: Callable[[int], int]) -> int:
    """Do what is to be done for each of these that no other process is at; one that fails stops no other."""
    done, failures = 0, []
    for pk in ids:
        with alone(f"{kind} {pk}") as is_mine:
            try:
                done += work(pk) if is_mine else 0
            except Exception as error:  # noqa: BLE001 - raised below
                failures.append(error)
    if failures:
        raise failures[0]
    return done


def _number_of(name: str) -> int:
    return int.from_bytes(blake2b(f"rumrunner {name}".encode(), digest_size=7).digest())


@contextmanager
def _name_in_database(number: int) -> Iterator[bool]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [number])
        is_mine = bool(cursor.fetchone()[0])
    try:
        yield is_mine
    finally:
        if is_mine:
            with suppress(DatabaseError), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [number])


@contextmanager
def _name_in_file(number: int) -> Iterator[bool]:
    """One byte of a file stands for each name; an open file's locks go with it, whatever else the process has open."""
    settings.DATA.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (settings.DATA / "stages.lock").open("a") as file:
        try:
            fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, number, 1, 0))
        except BlockingIOError:
            yield False
        else:
            yield True
