"""What the cards of a club add up to."""

from __future__ import annotations

from typing import Final

from engines.cotton_club.actions import CARD_OF
from engines.cotton_club.position import Position
from engines.cotton_club.tables import CARDS, ICONS, TYPES

# How much each take action brings.
Worth = tuple[int, ...]
_INCOME: Final[Worth] = tuple(CARDS[card].income for card in CARD_OF)
_POLITICIANS: Final[Worth] = tuple(CARDS[card].politicians for card in CARD_OF)
_END_REPUTATION: Final[Worth] = tuple(CARDS[card].end_reputation for card in CARD_OF)
_ICONS: Final = {icon: tuple(CARDS[card].icons[at] for card in CARD_OF) for at, icon in enumerate(ICONS)}
_CARDS: Final = {name: tuple(int(CARDS[card].type == at) for card in CARD_OF) for at, name in enumerate(TYPES)}
_COUNTED: Final[dict[str, Worth]] = {**_ICONS, **_CARDS}


def count(state: Position, seat: int, what: str) -> int:
    """Icons of one kind, or cards of one type, in a club; celebrities' preferences are no icons."""
    return _add_up(_COUNTED[what], state.clubs[seat])


def income(state: Position, seat: int) -> int:
    """Income icons in a club."""
    return _add_up(_INCOME, state.clubs[seat])


def politicians(state: Position, seat: int) -> int:
    """Politician icons in a club."""
    return _add_up(_POLITICIANS, state.clubs[seat])


def end_reputation(state: Position, seat: int) -> int:
    """End reputation of all cards of a club, improvements included."""
    return _add_up(_END_REPUTATION, state.clubs[seat])


def _add_up(worth: Worth, club: tuple[int, ...]) -> int:
    total = 0
    for action in club:  # compiled or not, a loop is quicker than the sum of a map
        total += worth[action]
    return total
