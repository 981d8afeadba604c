"""SE 6.4: what a finished game was worth."""

from __future__ import annotations

from engines.api import Outcome
from engines.speak_easy.position import Position


def outcome(state: Position) -> Outcome | None:
    """None until the game is over."""
    if state.ending is None:
        return None
    if state.winner is None:
        return Outcome(ranks=(1, 1), scores=(0.5, 0.5), ending=state.ending)
    if state.winner == 0:
        return Outcome(ranks=(1, 2), scores=(1.0, 0.0), ending=state.ending)
    return Outcome(ranks=(2, 1), scores=(0.0, 1.0), ending=state.ending)
