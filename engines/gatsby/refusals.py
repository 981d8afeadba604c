"""Why an action may not be taken now, in words a bot author can act on."""

from __future__ import annotations

from engines.gatsby.actions import PUT, TEXTS
from engines.gatsby.choices import CHOICES
from engines.gatsby.position import ACTION, Position
from engines.gatsby.tables import MAINS


def why_not(s: Position, action: int) -> str:
    """The reason why an action of the game is not legal now."""
    choices = " ".join(TEXTS[choice] for choice in s.legal)
    return f"{_own_reason(s, action)}seat {s.to_act} has to choose {CHOICES[s.choice].asked}: {choices}"


def _own_reason(s: Position, action: int) -> str:
    """What speaks against this very action when an action is to be chosen."""
    if s.choice != ACTION or action >= PUT:
        return ""
    if action == s.marker:
        return "it was just used; "
    if action not in MAINS and s.slots[s.turn] != action:
        return "it is not in the own slot; "
    return "bonus F chose another action; " if len(s.legal) == 1 else "none of its steps can be done; "
