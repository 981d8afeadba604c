"""Records and bundles on their way between the database and the store outside, while the service runs.

A file is put into the store and read back before its row names it, and a row changes only if it is still as it was
read. So whoever stops this at any moment, or runs it twice, loses nothing: what was not moved is moved the next time.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from itertools import islice
from typing import Any

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db.models import Model, Q, QuerySet
from django.utils.timezone import now

from ladder.files import (
    LINK_DAYS,
    FileKind,
    FileLost,
    FileUnavailable,
    fetch,
    has_store,
    link_to,
    name_of,
    put,
    the_store,
)
from ladder.matches.models import StoredRecord
from ladder.submissions.models import Bundle

log = structlog.get_logger("ladder.operations")
THREADS = 4
BATCHES_A_BEAT = 5
AWAY, AWAY_S = "operations:store-away", 60  # a store that did not answer is left alone for so long
ORPHAN_AGE = timedelta(days=1)  # longer than any reader or backup may still hold a name that its row has given up
PARTS = 256  # of the store, by the first two letters of digests; one is looked through an hour
RELINK_AGE = timedelta(days=LINK_DAYS - 1)


TableRow = tuple[Any, ...]


class FileHome(StrEnum):
    """Where a file can be."""

    STORE = "store"
    DATABASE = "database"


@dataclass(frozen=True, slots=True)
class FileTable:
    """A table whose rows are files."""

    model: type[Model]
    kind: FileKind
    batch: int  # rows in memory at once

    def rows(self) -> QuerySet[Any]:
        return self.model._default_manager.all()

    def to_move(self, to: FileHome) -> QuerySet[Any]:
        at_rest = ~Q(file="")
        return self.rows().filter(~at_rest if to == FileHome.STORE else at_rest)


SHELVES = (FileTable(Bundle, FileKind.BUNDLE, batch=THREADS), FileTable(StoredRecord, FileKind.RECORD, batch=100))


@dataclass(frozen=True, slots=True)
class MovedBatch:
    """What became of one batch."""

    files: int
    lost: tuple[str, ...] = ()  # names the store has no right bytes for


@functools.cache
def pool() -> ThreadPoolExecutor:
    """Threads that stay: each has a connection to the store, which is dear to make."""
    return ThreadPoolExecutor(THREADS, thread_name_prefix="store")


def left_to_move(to: FileHome) -> int:
    """How many files are not there yet."""
    return sum(shelf.to_move(to).count() for shelf in SHELVES)


def move_files(to: FileHome) -> Iterator[MovedBatch]:
    """Move every file there, batch by batch; raises FileUnavailable when the store is away."""
    for shelf in SHELVES:
        last = None
        while rows := _next_rows(shelf, to, last):
            yield _to_store(shelf, rows) if to == FileHome.STORE else _to_database(shelf, rows)
            last = rows[-1][0]


def _next_rows(shelf: FileTable, to: FileHome, last: Any) -> list[tuple[Any, bytes, str]]:
    waiting = shelf.to_move(to) if last is None else shelf.to_move(to).filter(pk__gt=last)
    return list(waiting.order_by("pk").values_list("pk", "content", "file")[: shelf.batch])


def _to_store(shelf: FileTable, rows: list[tuple[Any, bytes, str]]) -> MovedBatch:
    moved = 0
    digests = pool().map(lambda row: put(shelf.kind, bytes(row[1])), rows)
    for (pk, *_), digest in zip(rows, digests, strict=True):
        at_rest = {"content": b"", "file": digest, **_link(shelf, digest)}
        moved += shelf.rows().filter(pk=pk, file="").update(**at_rest)
    return MovedBatch(moved)


def _link(shelf: FileTable, digest: str) -> dict[str, Any]:
    return {"link": link_to(shelf.kind, digest), "linked_at": now()} if shelf.model is Bundle else {}


def _to_database(shelf: FileTable, rows: list[tuple[Any, bytes, str]]) -> MovedBatch:
    moved, lost = 0, []
    contents = pool().map(lambda row: fetch_or_none(shelf.kind, row[2]), rows)
    for (pk, _, file), content in zip(rows, contents, strict=True):
        if content is None:
            lost.append(name_of(shelf.kind, file))
        else:
            moved += shelf.rows().filter(pk=pk, file=file).update(content=content, file="")
    return MovedBatch(moved, tuple(lost))


def fetch_or_none(kind: FileKind, digest: str) -> bytes | None:
    """The bytes from the store; None when they are lost. Raises FileUnavailable when the store is away."""
    try:
        return fetch(kind, digest)
    except FileLost:
        return None


def whole_rows(model: type[Model], columns: list[str], rows: Iterable[TableRow], lost: list[str]) -> Iterator[TableRow]:
    """Rows of any table, those of files with their bytes from the store; a row whose file is lost stays as it is."""
    shelf = next((shelf for shelf in SHELVES if shelf.model is model), None)
    if shelf is None:
        yield from rows
        return
    content, file, waiting = columns.index("content"), columns.index("file"), iter(rows)
    while some := list(islice(waiting, shelf.batch)):
        fetched = pool().map(lambda row: fetch_or_none(shelf.kind, row[file]) if row[file] else row[content], some)
        for row, found in zip(some, fetched, strict=True):
            if found is None:
                lost.append(name_of(shelf.kind, row[file]))
                yield row
            else:
                yield tuple({content: found, file: ""}.get(at, value) for at, value in enumerate(row))


def fill_store() -> int:
    """Put what is new in the database to rest in the store; the pipeline asks every beat. Returns how many files."""
    if not (has_store() and settings.STORE_WRITES) or cache.get(AWAY):
        return 0
    try:
        return sum(moved.files for moved in islice(move_files(FileHome.STORE), BATCHES_A_BEAT))
    except FileUnavailable:
        cache.set(AWAY, True, timeout=AWAY_S)
        return 0


def renew_links() -> int:
    """Sign the links of bundles anew before they run out; returns how many."""
    if not has_store():
        return 0
    old = Bundle.objects.filter(~Q(file=""), Q(linked_at=None) | Q(linked_at__lt=now() - RELINK_AGE))
    for digest in (digests := list(old.values_list("file", flat=True))):
        Bundle.objects.filter(file=digest).update(link=link_to(FileKind.BUNDLE, digest), linked_at=now())
    return len(digests)


def drop_orphans() -> int:
    """Look through a part of the store, another each hour, for files that no row names any more; returns how many."""
    if not (has_store() and settings.STORE_WRITES):
        return 0
    part = f"{int(time.time() / 3600) % PARTS:02x}"
    try:
        return sum(drop_orphans_in(shelf, part) for shelf in SHELVES)
    except Exception as error:  # noqa: BLE001 - each kind of store has its own
        log.warning("store not tidied", error=f"{type(error).__name__}: {error}"[:300])
        return 0


def drop_orphans_in(shelf: FileTable, part: str) -> int:
    """Delete the old files of one part that no row names."""
    try:
        digests = [part + name for name in the_store().listdir(f"{shelf.kind}/{part}")[1]]
    except FileNotFoundError:
        return 0
    gone = 0
    while some := digests[:500]:
        del digests[:500]
        named = set(shelf.rows().filter(file__in=some).values_list("file", flat=True))
        gone += sum(_drop_if_old(name_of(shelf.kind, digest)) for digest in some if digest not in named)
    return gone


def _drop_if_old(name: str) -> bool:
    store = the_store()
    if store.get_modified_time(name) > now() - ORPHAN_AGE:
        return False
    store.delete(name)
    log.info("file that nothing names deleted", name=name)
    return True
