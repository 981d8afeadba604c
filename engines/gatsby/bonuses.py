"""The six bonuses: can they do anything now (GA 5.1), and what taking them does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.gatsby import asks
from engines.gatsby.choices import has_supply
from engines.gatsby.moves import advance, ask
from engines.gatsby.tables import BONUSES, DRAWN_BY_BONUS, NONE, PLACES, TOP_FLOOR

if TYPE_CHECKING:
    from engines.gatsby.state import GatsbyState


def can_use(s: GatsbyState, bonus: int) -> bool:
    """Would this bonus do anything for the seat whose turn it is?"""
    return _CAN_USE[bonus](s)


def use(s: GatsbyState, bonus: int) -> bool:
    """Carry a bonus out as far as it goes without a choice; True if it now asks for one."""
    return _USE[bonus](s)


def _can_x(s: GatsbyState) -> bool:
    return s.at.count(NONE) <= len(PLACES) - 2


def _can_advance(s: GatsbyState) -> bool:
    return s.floors[s.turn] < TOP_FLOOR


def _can_influence(s: GatsbyState) -> bool:
    return bool(s.rim or s.open) and has_supply(s, s.turn)


def _can_swap(s: GatsbyState) -> bool:
    return bool(s.tokens[0] and s.tokens[1])


def _can_force(s: GatsbyState) -> bool:
    return not s.forcing


def _can_draw(s: GatsbyState) -> bool:
    return bool(s.pile)


def _use_x(s: GatsbyState) -> bool:
    ask(s, asks.X_FIRST)
    return True


def _use_advance(s: GatsbyState) -> bool:
    advance(s)
    return False


def _use_influence(s: GatsbyState) -> bool:
    ask(s, asks.INFLUENCE)
    return True


def _use_swap(s: GatsbyState) -> bool:
    ask(s, asks.SWAP_OWN)
    return True


def _use_force(s: GatsbyState) -> bool:
    s.forcing = True  # GA 5.6: the choice itself comes after this turn's claims
    return False


def _use_draw(s: GatsbyState) -> bool:
    s.drawn = s.pile[:DRAWN_BY_BONUS]
    s.pile = s.pile[DRAWN_BY_BONUS:]
    ask(s, asks.PICK)
    return True


_BY_LETTER: dict[str, tuple[Callable[[GatsbyState], bool], Callable[[GatsbyState], bool]]] = {
    "X": (_can_x, _use_x),
    "A": (_can_advance, _use_advance),
    "I": (_can_influence, _use_influence),
    "S": (_can_swap, _use_swap),
    "F": (_can_force, _use_force),
    "D": (_can_draw, _use_draw),
}
_CAN_USE = tuple(_BY_LETTER[letter][0] for letter in BONUSES)
_USE = tuple(_BY_LETTER[letter][1] for letter in BONUSES)
