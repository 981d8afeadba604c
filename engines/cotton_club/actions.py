"""The actions of the game: their ints, their texts, and what each take costs and changes."""

from __future__ import annotations

from typing import Final

from engines.api import InvalidAction, Json
from engines.cotton_club.tables import CARDS, EVENTS, PLACES, Change
from engines.reading import short

_WITH_OPTION_B = tuple(at for at, card in enumerate(CARDS) if len(card.options) > 1)
_POLITICIANS = sum(card.politicians for card in CARDS)

# Actions 0 to 84 take the card of that number, with its only option or with option A.
FIRST_OPTION_B: Final = len(CARDS)
LOAN_ACTION: Final = FIRST_OPTION_B + len(_WITH_OPTION_B)
TIP_OFF_ACTION: Final = LOAN_ACTION + 1
PASS: Final = TIP_OFF_ACTION + 1
FIRST_SALVATORE: Final = PASS + 1
FIRST_BRIBE: Final = FIRST_SALVATORE + len(PLACES)
FIRST_DROP: Final = FIRST_BRIBE + _POLITICIANS + 1
FIRST_ADD: Final = FIRST_DROP + len(EVENTS)
ACTIONS: Final = FIRST_ADD + len(EVENTS)

CARD_OF: Final[tuple[int, ...]] = (*range(len(CARDS)), *_WITH_OPTION_B)
CHANGE_OF: Final[tuple[Change, ...]] = (
    *(card.options[0] for card in CARDS),
    *(CARDS[at].options[1] for at in _WITH_OPTION_B),
)
ACTIONS_OF_CARD: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(a for a in range(len(CARD_OF)) if CARD_OF[a] == card) for card in range(len(CARDS))
)
OPTION_OF: Final = (
    *("A" if len(card.options) > 1 else "" for card in CARDS),
    *("B" for _ in _WITH_OPTION_B),
)

TEXTS: Final[tuple[str, ...]] = (
    *(f"take {CARDS[card].id} {OPTION_OF[action]}".rstrip() for action, card in enumerate(CARD_OF)),
    "loan",
    "tip-off",
    "pass",
    *(f"salvatore {place}" for place in PLACES),
    *(f"bribe {used}" for used in range(_POLITICIANS + 1)),
    *(f"drop {event.id}" for event in EVENTS),
    *(f"add {event.id}" for event in EVENTS),
)
INTS: Final = {text: action for action, text in enumerate(TEXTS)}


def format_action(action: Json) -> str:
    """The text of an action; raises InvalidAction."""
    if type(action) is not int or not 0 <= action < ACTIONS:
        raise InvalidAction(f"{short(action)} is no action of cotton_club; actions are ints from 0 to {ACTIONS - 1}")
    return TEXTS[action]


def parse_action(text: Json) -> int:
    """The action of a text; raises InvalidAction."""
    action = INTS.get(text) if isinstance(text, str) else None
    if action is None:
        raise InvalidAction(
            f"{short(text)} is no action of cotton_club; write for example 'take G16', 'loan' or 'drop E18'"
        )
    return action


def is_secret(action: int) -> bool:
    """Whether other seats see only that it was done: dropping and adding events (CC 10)."""
    return action >= FIRST_DROP
