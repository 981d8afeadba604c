"""Why an action may not be taken now, in a sentence."""

from __future__ import annotations

from engines.capone.actions import VERB_OF, VERBS
from engines.capone.choices import CHOICES
from engines.capone.position import (
    BAIL,
    CARD,
    INVEST,
    MEMBER,
    PIECES,
    PLACE,
    REHIRE,
    RETURN,
    SEAT,
    Position,
)

# For each verb the choices that it answers, and why one of its actions may be refused all the same.
_REASONS = {
    "done": ((RETURN,), ""),  # never refused there
    "return": ((RETURN,), "that card is not in hand, or comes before one already returned (CA 2.3)"),
    "use": ((CARD,), "that card is not in hand or has no legal use now (CA 5.7)"),
    "discard": ((CARD,), "that card is not in hand"),
    "at": ((PLACE,), "the card in use has no legal use there"),
    "put": (
        (PIECES,),
        "that member is not at home, comes before one already named, or no legal set can be completed with it",
    ),
    "guards": ((PIECES,), "with so many bodyguards the set is not legal, or they are not at home"),
    "bail": (
        (CARD, BAIL),
        "that member is not in prison, comes before one already bailed, or cannot be paid for (CA 5.5)",
    ),
    "rehire": ((BAIL, REHIRE), "so many bodyguards are not in the park or cannot be paid for (CA 6.3)"),
    "invest": (
        (BAIL, INVEST),
        "so many steps cannot be paid for in cash, go past the last step, or come before rehiring (CA 6.3)",
    ),
    "charge": ((SEAT,), "that seat is your own or has not invested (CA 5.3)"),
    "move": (
        (MEMBER,),
        "that member is your own or does not stand where this card could take it from (CA 5.1, 5.2)",
    ),
}


def why_not(state: Position, action: int) -> str:
    """The reason why an action of the game is not legal now."""
    answered, reason = _REASONS[VERBS[VERB_OF[action][0]]]
    if state.choice in answered:
        return reason
    return f"seat {state.to_act} has to choose {CHOICES[state.choice].asked}"
