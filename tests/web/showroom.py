"""The site over a small world with something on every page: for browsers that look and don't wait for matches."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena import MatchRecord
from tests.service.harness import Service, running
from tests.service.tables import kept

USER, PASSWORD = "lena", "long enough 1"

FURNISH = """
from random import Random
from ladder import pipeline
pipeline.send = lambda *a, **k: None
pipeline.messages_waiting = lambda queue: 0
from ladder.matches.models import Match
from ladder.matches.records import stored_record
from tests.web import world
matches = world.furnish(Random(7), days=DAYS)
shown = {game: Match.objects.get(pk=pk) for game, pk in matches.items()}
names = {
    game: list(match.seats.order_by("seat").values_list("version__bot__name", flat=True))
    for game, match in shown.items()
}
records = {game: stored_record(match).as_json() for game, match in shown.items()}
answer({"matches": matches, "names": names, "records": records})
"""
NOT_COPIED = shutil.ignore_patterns("broker", "logs")  # what belongs to the processes of the one who furnished


@dataclass(frozen=True, slots=True)
class Room:
    """Where the site is and who can sign in; by game one match, the names of its bots and its record."""

    url: str
    user: str
    password: str
    matches: dict[str, int]
    names: dict[str, list[str]]
    records: dict[str, MatchRecord]
    service: Service


@contextmanager
def showroom(data: Path | None = None, *, days: int = 0) -> Iterator[Room]:
    """A web server over such a world, where wanted with ladders fitted after each of some days; no workers run."""
    with (
        tempfile.TemporaryDirectory(prefix="rumrunner-showroom-") as folder,
        running(data or Path(folder) / "data", RUMRUNNER_DEMO="false") as service,
    ):
        service.start_broker()
        told = furnish(service, days)
        records = {game: MatchRecord.from_json(record) for game, record in told["records"].items()}
        yield Room(service.start_web(), USER, PASSWORD, told["matches"], told["names"], records, service)


def furnish(service: Service, days: int = 0) -> dict[str, Any]:
    """Make the world, or copy the one that another process of this run made; returns what is in it."""
    with kept(f"showroom-{days}") as before:
        if before is not None and (before / "told.json").exists():
            shutil.copytree(before, service.data, dirs_exist_ok=True)
            return dict(json.loads((before / "told.json").read_text()))
        service.make_tables()
        told: dict[str, Any] = service.ask(FURNISH.replace("DAYS", str(days)))
        if before is not None:
            shutil.copytree(service.data, before, ignore=NOT_COPIED)
            (before / "told.json").write_text(json.dumps(told))
        return told
