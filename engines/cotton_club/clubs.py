"""What the cards of a club add up to."""

from __future__ import annotations

from typing import Final

from engines.cotton_club.actions import CARD_OF
from engines.cotton_club.position import Position
from engines.cotton_club.tables import CARDS, ICONS, TYPES

# How much each take action brings.
_INCOME: Final = tuple(CARDS[card].income for card in CARD_OF)
_POLITICIANS: Final = tuple(CARDS[card].politicians for card in CARD_OF)
_END_REPUTATION: Final = tuple(CARDS[card].end_reputation for card in CARD_OF)
_ICONS: Final = {icon: tuple(CARDS[card].icons[at] for card in CARD_OF) for at, icon in enumerate(ICONS)}
_CARDS: Final = {name: tuple(int(CARDS[card].type == at) for card in CARD_OF) for at, name in enumerate(TYPES)}
_COUNTED: Final = {**_ICONS, **_CARDS}


def count(state: Position, seat: int, what: str) -> int:
    """Icons of one kind, or cards of one type, in a club; celebrities' preferences are no icons."""
    return sum(map(_COUNTED[what].__getitem__, state.clubs[seat]))


def income(state: Position, seat: int) -> int:
    """Income icons in a club."""
    return sum(map(_INCOME.__getitem__, state.clubs[seat]))


def politicians(state: Position, seat: int) -> int:
    """Politician icons in a club."""
    return sum(map(_POLITICIANS.__getitem__, state.clubs[seat]))


def end_reputation(state: Position, seat: int) -> int:
    """End reputation of all cards of a club, improvements included."""
    return sum(map(_END_REPUTATION.__getitem__, state.clubs[seat]))
