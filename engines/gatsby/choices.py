"""What may be chosen for each thing a seat can be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.gatsby import actions, asks
from engines.gatsby.actions import LANES, TAKE_OR_SKIP, TOUCH, Choices, put_on, put_on_track_cells, swap_on
from engines.gatsby.asks import STEPS
from engines.gatsby.tables import (
    CABARET,
    CIRCLES,
    MAINS,
    NEAR,
    NONE,
    PLACES,
    TOKENS,
    TOP_FLOOR,
    TRACK_MASK,
    TRACKS,
)

if TYPE_CHECKING:
    from engines.gatsby.state import GatsbyState

# The kinds of step an action has; a step that leans on an earlier one can't be the first that is done (GA 4.3).
NEEDS = tuple(sum(1 << kind for kind in set(steps)) for steps in STEPS)


def has_supply(s: GatsbyState, seat: int) -> bool:
    """Has this seat a token left to place? (GA 4.5)"""
    return s.tokens[seat].bit_count() < TOKENS


def can_do(s: GatsbyState, seat: int) -> int:
    """The kinds of step that this seat could do now, as a mask."""
    able = 1 << asks.ADVANCE if s.floors[seat] < TOP_FLOOR else 0
    if s.tokens[seat].bit_count() < TOKENS:
        if s.rim:
            able |= 1 << asks.CABARET
        if s.filled & CABARET != CABARET:
            able |= 1 << asks.CABARET_ANY
        if s.open:
            able |= 1 << asks.TRACK | 1 << asks.TRACK_CELL
    if s.tokens[0] and s.tokens[1]:
        able |= 1 << asks.SWAP_OWN
    if s.at.count(NONE) <= len(PLACES) - 2:
        able |= 1 << asks.EXCHANGE_FIRST
    return able


def open_actions(s: GatsbyState, seat: int) -> Choices:
    """Main actions and the own special, but not the action just used nor one that does nothing (GA 4.1, 4.3)."""
    able = can_do(s, seat)
    marker = s.marker
    choices = [main for main in MAINS if main != marker and NEEDS[main] & able]
    special = s.slots[seat]
    if special != NONE and NEEDS[special] & able:
        choices.append(special)
    return tuple(choices)


def _pick(s: GatsbyState) -> Choices:
    return tuple(sorted(actions.PICK + special for special in s.drawn))


def _circle(s: GatsbyState) -> Choices:
    return put_on(CIRCLES & ~s.filled)


def _action(s: GatsbyState) -> Choices:
    if s.forced != NONE:  # GA 5.6: the next turn has that single choice
        return (s.forced,)
    return open_actions(s, s.turn)


def _cabaret(s: GatsbyState) -> Choices:
    return put_on(s.rim) if has_supply(s, s.turn) else ()


def _cabaret_next(s: GatsbyState) -> Choices:
    # GA 4.7: next to the cell of the own step before, whoever's token lies there by now.
    if s.last == NONE or not has_supply(s, s.turn):
        return ()
    return put_on(NEAR[s.last] & ~s.filled)


def _cabaret_any(s: GatsbyState) -> Choices:
    return put_on(CABARET & ~s.filled) if has_supply(s, s.turn) else ()


def _track(s: GatsbyState) -> Choices:
    # GA 4.7: tracks filled by the own steps before are out; tokens of bonus I don't count.
    return LANES[s.open & ~s.tracks] if has_supply(s, s.turn) else ()


def _track_cell(s: GatsbyState) -> Choices:
    if not has_supply(s, s.turn):
        return ()
    cells = sum(TRACK_MASK[track] for track in range(TRACKS) if s.open >> track & 1)
    return put_on_track_cells(cells & ~s.filled)


def _influence(s: GatsbyState) -> Choices:
    return put_on(s.rim) + LANES[s.open] if has_supply(s, s.turn) else ()


def _offer(s: GatsbyState) -> Choices:
    return TAKE_OR_SKIP[s.offers[0]] if s.offers else ()


def _x_first(s: GatsbyState) -> Choices:
    # Two places in ascending order, so that each pair has one spelling: the last one can't come first.
    return tuple(TOUCH + place for place, character in enumerate(s.at) if character != NONE)[:-1]


def _x_second(s: GatsbyState) -> Choices:
    return tuple(TOUCH + place for place in range(s.first + 1, len(PLACES)) if s.at[place] != NONE)


def _x_swap(s: GatsbyState) -> Choices:
    return (actions.STAY, actions.EXCHANGE)


def _swap_own(s: GatsbyState) -> Choices:
    me = s.turn
    return swap_on(s.tokens[me]) if s.tokens[1 - me] else ()


def _swap_other(s: GatsbyState) -> Choices:
    return swap_on(s.tokens[1 - s.turn])


def _keep(s: GatsbyState) -> Choices:
    return tuple(sorted((actions.KEEP + s.first, actions.KEEP + s.slots[s.turn])))


def _force(s: GatsbyState) -> Choices:
    return tuple(actions.FORCE + action for action in open_actions(s, 1 - s.turn))


def _nothing(s: GatsbyState) -> Choices:
    return ()


CHOICES: tuple[Callable[[GatsbyState], Choices], ...] = (
    _pick,
    _circle,
    _action,
    _cabaret,
    _cabaret_next,
    _cabaret_any,
    _track,
    _track_cell,
    _influence,
    _offer,
    _x_first,
    _x_second,
    _x_swap,
    _x_first,
    _x_second,
    _swap_own,
    _swap_other,
    _pick,
    _keep,
    _force,
    _nothing,
)
