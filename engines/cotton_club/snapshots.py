"""A position written down: its deal and every action since; reading one back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engines.api import InvalidAction, InvalidSnapshot, Json, Snapshot
from engines.cotton_club.actions import TEXTS, parse_action
from engines.cotton_club.deal import Deal, ImpossibleDeal, check_deal
from engines.cotton_club.observation import GAME_NAME, RULES_VERSION
from engines.cotton_club.quotes import quote
from engines.cotton_club.tables import CARD_NUMBERS, CARDS, EVENT_NUMBERS, EVENTS, SIDES, TYPES

if TYPE_CHECKING:
    from engines.cotton_club.state import CottonClubState

SNAPSHOT_FIELDS = {"game", "rules_version", "seats", "options", "seed", "deal", "actions"}
DEAL_FIELDS = {"first_seat", "piles", "event_pile", "hands"}


@dataclass(frozen=True, slots=True)
class Playthrough:
    """All that is needed to come to a position again."""

    seats: int
    seed: int
    deal: Deal
    actions: tuple[int, ...]


def write_snapshot(state: CottonClubState) -> Snapshot:
    """The position as JSON values, seed included."""
    deal = state.deal
    return {
        "game": GAME_NAME,
        "rules_version": RULES_VERSION,
        "seats": state.seats,
        "options": {},
        "seed": str(state.seed),
        "deal": {
            "first_seat": deal.first_seat,
            "piles": {name: [CARDS[card].id for card in pile] for name, pile in zip(TYPES, deal.piles, strict=True)},
            "event_pile": [EVENTS[event].id for event in deal.event_pile],
            "hands": [[EVENTS[event].id for event in hand] for hand in deal.hands],
        },
        "actions": [TEXTS[action] for _, action in state.entries()],
    }


def read_snapshot(snapshot: Snapshot) -> Playthrough:
    """The play-through a snapshot tells; raises InvalidSnapshot."""
    _require(isinstance(snapshot, dict), "a snapshot is an object", snapshot)
    _require(set(snapshot) == SNAPSHOT_FIELDS, f"its fields are {', '.join(sorted(SNAPSHOT_FIELDS))}", list(snapshot))
    _require(snapshot["game"] == GAME_NAME, f"game is {GAME_NAME!r}", snapshot["game"])
    version = snapshot["rules_version"]
    _require(type(version) is int and version == RULES_VERSION, f"rules_version is {RULES_VERSION}", version)
    seats = snapshot["seats"]
    _require(type(seats) is int and seats in SIDES, "seats is 2, 3 or 4", seats)
    _require(snapshot["options"] == {}, "the game has no options", snapshot["options"])
    deal = _read_deal(snapshot["deal"])
    try:
        check_deal(deal, seats=seats)
    except ImpossibleDeal as reason:
        raise InvalidSnapshot(f"the deal is impossible: {reason}") from reason
    return Playthrough(seats, _read_seed(snapshot["seed"]), deal, _read_actions(snapshot["actions"]))


def _require(holds: bool, expected: str, value: Json) -> None:
    if not holds:
        raise InvalidSnapshot(f"{quote(value)}: expected that {expected}")


def _read_seed(seed: Json) -> int:
    is_decimal = isinstance(seed, str) and seed.isascii() and seed.isdigit() and len(seed) <= 39
    _require(is_decimal and str(int(seed)) == seed and int(seed) < 1 << 128, "seed is a decimal string", seed)
    return int(seed)


def _read_deal(deal: Json) -> Deal:
    _require(isinstance(deal, dict) and set(deal) == DEAL_FIELDS, f"deal has {', '.join(sorted(DEAL_FIELDS))}", deal)
    _require(type(deal["first_seat"]) is int, "first_seat is an int", deal["first_seat"])
    piles, hands = deal["piles"], deal["hands"]
    _require(isinstance(piles, dict) and set(piles) == set(TYPES), f"piles has {', '.join(TYPES)}", piles)
    _require(isinstance(hands, list), "hands is a list", hands)
    dealt = tuple(_read_ids(hand, EVENT_NUMBERS, "events") for hand in hands)
    _require(all(list(hand) == sorted(hand) for hand in dealt), "each hand is sorted", hands)
    return Deal(
        first_seat=deal["first_seat"],
        piles=tuple(_read_ids(piles[name], CARD_NUMBERS, "cards") for name in TYPES),
        event_pile=_read_ids(deal["event_pile"], EVENT_NUMBERS, "events"),
        hands=dealt,
    )


def _read_ids(ids: Json, numbers: dict[str, int], what: str) -> tuple[int, ...]:
    _require(isinstance(ids, list), f"it is a list of {what}", ids)
    for one in ids:
        _require(isinstance(one, str) and one in numbers, f"it is the id of one of the {what}", one)
    return tuple(numbers[one] for one in ids)


def _read_actions(texts: Json) -> tuple[int, ...]:
    _require(isinstance(texts, list), "actions is a list of texts", texts)
    try:
        return tuple(parse_action(text) for text in texts)
    except InvalidAction as reason:
        raise InvalidSnapshot(f"the actions can't be read: {reason}") from reason
