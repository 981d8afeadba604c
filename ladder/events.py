"""What has happened, said by the room it happened in; ``ladder.pipeline`` alone listens, in every process.

A lower room never calls a higher one: it announces, and the pipeline's table says what that wakes. Listeners hear after
the commit, so that they find what was announced; of a transaction that was rolled back they hear nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial

from django.db import transaction

Listener = Callable[[int], None]


class Event(StrEnum):
    """Everything that is announced; the id that goes with it is of what the sentence begins with."""

    VERSION_RECEIVED = "version received"
    MATCHES_QUEUED = "matches queued"  # or released; without an id: there may be many
    MATCH_SETTLED = "match settled"
    BOT_DUE = "bot due"  # in a sitting, after a person's action
    LADDER_OUTDATED = "ladder outdated"  # its ratings no longer follow from its matches
    DUEL_STARTED = "duel started"
    TOURNAMENT_CHANGED = "tournament changed"  # started or resumed


LISTENING: dict[Event, Listener] = {}


def subscribe(listeners: dict[Event, Listener]) -> None:
    """Have these called for these events from now on."""
    LISTENING.update(listeners)


def announce(event: Event, about: int = 0) -> None:
    """Say what has happened, once the transaction it happened in is committed."""
    transaction.on_commit(partial(_tell, event, about))


def _tell(event: Event, about: int) -> None:
    if listener := LISTENING.get(event):
        listener(about)
