"""A position as JSON and back: all that all eyes see, and the seed."""

from __future__ import annotations

from engines.api import Json, Snapshot
from engines.capone.observation import observe
from engines.capone.position import Position
from engines.capone.rebuild import rebuild
from engines.reading import compare


def write_snapshot(state: Position) -> Snapshot:
    """Everything, the seed as a decimal string."""
    return {**observe(state, None), "seed": str(state.seed)}


def read_snapshot(snapshot: Json, state: Position) -> None:
    """Put what a snapshot tells on an empty table; raises Unreadable."""
    rebuild(snapshot, state)
    compare(snapshot, write_snapshot(state))
