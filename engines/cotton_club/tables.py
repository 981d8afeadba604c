"""The printed game: cards, events, spaces, tracks and numbers, read once from the tables in data/."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from engines.printed import PrintedRow, read_table

TYPES: Final = ("improvements", "gangsters", "smuggling", "artists", "celebrities")
IMPROVEMENTS: Final = 0
GANGSTERS: Final = 1
SMUGGLING: Final = 2
ARTISTS: Final = 3
CELEBRITIES: Final = 4
PLACES: Final = (*TYPES, "tip-off", "loan")
TIP_OFF: Final = 5
LOAN: Final = 6
ICONS: Final = ("wine", "beer", "whisky", "dancer", "musician", "singer")
TRACKS: Final = ("influence", "initiative", "criminality")
SALVATORE: Final = -1

rows = partial(read_table, "cotton_club")


class Change(NamedTuple):
    """Dollars and steps on the three tracks, in the order in which they are applied."""

    usd: int = 0
    influence: int = 0
    initiative: int = 0
    criminality: int = 0


NOTHING: Final = Change()


@dataclass(frozen=True, slots=True)
class Card:
    """One card that can be taken from a row."""

    id: str
    name: str
    type: int
    is_initial: bool
    options: tuple[Change, ...]
    price: int  # in influence, before the preferences lower it
    weapons_required: int
    weapons: int
    income: int
    icons: tuple[int, ...]
    preferences: tuple[int, ...]
    politicians: int
    end_reputation: int


@dataclass(frozen=True, slots=True)
class EventCard:
    """One kind of event card and what it does."""

    id: str
    name: str
    rule: str  # each, most, most_least, pay
    measure: str
    copies: int
    usd: int
    reputation: int
    influence: int
    least_reputation: int
    least_influence: int
    relief_usd: int


@dataclass(frozen=True, slots=True)
class Bonus:
    """What the initiative track pays when a level is first reached."""

    level: int
    usd: int
    influence: int
    reputation: int


@dataclass(frozen=True, slots=True)
class StartingMeans:
    """What a seat begins with, by its place in the turn order."""

    influence: int
    usd: int
    reputation: int


@dataclass(frozen=True, slots=True)
class Track:
    """Where a track begins and ends, and what a step beyond an end is worth in reputation."""

    start: int
    lowest: int
    highest: int
    reputation_above: int
    reputation_below: int


def number(row: PrintedRow, column: str) -> int:
    """A cell as an int; a column that the table lacks is 0."""
    return int(row.get(column) or 0)


def _options(row: PrintedRow) -> tuple[Change, ...]:
    if "A_usd" not in row:
        steps = [number(row, f"d_{track}") for track in TRACKS]
        return (Change(-number(row, "cost_usd"), *steps),)
    columns = ("usd", *TRACKS)
    letters = [letter for letter in "AB" if row[f"{letter}_usd"] != ""]  # CC 5.5: empty columns, no option B
    return tuple(Change(*(number(row, f"{letter}_{column}") for column in columns)) for letter in letters)


def _card(row: PrintedRow, card_type: int) -> Card:
    return Card(
        id=row["id"],
        name=row["name"],
        type=card_type,
        is_initial=row["initial"] == "1",
        options=_options(row),
        price=number(row, "cost_influence"),
        weapons_required=number(row, "weapons_required"),
        weapons=number(row, "weapons"),
        income=number(row, "income"),
        icons=tuple(number(row, icon) for icon in ICONS),
        preferences=tuple(number(row, f"pref_{icon}") for icon in ICONS),
        politicians=number(row, "politician"),
        end_reputation=number(row, "end_reputation"),
    )


def _event(row: PrintedRow) -> EventCard:
    columns = ("copies", "usd", "reputation", "influence", "least_reputation", "least_influence", "relief_usd")
    return EventCard(row["id"], row["name"], row["rule"], row["measure"], *(number(row, column) for column in columns))


def _spaces(side: str) -> tuple[tuple[Change, ...], ...]:
    """The effects of the spaces of each place from the top; loan, which is never full, has its one effect."""
    printed = [row for row in rows("spaces") if row["side"] == side]
    printed.sort(key=lambda row: number(row, "space"))
    columns = ("usd", *TRACKS)
    return tuple(
        tuple(Change(*(number(row, column) for column in columns)) for row in printed if row["action"] == place)
        for place in PLACES
    )


def _schedule(seats: int) -> tuple[tuple[int, bool], ...]:
    """Who places when: the place in the turn order, and whether it is a Salvatore pawn (CC 5.1, 9.2)."""
    steps = [row for row in rows("placing") if row["side"] == str(seats)]
    if steps:
        return tuple((number(row, "turn") - 1, row["pawn"] == "salvatore") for row in steps)
    return tuple((turn, False) for _ in range(NUMBERS["pawns"]) for turn in range(seats))


NUMBERS: Final = {row["name"]: number(row, "value") for row in rows("numbers")}
CARDS: Final = tuple(_card(row, card_type) for card_type, name in enumerate(TYPES) for row in rows(name))
CARD_NUMBERS: Final = {card.id: at for at, card in enumerate(CARDS)}
EVENTS: Final = tuple(_event(row) for row in rows("events"))
EVENT_NUMBERS: Final = {event.id: at for at, event in enumerate(EVENTS)}
EVENT_DECK: Final = tuple(at for at, event in enumerate(EVENTS) for _ in range(event.copies))
BONUSES: Final = tuple(
    Bonus(*(number(row, column) for column in ("initiative", "usd", "influence", "reputation")))
    for row in rows("bonuses")
)
STARTS: Final = tuple(
    StartingMeans(*(number(row, column) for column in ("influence", "usd", "reputation"))) for row in rows("starts")
)
TRACK_ENDS: Final = {
    row["track"]: Track(
        *(number(row, c) for c in ("start", "lowest", "highest", "reputation_above", "reputation_below"))
    )
    for row in rows("tracks")
}
EVENTS_DROPPED: Final = NUMBERS["events_dealt"] - NUMBERS["events_kept"]
SIDES: Final = {seats: _spaces("4" if seats == 4 else "2-3") for seats in (2, 3, 4)}  # CC 2.4
SCHEDULES: Final[tuple[tuple[tuple[int, bool], ...], ...]] = tuple(map(_schedule, range(5)))  # by number of seats
SALVATORE_STARTS: Final = {number(row, "round"): PLACES.index(row["action"]) for row in rows("salvatore")}

CARDS_OF_TYPE: Final = tuple(tuple(at for at, card in enumerate(CARDS) if card.type == t) for t in range(len(TYPES)))
FIRST_CELEBRITY: Final = CARDS_OF_TYPE[CELEBRITIES][0]
PRICES: Final = tuple(card.price for card in CARDS if card.type == CELEBRITIES)
# CC 5.4: what owning a card takes off the price of each celebrity.
DISCOUNTS: Final = tuple(
    tuple(sum(map(int.__mul__, card.icons, CARDS[guest].preferences)) for guest in CARDS_OF_TYPE[CELEBRITIES])
    for card in CARDS
)
