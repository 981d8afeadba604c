"""A position as JSON and back: the deal and the actions, which lead to it."""

from __future__ import annotations

from dataclasses import dataclass

from engines.api import Game, Json, Snapshot
from engines.cotton_club.actions import INTS, TEXTS
from engines.cotton_club.deal import Deal, check_deal
from engines.cotton_club.position import Position
from engines.cotton_club.tables import CARD_NUMBERS, CARDS, EVENT_NUMBERS, EVENTS, TYPES
from engines.log import entries
from engines.reading import fields, heading, listed, names, require, seed, whole, within

SNAPSHOT_FIELDS = ("game", "rules_version", "seats", "options", "seed", "deal", "actions")
DEAL_FIELDS = ("first_seat", "piles", "event_pile", "hands")


@dataclass(frozen=True, slots=True)
class Playthrough:
    """All that is needed to come to a position again."""

    seats: int
    seed: int
    deal: Deal
    actions: tuple[int, ...]


def write_snapshot(state: Position) -> Snapshot:
    """The position as JSON values, seed included."""
    deal = state.deal
    return {
        "game": state.game.name,
        "rules_version": state.game.rules_version,
        "seats": state.seats,
        "options": {},
        "seed": str(state.seed),
        "deal": {
            "first_seat": deal.first_seat,
            "piles": {name: [CARDS[card].id for card in pile] for name, pile in zip(TYPES, deal.piles, strict=True)},
            "event_pile": [EVENTS[event].id for event in deal.event_pile],
            "hands": [[EVENTS[event].id for event in hand] for hand in deal.hands],
        },
        "actions": [TEXTS[action] for _, action in entries(state.log)],
    }


def read_snapshot(snapshot: Json, game: Game) -> Playthrough:
    """The play-through a snapshot tells; raises Unreadable or InvalidSetup."""
    given = fields({"snapshot": snapshot}, "snapshot", SNAPSHOT_FIELDS)
    seats, _ = heading(given, game)
    with within("deal"):
        deal = _read_deal(fields(given, "deal", DEAL_FIELDS), seats)
    return Playthrough(seats, seed(given, "seed"), deal, names(given, "actions", INTS))


def _read_deal(given: dict[str, Json], seats: int) -> Deal:
    """A deal that setup could have made."""
    piles = fields(given, "piles", TYPES)
    hands = listed(given, "hands", seats)
    with within("hands"):
        dealt = tuple(names(hands, seat, EVENT_NUMBERS) for seat in range(seats))
    require(all(list(hand) == sorted(hand) for hand in dealt), "a hand is not sorted")
    with within("piles"):
        shuffled = tuple(names(piles, name, CARD_NUMBERS) for name in TYPES)
    first = whole(given, "first_seat", 0, seats - 1)
    deal = Deal(first, shuffled, names(given, "event_pile", EVENT_NUMBERS), dealt)
    check_deal(deal, seats=seats)
    return deal
