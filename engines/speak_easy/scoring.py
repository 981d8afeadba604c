"""SE 6: when a game is over and what it was worth."""

from __future__ import annotations

from engines.api import Outcome
from engines.speak_easy.tables import PLY_LIMIT, QUIET_LIMIT

ENDINGS = ("speakeasy", "no_move", "quiet", "ply_limit")


def drawn_by(quiet: int, plies: int) -> str | None:
    """SE 6.3: the ending if the game is drawn now."""
    if quiet >= QUIET_LIMIT:
        return "quiet"
    if plies >= PLY_LIMIT:
        return "ply_limit"
    return None


def outcome(ending: str | None, winner: int | None) -> Outcome | None:
    if ending is None:
        return None
    if winner is None:
        return Outcome(ranks=(1, 1), scores=(0.5, 0.5), ending=ending)
    if winner == 0:
        return Outcome(ranks=(1, 2), scores=(1.0, 0.0), ending=ending)
    return Outcome(ranks=(2, 1), scores=(0.0, 1.0), ending=ending)
