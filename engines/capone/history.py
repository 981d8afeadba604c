"""What the log of the current year tells about it: where the year stands, and every card that left a hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.api import Json
from engines.capone import actions as act
from engines.capone.cards import ASKED_BY
from engines.capone.position import (
    BAIL,
    CARD,
    INVEST,
    MEMBER,
    NOTHING,
    OVER,
    PIECES,
    PLACE,
    RETURN,
    SEAT,
)
from engines.capone.tables import FIRST_LEGAL, HAND, MOST_SEATS, OFFER, SITES, SITES_OF_KIND, TAKEOVER
from engines.reading import Unreadable, names

HIDDEN = -1  # stands for the card of a return or a discard that the reader did not see


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a log: who, what, and with which argument (HIDDEN where the reader did not see it)."""

    seat: int
    verb: str
    argument: int
    logged: int  # the entry as the log of a position has it; a hidden card counts as the first of all


def _entry(seat: int, verb: int, argument: int) -> LogEntry:
    return LogEntry(seat, act.VERBS[verb], argument, seat * act.END + act.VERB_STARTS[verb] + max(0, argument))


ENTRIES = {
    **{
        act.LINES[seat * act.END + action]: _entry(seat, verb, argument)
        for seat in range(MOST_SEATS)
        for action, (verb, argument) in enumerate(act.VERB_OF)
    },
    **{
        f"{seat} {verb} ?": _entry(seat, act.VERBS.index(verb), HIDDEN)
        for seat in range(MOST_SEATS)
        for verb in ("return", "discard")
    },
}


def read(given: Json) -> tuple[LogEntry, ...]:
    """The entries of an observation's log; raises Unreadable."""
    return names(given, "log", ENTRIES)


@dataclass(slots=True)
class Year:
    """What a log tells: where the year stands, and every card that left a hand."""

    seats: int
    first: int
    to_act: int
    choice: int = RETURN
    card: int = NOTHING
    place: int = NOTHING
    named: int = 0
    hand_counts: list[int] = field(default_factory=list)
    returned: list[list[int]] = field(default_factory=list)
    unshown: list[list[int]] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    opened: dict[int, int] = field(default_factory=dict)  # legal business and the seat that used its card
    moved: list[int] = field(default_factory=list)  # cards that took a member away
    settling: list[int] = field(default_factory=list)  # seats that chose something in their settlement, in order

    def follow(self, entry: LogEntry) -> None:
        """Take one entry; raises Unreadable where the rules leave no room for it."""
        choice, seat = self.choice, entry.seat
        step = STEPS.get((choice, entry.verb)) if choice < BAIL else SETTLEMENT.get(entry.verb)
        if step is None or seat >= self.seats:
            raise Unreadable(f"log: '{entry.verb}' of seat {seat} can't come where it stands")
        if seat != self.to_act and choice < BAIL:
            raise Unreadable(f"log: seat {seat} acts where seat {self.to_act} should")
        step(self, entry)

    def name(self, member: int) -> None:
        if self.named >> member:
            raise Unreadable("log: members are not named in table order")
        self.named |= 1 << member

    def end_turn(self) -> None:
        self.choice, self.card, self.place, self.named = CARD, NOTHING, NOTHING, 0
        self.to_act = (self.to_act + 1) % self.seats
        if not self.hand_counts[self.to_act]:
            self.choice, self.to_act = BAIL, self.first


def _return(year: Year, entry: LogEntry) -> None:
    cards = year.returned[entry.seat]
    year.hand_counts[entry.seat] -= 1
    if year.hand_counts[entry.seat] < 0 or (cards and entry.argument < cards[-1]):
        raise Unreadable(f"log: seat {entry.seat} returns cards it can't have, or out of order")
    cards.append(entry.argument)


def _done(year: Year, entry: LogEntry) -> None:
    year.hand_counts[entry.seat] = HAND[year.seats]
    year.to_act = (entry.seat + 1) % year.seats
    if year.to_act == year.first:
        year.choice = CARD


def _discard(year: Year, entry: LogEntry) -> None:
    year.hand_counts[entry.seat] -= 1
    year.unshown[entry.seat].append(entry.argument)
    year.end_turn()


def _use(year: Year, entry: LogEntry) -> None:
    year.hand_counts[entry.seat] -= 1
    year.used.append(entry.argument)
    year.named = 0
    if entry.argument not in ASKED_BY:
        year.opened[entry.argument - FIRST_LEGAL] = entry.seat
        year.end_turn()
        return
    year.card, year.choice = entry.argument, ASKED_BY[entry.argument]


def _at(year: Year, entry: LogEntry) -> None:
    site, card = entry.argument, year.card
    if card == OFFER:
        year.end_turn()
        return
    if site >= len(SITES) or (card != TAKEOVER and site // SITES_OF_KIND != card):
        raise Unreadable(f"log: {act.PLACES[site]} is no place for the card in use")
    if card != TAKEOVER and not year.hand_counts[entry.seat]:
        year.end_turn()  # CA 4.6: the set is fixed
        return
    year.place, year.choice = site, PIECES


def _name(year: Year, entry: LogEntry) -> None:
    year.name(entry.argument)


def _end(year: Year, _entry: LogEntry) -> None:
    year.end_turn()


def _move(year: Year, entry: LogEntry) -> None:
    year.moved.append(year.card)
    year.end_turn()


def _settle(year: Year, entry: LogEntry) -> None:
    """A seat acts in its settlement; seats with nothing to choose are not in the log."""
    own, current = ((seat - year.first) % year.seats for seat in (entry.seat, year.to_act))
    if own < current or (own == current and year.choice == OVER):
        raise Unreadable(f"log: seat {entry.seat} settles out of turn")
    if own > current:
        year.to_act, year.named, year.choice = entry.seat, 0, BAIL
    if not year.settling or year.settling[-1] != entry.seat:
        year.settling.append(entry.seat)
    if entry.verb == "bail":
        if year.choice != BAIL:
            raise Unreadable(f"log: seat {entry.seat} bails after its other choices")
        year.name(entry.argument)
    elif entry.verb == "rehire":
        if year.choice != BAIL:
            raise Unreadable(f"log: seat {entry.seat} rehires twice")
        year.choice = INVEST
    else:
        year.choice = OVER


STEPS = {
    (RETURN, "return"): _return,
    (RETURN, "done"): _done,
    (CARD, "bail"): _name,
    (CARD, "use"): _use,
    (CARD, "discard"): _discard,
    (PLACE, "at"): _at,
    (MEMBER, "move"): _move,
    (SEAT, "charge"): _end,
    (PIECES, "put"): _name,
    (PIECES, "guards"): _end,
}
SETTLEMENT = dict.fromkeys(("bail", "rehire", "invest"), _settle)


def follow(entries: tuple[LogEntry, ...], *, seats: int, first: int) -> Year:
    """What a log tells about the year it belongs to; raises Unreadable if it contradicts the rules."""
    year = Year(seats=seats, first=first, to_act=first, hand_counts=[HAND[seats]] * seats)
    year.returned = [[] for _ in range(seats)]
    year.unshown = [[] for _ in range(seats)]
    for entry in entries:
        year.follow(entry)
    return year
