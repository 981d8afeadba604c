"""Log files that are put aside when they have grown, and one format for what all processes write."""

from __future__ import annotations

import logging.config
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from gunicorn.glogging import Logger

KEPT = 5


@dataclass(frozen=True, slots=True)
class Rotation:
    """How large a log may become, and how many older ones are kept beside it; 0 bytes mean no limit."""

    most_bytes: int
    kept: int = KEPT

    def apply(self, log: Path) -> str | None:
        """Put a log aside if it is too large; returns what prevented it, if anything did."""
        try:
            if self.most_bytes and log.exists() and log.stat().st_size > self.most_bytes:
                self._make_room(log)
                _move_content(log, _older(log, 1))
        except OSError as error:
            return f"The log {log} can't be rotated: {error.strerror}."
        return None

    def _make_room(self, log: Path) -> None:
        for number in range(self.kept - 1, 0, -1):
            if _older(log, number).exists():
                _older(log, number).replace(_older(log, number + 1))


def _older(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")


def _move_content(log: Path, aside: Path) -> None:
    """Its writers append, so they go on at the beginning of the emptied file."""
    with log.open("r+b") as source, aside.open("wb") as target:
        while source.tell() < os.fstat(source.fileno()).st_size:
            shutil.copyfileobj(source, target)
        source.truncate(0)


class OneFormat(Logger):  # type: ignore[misc]  # gunicorn has no types
    """The web server's own messages as those of everybody else, where logs are read by programs."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        if settings.LOG_FORMAT == "json":
            logging.config.dictConfig(settings.LOGGING)
            self.error_log.handlers.clear()
            self.error_log.propagate = True
