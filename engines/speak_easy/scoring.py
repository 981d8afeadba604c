"""SE 6.4: what a finished game was worth."""

from __future__ import annotations

from engines.api import Outcome


def outcome(ending: str | None, winner: int | None) -> Outcome | None:
    if ending is None:
        return None
    if winner is None:
        return Outcome(ranks=(1, 1), scores=(0.5, 0.5), ending=ending)
    if winner == 0:
        return Outcome(ranks=(1, 2), scores=(1.0, 0.0), ending=ending)
    return Outcome(ranks=(2, 1), scores=(0.0, 1.0), ending=ending)
