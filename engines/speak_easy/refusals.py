"""Why an action may not be taken now, in words a bot's author can act on."""

from __future__ import annotations

from engines.speak_easy.actions import TRAVEL
from engines.speak_easy.position import PLACE, Position
from engines.speak_easy.streets import reach
from engines.speak_easy.tables import (
    BIT,
    BUILDINGS,
    CELL_NAMES,
    KID,
    KIND_NAMES,
    MOBILE,
    PIECES_A_SIDE,
    PLACES,
    SPEAKEASY,
)


def why_not(state: Position, action: int) -> str:
    """The reason why an action of the game is not legal now."""
    seat = state.to_act or 0
    return _why_not_place(state, action, seat) if state.choice == PLACE else _why_not_move(state, action, seat)


def _why_not_place(state: Position, action: int, seat: int) -> str:
    cell = PLACES[seat][state.placed % PIECES_A_SIDE]
    if action in TRAVEL:
        return f"pieces are still being placed; seat {seat} must fill {CELL_NAMES[cell]}"
    if not state.unplaced[seat][action]:
        return f"seat {seat} has no {KIND_NAMES[action]} left to place"
    if action == SPEAKEASY:
        return f"the Speakeasy stands on a bar, and {CELL_NAMES[cell]} is none"
    return f"{CELL_NAMES[cell]} is needed for the Speakeasy or the Babes"


def _why_not_move(state: Position, action: int, seat: int) -> str:
    if action not in TRAVEL:
        return "all pieces are placed; a move is two cells, like a6-a7"
    start, end = TRAVEL[action]
    home, other = state.standing[start], BIT[end]
    if not state.pieces[seat] & BIT[start]:
        return f"seat {seat} has no piece on {CELL_NAMES[start]}"
    if not MOBILE[state.kinds[home]]:
        return f"the {KIND_NAMES[state.kinds[home]]} never moves"
    if state.pieces[seat] & other:
        return f"an own piece stands on {CELL_NAMES[end]}"
    if state.pieces[1 - seat] & other & BUILDINGS:
        return f"the building {CELL_NAMES[end]} is held by the enemy"
    if state.kinds[home] == KID:
        return f"no way through empty streets leads from {CELL_NAMES[start]} to {CELL_NAMES[end]}"
    if reach(start, 0) & other:
        return f"the street from {CELL_NAMES[start]} to {CELL_NAMES[end]} is blocked"
    return "only a Kid turns corners"
