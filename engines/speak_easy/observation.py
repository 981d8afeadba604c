"""SE 7: what a seat sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.api import EngineError, Json, Observation
from engines.speak_easy import log, scoring
from engines.speak_easy.snapshots import RULES_VERSION
from engines.speak_easy.tables import BIT, CELL_NAMES, CELLS, CODES, PIECES_A_SIDE, PLACES, TO_PLACE

if TYPE_CHECKING:
    from engines.speak_easy.state import SpeakEasyState


def observe(state: SpeakEasyState, seat: int | None) -> Observation:
    """What the seat may know; None sees everything but the seed; raises EngineError for another seat."""
    if seat is not None and (type(seat) is not int or seat not in (0, 1)):
        raise EngineError(f"there is no seat {seat!r}; speak_easy has seats 0 and 1, and None for all eyes")
    happened = log.entries(state.log)
    outcome = scoring.outcome(state.ending, state.winner)
    return {
        "game": "speak_easy",
        "rules_version": RULES_VERSION,
        "seat": seat,
        "seats": 2,
        "options": {},
        "phase": phase(state),
        "pending": pending(state),
        "to_act": state.to_act,
        "ply": state.placed + state.plies,
        "outcome": None if outcome is None else outcome.as_json(),
        "log": log.texts(happened, first=state.first, seat=seat),
        "first": state.first,
        "moves": state.plies,
        "quiet": state.quiet,
        "unplaced": [unplaced(state, owner) if seat in (owner, None) else None for owner in (0, 1)],
        "pieces": pieces(state, seat),
        "confrontations": log.confrontations(happened),
    }


def phase(state: SpeakEasyState) -> str:
    if state.to_act is None:
        return "over"
    return "setup" if state.placed < TO_PLACE else "play"


def pending(state: SpeakEasyState) -> Json:
    """SE 3.6: in setup the cell to be filled; a move is one choice, so nothing is pending later."""
    if state.placed == TO_PLACE:
        return None
    seat, order = divmod(state.placed, PIECES_A_SIDE)
    return {"place": CELL_NAMES[PLACES[seat][order]]}


def unplaced(state: SpeakEasyState, seat: int) -> dict[str, int]:
    return {code: count for code, count in zip(CODES, state.unplaced[seat], strict=True) if count}


def pieces(state: SpeakEasyState, seat: int | None) -> list[dict[str, Any]]:
    """SE 7.1: every piece placed, known by its home; an enemy's kind only when a confrontation has shown it."""
    cell_of: list[str | None] = [None] * len(CELLS)
    for cell, home in enumerate(state.standing):
        if home >= 0:
            cell_of[home] = CELL_NAMES[cell]
    kinds, moved, ran, shown = state.kinds, state.moved, state.ran, state.shown
    seen = []
    for order in range(state.placed):
        owner = order // PIECES_A_SIDE
        home = PLACES[owner][order % PIECES_A_SIDE]
        bit = BIT[home]
        seen.append(
            {
                "seat": owner,
                "home": CELL_NAMES[home],
                "cell": cell_of[home],
                "kind": CODES[kinds[home]] if shown & bit or seat == owner or seat is None else None,
                "moved": bool(moved & bit),
                "ran": bool(ran & bit),
                "shown": bool(shown & bit),
            }
        )
    return seen
