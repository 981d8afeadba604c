"""The steps of each action, and the actions that a seat could choose (GA 4.1, 4.2, 4.3, 4.6)."""

from __future__ import annotations

from engines.gatsby.actions import Choices
from engines.gatsby.position import (
    CABARET,
    CABARET_ANY,
    CABARET_NEXT,
    EXCHANGE_FIRST,
    KINDS,
    SWAP_OWN,
    TRACK,
    TRACK_CELL,
    Position,
)
from engines.gatsby.tables import ACTION_STEPS, CABARET_MASK, MAINS, NONE, PLACES, TOKENS, TOP_FLOOR

# Steps that leave no choice happen by themselves and are never asked.
ADVANCE, TRACK_SAME = KINDS, KINDS + 1
_STEP_OF_WORD = {
    "cabaret": CABARET,
    "cabaret_next": CABARET_NEXT,
    "cabaret_any": CABARET_ANY,
    "track": TRACK,
    "track_same": TRACK_SAME,
    "track_cell": TRACK_CELL,
    "advance": ADVANCE,
    "swap_own": SWAP_OWN,
    "exchange_first": EXCHANGE_FIRST,
}
STEPS = tuple(tuple(_STEP_OF_WORD[word] for word in words) for words in ACTION_STEPS)
# The kinds of step that an action has, as a mask.
_KINDS = tuple(sum(1 << step for step in set(steps)) for steps in STEPS)


def has_supply(s: Position, seat: int) -> bool:
    """Has this seat a token left to place? (GA 4.5)"""
    return s.tokens[seat].bit_count() < TOKENS


def _can_begin(s: Position, seat: int) -> int:
    """The kinds of step that this seat could do first, as a mask; one that leans on an earlier step is none of them."""
    able = 1 << ADVANCE if s.floors[seat] < TOP_FLOOR else 0
    if s.tokens[seat].bit_count() < TOKENS:
        if s.rim:
            able |= 1 << CABARET
        if s.filled & CABARET_MASK != CABARET_MASK:
            able |= 1 << CABARET_ANY
        if s.open:
            able |= 1 << TRACK | 1 << TRACK_CELL
    if s.tokens[0] and s.tokens[1]:
        able |= 1 << SWAP_OWN
    if s.at.count(NONE) <= len(PLACES) - 2:
        able |= 1 << EXCHANGE_FIRST
    return able


def open_actions(s: Position, seat: int) -> Choices:
    """Main actions and the own special, but not the action just used nor one that does nothing (GA 4.1, 4.3)."""
    able = _can_begin(s, seat)
    marker = s.marker
    choices = [main for main in MAINS if main != marker and _KINDS[main] & able]
    special = s.slots[seat]
    if special != NONE and _KINDS[special] & able:
        choices.append(special)
    return tuple(choices)
