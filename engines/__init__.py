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
from engines.capone import GAME as _CAPONE
from engines.cotton_club import GAME as _COTTON_CLUB
from engines.gatsby import GAME as _GATSBY
from engines.speak_easy import GAME as _SPEAK_EASY

GAMES: dict[str, Game] = {"capone": _CAPONE, "cotton_club": _COTTON_CLUB, "gatsby": _GATSBY, "speak_easy": _SPEAK_EASY}

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
