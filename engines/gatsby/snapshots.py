"""A position as JSON and back: what all eyes see of it, and the seed."""

from __future__ import annotations

from engines.api import Json, Snapshot
from engines.gatsby.observation import FIELDS, observe
from engines.gatsby.position import Position
from engines.reading import fields, or_null, require, seed, whole


def write_snapshot(s: Position) -> Snapshot:
    """Everything, seed included, as JSON values."""
    return {**observe(s, None), "seed": str(s.deal.seed)}


def read_snapshot(snapshot: Json) -> tuple[dict[str, Json], int]:
    """The view of all eyes, still to be understood, and the seed; raises Unreadable."""
    given = dict(fields({"snapshot": snapshot}, "snapshot", (*FIELDS, "seed")))
    require(or_null(whole, given, "seat", 0, 1) is None, "the seat of a snapshot is null: it hides nothing")
    number = seed(given, "seed")
    del given["seed"]
    return given, number
