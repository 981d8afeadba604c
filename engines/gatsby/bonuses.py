"""The six bonuses: can they do anything now (GA 5.1), and what taking them does."""

from __future__ import annotations

from collections.abc import Callable

from engines.gatsby.moves import advance
from engines.gatsby.position import INFLUENCE, PICK, SWAP_OWN, X_FIRST, Position
from engines.gatsby.steps import has_supply
from engines.gatsby.tables import BONUSES, DRAWN_BY_BONUS, NONE, PLACES, TOP_FLOOR


def can_use(s: Position, bonus: int) -> bool:
    """Would this bonus do anything for the seat whose turn it is?"""
    return _CAN_USE[bonus](s)


def use(s: Position, bonus: int) -> bool:
    """Carry a bonus out as far as it goes without a choice; True if it now asks for one."""
    return _USE[bonus](s)


def _can_x(s: Position) -> bool:
    return s.at.count(NONE) <= len(PLACES) - 2


def _can_advance(s: Position) -> bool:
    return s.floors[s.turn] < TOP_FLOOR


def _can_influence(s: Position) -> bool:
    return bool(s.rim or s.open) and has_supply(s, s.turn)


def _can_swap(s: Position) -> bool:
    return bool(s.tokens[0] and s.tokens[1])


def _can_force(s: Position) -> bool:
    return not s.forcing


def _can_draw(s: Position) -> bool:
    return bool(s.pile)


def _use_x(s: Position) -> bool:
    s.choice = X_FIRST
    return True


def _use_advance(s: Position) -> bool:
    advance(s)
    return False


def _use_influence(s: Position) -> bool:
    s.choice = INFLUENCE
    return True


def _use_swap(s: Position) -> bool:
    s.choice = SWAP_OWN
    return True


def _use_force(s: Position) -> bool:
    s.forcing = True  # GA 5.6: the choice itself comes after this turn's claims
    return False


def _use_draw(s: Position) -> bool:
    s.drawn = s.pile[:DRAWN_BY_BONUS]
    s.pile = s.pile[DRAWN_BY_BONUS:]
    s.choice = PICK
    return True


_BY_LETTER: dict[str, tuple[Callable[[Position], bool], Callable[[Position], bool]]] = {
    "X": (_can_x, _use_x),
    "A": (_can_advance, _use_advance),
    "I": (_can_influence, _use_influence),
    "S": (_can_swap, _use_swap),
    "F": (_can_force, _use_force),
    "D": (_can_draw, _use_draw),
}
_CAN_USE = tuple(_BY_LETTER[letter][0] for letter in BONUSES)
_USE = tuple(_BY_LETTER[letter][1] for letter in BONUSES)
