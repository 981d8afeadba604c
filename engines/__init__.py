"""Rules of games behind one contract: ``from engines import GAMES``."""

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
from engines.compiled import BUILD  # before any module that may be compiled
from engines.games import Games

# In the order in which they are listed everywhere; each is imported when it is first asked for.
GAMES = Games(("speak_easy", "gatsby", "capone", "cotton_club"))

__all__ = [
    "BUILD",
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
