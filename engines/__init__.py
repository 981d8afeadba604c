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
from engines.capone import GAME as _CAPONE
from engines.cotton_club import GAME as _COTTON_CLUB
from engines.games import Games
from engines.gatsby import GAME as _GATSBY
from engines.speak_easy import GAME as _SPEAK_EASY

# In the order in which they are listed everywhere.
GAMES = Games((_SPEAK_EASY, _GATSBY, _CAPONE, _COTTON_CLUB))

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
