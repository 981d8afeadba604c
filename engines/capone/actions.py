"""The ints of all actions and their texts (the table in BOTS.md)."""

from __future__ import annotations

from engines.api import InvalidAction, Json
from engines.capone.tables import CARDS, GUARDS, LAST_STEP, MEMBERS, MOST_SEATS, RESTS, SITES
from engines.reading import short

PLACES = (*SITES, *RESTS)

# First int of each verb; the verb's argument is added to it.
DONE = 0
RETURN = DONE + 1
USE = RETURN + len(CARDS)
DISCARD = USE + len(CARDS)
AT = DISCARD + len(CARDS)
PUT = AT + len(PLACES)
SEND_GUARDS = PUT + len(MEMBERS)
BAIL = SEND_GUARDS + GUARDS + 1
REHIRE = BAIL + len(MEMBERS)
INVEST = REHIRE + GUARDS + 1
CHARGE = INVEST + LAST_STEP + 1
MOVE = CHARGE + MOST_SEATS
END = MOVE + MOST_SEATS * len(MEMBERS)

VERB_STARTS = (DONE, RETURN, USE, DISCARD, AT, PUT, SEND_GUARDS, BAIL, REHIRE, INVEST, CHARGE, MOVE, END)
VERBS = ("done", "return", "use", "discard", "at", "put", "guards", "bail", "rehire", "invest", "charge", "move")


def _texts() -> tuple[str, ...]:
    counts = [str(n) for n in range(max(GUARDS, LAST_STEP) + 1)]
    seats = [str(seat) for seat in range(MOST_SEATS)]
    moved = [f"{seat} {member}" for seat in seats for member in MEMBERS]
    guards, steps = counts[: GUARDS + 1], counts[: LAST_STEP + 1]
    arguments = (CARDS, CARDS, CARDS, PLACES, MEMBERS, guards, MEMBERS, guards, steps, seats, moved)
    pairs = zip(VERBS[1:], arguments, strict=True)
    return ("done", *(f"{verb} {argument}" for verb, chosen in pairs for argument in chosen))


TEXTS = _texts()
ACTION_OF = {text: action for action, text in enumerate(TEXTS)}
# Verb (index into VERBS) and argument of every action.
VERB_OF = tuple(
    (verb, action - VERB_STARTS[verb])
    for verb in range(len(VERBS))
    for action in range(VERB_STARTS[verb], VERB_STARTS[verb + 1])
)
# What others see of an action: the card of a return or an unused discard stays hidden (CA 2.3, 2.4).
HIDDEN_TEXTS = tuple(
    f"{VERBS[verb]} ?" if VERBS[verb] in ("return", "discard") else text
    for (verb, _), text in zip(VERB_OF, TEXTS, strict=True)
)
# An entry of the log is `seat * END + action`; its line as that seat reads it, and as the others do.
LINES = tuple(f"{seat} {text}" for seat in range(MOST_SEATS) for text in TEXTS)
HIDDEN_LINES = tuple(f"{seat} {text}" for seat in range(MOST_SEATS) for text in HIDDEN_TEXTS)
# The lists of `move` actions of a family, by seat and mask of members.
MOVES = tuple(
    tuple(
        [MOVE + seat * len(MEMBERS) + m for m in range(len(MEMBERS)) if mask >> m & 1]
        for mask in range(1 << len(MEMBERS))
    )
    for seat in range(MOST_SEATS)
)


def is_action(action: object, seats: int) -> bool:
    """Whether a value is an action at a table of so many seats; a bool never is."""
    if type(action) is not int or not 0 <= action < END:
        return False
    if action < CHARGE:
        return True
    seat = action - CHARGE if action < MOVE else (action - MOVE) // len(MEMBERS)
    return seat < seats


def text_of(action: Json, seats: int) -> str:
    """The text of an action; raises InvalidAction."""
    if not is_action(action, seats):
        raise InvalidAction(f"{short(action)} is no action of capone with {seats} seats; actions are ints below {END}")
    return TEXTS[action]


def action_of(text: Json, seats: int) -> int:
    """The action of a text; raises InvalidAction."""
    action = ACTION_OF.get(text) if isinstance(text, str) else None
    if action is None or not is_action(action, seats):
        raise InvalidAction(f"{short(text)} is no action with {seats} seats; actions read like 'use bar', 'put don'")
    return action
