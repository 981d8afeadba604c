"""All chance of the game: who begins, how the piles lie, who is dealt which events (CC 2.1 to 2.3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engines.chance import draw, shuffle
from engines.cotton_club.tables import CARDS, CARDS_OF_TYPE, EVENT_DECK, NUMBERS, TYPES
from engines.reading import Unreadable

PILE_EVENTS = NUMBERS["event_pile"]
DEALT_EVENTS = NUMBERS["events_dealt"]


@dataclass(frozen=True, slots=True)
class Deal:
    """Everything drawn in setup; nothing is drawn later."""

    first_seat: int
    piles: tuple[tuple[int, ...], ...]  # of each type, the first row included, top first
    event_pile: tuple[int, ...]  # top first
    hands: tuple[tuple[int, ...], ...]  # the events dealt to each seat, sorted


def deal_from_seed(*, seats: int, seed: int) -> Deal:
    """The deal of a seed."""
    first = draw(seed, "first_seat", seats)
    events = shuffle(seed, "events", EVENT_DECK)
    hands = events[PILE_EVENTS : PILE_EVENTS + seats * DEALT_EVENTS]
    return Deal(
        first_seat=first,
        piles=tuple(_pile(seed, card_type) for card_type in range(len(TYPES))),
        event_pile=tuple(events[:PILE_EVENTS]),
        hands=tuple(tuple(sorted(hands[seat * DEALT_EVENTS : (seat + 1) * DEALT_EVENTS])) for seat in range(seats)),
    )


def _pile(seed: int, card_type: int) -> tuple[int, ...]:
    """The initial cards shuffled on top of the others shuffled (CC 2.2)."""
    initial, others = _SPLIT_TYPES[card_type]
    name = TYPES[card_type]
    return tuple(shuffle(seed, f"{name}/initial", initial) + shuffle(seed, f"{name}/others", others))


def split_initial(cards: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Initial cards and the others."""
    initial = [card for card in cards if CARDS[card].is_initial]
    return initial, [card for card in cards if not CARDS[card].is_initial]


_SPLIT_TYPES = tuple(split_initial(cards) for cards in CARDS_OF_TYPE)


def undealt_events(deal: Deal) -> list[int]:
    """Events that went back into the box unseen, sorted."""
    left = Counter(EVENT_DECK)
    left.subtract(deal.event_pile)
    for hand in deal.hands:
        left.subtract(hand)
    return sorted(left.elements())


def check_deal(deal: Deal, *, seats: int) -> None:
    """Raise Unreadable unless setup could have made this deal."""
    if not 0 <= deal.first_seat < seats:
        raise Unreadable(f"first seat {deal.first_seat} is not one of the {seats} seats")
    if len(deal.piles) != len(TYPES):
        raise Unreadable(f"there are {len(deal.piles)} piles; expected one for each of {', '.join(TYPES)}")
    for card_type, pile in enumerate(deal.piles):
        _check_pile(card_type, pile)
    _check_events(deal, seats)


def _check_pile(card_type: int, pile: tuple[int, ...]) -> None:
    if sorted(pile) != list(CARDS_OF_TYPE[card_type]):
        raise Unreadable(f"the pile of {TYPES[card_type]} does not hold each of its cards once")
    initial, others = split_initial(pile)
    if pile != (*initial, *others):
        raise Unreadable(f"an initial card of {TYPES[card_type]} lies below another card (CC 2.2)")


def _check_events(deal: Deal, seats: int) -> None:
    sizes = [len(hand) for hand in deal.hands]
    if len(deal.event_pile) != PILE_EVENTS or sizes != [DEALT_EVENTS] * seats:
        raise Unreadable(
            f"the event pile has {len(deal.event_pile)} and the hands {sizes} cards; "
            f"expected {PILE_EVENTS} and {DEALT_EVENTS} for each of {seats} seats"
        )
    dealt = Counter(deal.event_pile)
    for hand in deal.hands:
        dealt.update(hand)
    if dealt - Counter(EVENT_DECK):
        raise Unreadable("an event is dealt more often than it has copies")
