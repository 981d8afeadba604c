"""Why an action is refused: one shape for every game, with the game's own reason in it.

A game's ``refusals.py`` has ``why_not(state, action) -> str``, the reason why an action of the game is not legal now;
its ``apply`` says ``raise refusal(self, action, why_not)`` where an action is not among the legal ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from engines.api import IllegalAction, InvalidAction, State
from engines.reading import short

S = TypeVar("S", bound=State)


def refusal(state: S, action: object, why_not: Callable[[S, int], str]) -> IllegalAction | InvalidAction:
    """The error for what may not be taken now; why_not is asked only for actions of the game while it is going on."""
    if type(action) is not int:
        return InvalidAction(f"{short(action)} is no action of {state.game.name}; actions are ints")
    try:
        text = state.format(action)
    except InvalidAction as reason:
        return IllegalAction(f"{short(action)} can't be taken: {reason}")
    if state.to_act is None:
        return IllegalAction(f"{text}: the game is over")
    return IllegalAction(f"{text}: {why_not(state, action)}")
