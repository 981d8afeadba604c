"""The formats a tournament can have, by name."""

from __future__ import annotations

from ladder.tournaments.formats.gauntlet import Gauntlet
from ladder.tournaments.formats.knockout import Knockout
from ladder.tournaments.formats.plan import (
    VERSION,
    Format,
    Plan,
    PlanRefused,
    Round,
    Table,
    TableResult,
    seed_commitment,
    table_seed,
)
from ladder.tournaments.formats.round_robin import RoundRobin
from ladder.tournaments.formats.swiss import Swiss

FORMATS: dict[str, Format] = {each.name: each for each in (RoundRobin(), Gauntlet(), Swiss(), Knockout())}

__all__ = [
    "FORMATS",
    "VERSION",
    "Format",
    "Plan",
    "PlanRefused",
    "Round",
    "Table",
    "TableResult",
    "seed_commitment",
    "table_seed",
]
