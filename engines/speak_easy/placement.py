"""SE 3: which kinds may be placed next, so that the rest can still be placed."""

from __future__ import annotations

from engines.speak_easy.position import Position
from engines.speak_easy.tables import BABE, BAR_PLACES, KINDS, PIECES_A_SIDE, REAR_PLACES, SPEAKEASY


def placements(state: Position) -> list[int]:
    """The kinds that may stand on the cell to be filled."""
    seat, order = divmod(state.placed, PIECES_A_SIDE)
    left = state.unplaced[seat]
    if left[SPEAKEASY] and order == BAR_PLACES[-1]:
        return [SPEAKEASY]  # SE 3.3: the last bar left for it
    rear_after = max(0, REAR_PLACES - order - 1) - left[SPEAKEASY]
    kinds = [kind for kind in KINDS if left[kind]]
    if left[SPEAKEASY] and order not in BAR_PLACES:
        kinds.remove(SPEAKEASY)
    if left[BABE] > rear_after:  # SE 3.4: every rear cell but the Speakeasy's is needed for the Babes
        return [kind for kind in kinds if kind in (BABE, SPEAKEASY)]
    return kinds
