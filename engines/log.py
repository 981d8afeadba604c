"""The log of a game as a chain that copies share: each link is (the log before, what happened last).

A state appends with ``self.log = (self.log, entry)``; what an entry is, an int or a tuple of ints, is the game's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

E = TypeVar("E")
# None: nothing has happened yet. What stands before is Any, for mypyc dies of a tuple type that holds itself.
Log = tuple[Any, E] | None


def entries(log: Log[E]) -> list[E]:
    """What happened, oldest first."""
    happened: list[E] = []
    while log is not None:
        log, entry = log
        happened.append(entry)
    happened.reverse()
    return happened


def chain(happened: Iterable[E]) -> Log[E]:
    """The log of what happened, given oldest first."""
    log: Any = None  # Any for the same reason
    for entry in happened:
        log = (log, entry)
    found: Log[E] = log
    return found
