"""Plays one match: the door through which a worker, a test and an author's desk all come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.order import MatchOrder
from arena.record import MatchRecord
from arena.sandbox.errors import SandboxUnavailable


class MatchAborted(RuntimeError):
    """The caller's abort() said that nobody wants this match any more."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a running match stands."""

    stage: str
    ply: int
    to_act: int | None


def play(
    order: MatchOrder,
    bundles: Mapping[str, Path],
    *,
    trust: bool = False,
    core: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    abort: Callable[[], bool] | None = None,
) -> MatchRecord:
    """Play an order; bundles maps each digest to its folder or uploaded file.

    Call it from the main thread: bots die with the thread that started them. on_progress is called at each stage,
    then at most once a second, also while a bot thinks; abort is asked at the same moments.
    Raises InvalidOrder, BundleRejected, SandboxUnavailable and MatchAborted; everything else is in the record.
    """
    raise SandboxUnavailable("the runner is not installed.", "install the arena package whole.")
