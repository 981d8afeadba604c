"""A database that is away, as far as Django's own connection can tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection

SECRET = "connection to server at db.internal failed"


@contextmanager
def database_away() -> Iterator[None]:
    """Every query fails as it does while no server answers."""

    def fail(*_: Any) -> None:
        raise OperationalError(SECRET)

    with connection.execute_wrapper(fail):
        yield
