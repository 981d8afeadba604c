"""Writes the records of a series to files, with what the bots were called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from arena.desk.series import Entrant, PlayedMatch
from arena.packing import pack


def names_at(field: Sequence[Entrant], match: PlayedMatch) -> tuple[str, ...]:
    """What the bots of a match are called, by seat."""
    return tuple(field[place].name for place in match.game.sitting)


def write_records(path: Path, field: Sequence[Entrant], played: Sequence[PlayedMatch]) -> None:
    """One file, or one for each match with its number before the suffix; raises OSError."""
    for number, match in enumerate(played, start=1):
        name = path if len(played) == 1 else path.with_name(f"{path.stem}-{number:04}{path.suffix}")
        record = replace(match.record, names=names_at(field, match))
        name.write_bytes(pack(record) if name.suffix == ".zst" else orjson.dumps(record.as_json()) + b"\n")
