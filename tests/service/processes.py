"""Which processes there were, and which of them still live; one may end between any two questions about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TypeVar

import psutil

Told = TypeVar("Told")


def family(pid: int) -> dict[int, float]:
    """A process and all its descendants, each with the time it began."""
    born = {each.pid: _born(each) for each in _descent(pid)}
    return {pid: began for pid, began in born.items() if began is not None}


def survivors(seen: Mapping[int, float]) -> list[str]:
    """The command lines of those seen that still live; a zombie does not."""
    alive = [each for each in psutil.process_iter() if each.pid != os.getpid() and seen.get(each.pid) == _born(each)]
    return [line for each in alive if (line := _command_line(each)) is not None]


def _command_line(process: psutil.Process) -> str | None:
    return _unless_gone(lambda: " ".join(process.cmdline())[:200])


def _descent(pid: int) -> list[psutil.Process]:
    def look() -> list[psutil.Process]:
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]

    return _unless_gone(look) or []


def _born(process: psutil.Process) -> float | None:
    def look() -> float | None:
        return float(process.create_time()) if process.status() != psutil.STATUS_ZOMBIE else None

    return _unless_gone(look)


def _unless_gone(ask: Callable[[], Told]) -> Told | None:
    """What a process tells, or None when it has ended meanwhile."""
    try:
        return ask()
    except psutil.Error:
        return None
