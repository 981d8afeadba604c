"""Why an action may not be taken now, in words a bot author can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.api import IllegalAction, InvalidAction
from engines.gatsby import asks
from engines.gatsby.actions import PUT, TEXTS, format_action
from engines.gatsby.tables import MAINS

if TYPE_CHECKING:
    from engines.gatsby.state import GatsbyState

WANTED = (
    "one of the two drawn specials",
    "a circle cell for the first token",
    "an action",
    "an empty cabaret cell next to a token",
    "an empty cabaret cell next to the token placed before",
    "an empty cabaret cell",
    "an open track not yet used by this action",
    "an empty cell of an open track",
    "a cabaret cell or a track for the token of bonus I",
    "whether to take the bonus",
    "the first place of characters",
    "the second place of characters",
    "whether to swap the two characters",
    "the first place of characters to exchange",
    "the second place of characters to exchange",
    "an own token to swap",
    "a token of the other seat to swap",
    "one of the drawn specials",
    "the special that stays in the slot",
    "the other seat's next action",
    "nothing",
)


def refusal(s: GatsbyState, action: object) -> IllegalAction | InvalidAction:
    """The error for an action that is not legal now."""
    if type(action) is not int:
        return InvalidAction(f"{action!r} is no action of gatsby; actions are ints from 0 to {len(TEXTS) - 1}")
    text = TEXTS[action] if 0 <= action < len(TEXTS) else f"{action} (no action of gatsby)"
    if s.to_act is None:
        return IllegalAction(f"{text}: the game is over")
    choices = " ".join(format_action(choice) for choice in s.legal)
    why = _own_reason(s, action)
    return IllegalAction(f"{text}: {why}seat {s.to_act} must choose {WANTED[s.ask]}: {choices}")


def _own_reason(s: GatsbyState, action: int) -> str:
    """What speaks against this very action when an action is to be chosen."""
    if s.ask != asks.ACTION or not 0 <= action < PUT:
        return ""
    if action == s.marker:
        return "it was just used; "
    if action not in MAINS and s.slots[s.turn] != action:
        return "it is not in the own slot; "
    return "bonus F chose another action; " if len(s.legal) == 1 else "none of its steps can be done; "
