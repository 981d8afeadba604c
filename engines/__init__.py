"""Rules of the four games behind one contract: ``from engines import GAMES``."""

from __future__ import annotations

from engines.api import (
    Game,
    IllegalAction,
    InvalidAction,
    InvalidObservation,
    InvalidSetup,
    InvalidSnapshot,
    Outcome,
    State,
)

GAMES: dict[str, Game] = {}

__all__ = [
    "GAMES",
    "Game",
    "IllegalAction",
    "InvalidAction",
    "InvalidObservation",
    "InvalidSetup",
    "InvalidSnapshot",
    "Outcome",
    "State",
]
