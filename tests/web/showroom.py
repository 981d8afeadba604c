"""The site over a small world with something on every page: for browsers that look and don't wait for matches."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.service.harness import Service, running

USER, PASSWORD = "lena", "long enough 1"

FURNISH = """
from random import Random
from ladder import pipeline
pipeline.send = lambda *a, **k: None
pipeline.messages_waiting = lambda queue: 0
from tests.web import world
answer(world.furnish(Random(7)))
"""


@dataclass(frozen=True, slots=True)
class Room:
    """Where the site is and who can sign in; matches by game, one of each."""

    url: str
    user: str
    password: str
    matches: dict[str, int]
    service: Service


@contextmanager
def showroom(data: Path | None = None) -> Iterator[Room]:
    """A web server over such a world; no workers run."""
    with (
        tempfile.TemporaryDirectory(prefix="rumrunner-showroom-") as folder,
        running(data or Path(folder) / "data", RUMRUNNER_DEMO="false") as service,
    ):
        service.start_broker()
        service.make_tables()
        matches = service.ask(FURNISH)
        yield Room(service.start_web(), USER, PASSWORD, matches, service)
