"""Long writing in pieces, each as large as the machine is quick now, so that nobody else who writes waits long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

AIM_S = 0.05  # of holding the database; SQLite has one writer at a time, and asks again every tenth of a second at most
LEAST, MOST = 25, 250  # rows of a piece; smaller ones cost more than they spare
LONGEST_PAUSE_S = 0.5


class Pieces:
    """How many rows to write next, by how long the last ones held the database."""

    def __init__(self) -> None:
        self.size = 50

    @contextmanager
    def write(self) -> Iterator[None]:
        """A transaction of one piece; on SQLite others have the database for as long afterwards."""
        with transaction.atomic():
            began = time.perf_counter()  # from here on others wait
            yield
        held_s = time.perf_counter() - began
        self.size = fitting(self.size, held_s)
        if connection.vendor == "sqlite":
            time.sleep(min(held_s, LONGEST_PAUSE_S))


def fitting(size: int, held_s: float) -> int:
    """The size of the next piece when one of this size took so long: as small as needed, or up to twice as large."""
    wanted = int(size * AIM_S / held_s) if held_s > 0 else MOST
    return max(LEAST, min(wanted, 2 * size, MOST))
