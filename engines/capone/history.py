"""The log of the current year: how it is kept, how each seat sees it, and what it tells about the year so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.capone import actions as act
from engines.capone import wants
from engines.capone.tables import FIRST_LEGAL, HAND, MOST_SEATS, OFFER, SITES, SITES_OF_KIND, TAKEOVER

# A log is a chain: what came before, and the last seat and action; None is the empty log. Copies share it.
Log = tuple["Log", int, int] | None
HIDDEN = -1  # stands for the card of a return or a discard that the reader did not see


class Misread(ValueError):
    """Something read from JSON that no game could have written."""


def texts(log: Log, seat: int | None) -> list[str]:
    """The log as a seat saw it, oldest first; None sees all."""
    lines = []
    while log is not None:
        log, actor, action = log
        shown = act.TEXTS if seat is None or seat == actor else act.HIDDEN_TEXTS
        lines.append(f"{actor} {shown[action]}")
    lines.reverse()
    return lines


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log: who, what, and with which argument (HIDDEN where the reader did not see it)."""

    seat: int
    verb: str
    argument: int


_SEEN = {f"{seat} {text}": (seat, action) for seat in range(MOST_SEATS) for action, text in enumerate(act.TEXTS)}
ENTRIES = {
    **{line: Entry(seat, act.VERBS[act.VERB_OF[a][0]], act.VERB_OF[a][1]) for line, (seat, a) in _SEEN.items()},
    **{f"{seat} {verb} ?": Entry(seat, verb, HIDDEN) for seat in range(MOST_SEATS) for verb in ("return", "discard")},
}
FIRST_INT = dict(zip(act.VERBS, act.VERB_STARTS, strict=False))


def read(lines: list[object]) -> list[Entry]:
    """The entries of a log; raises Misread."""
    entries = []
    for line in lines:
        entry = ENTRIES.get(line) if isinstance(line, str) else None
        if entry is None:
            raise Misread(f"log line {line!r:.60} is not SEAT and the text of an action")
        entries.append(entry)
    return entries


@dataclass(slots=True)
class Year:
    """What a log tells: where the year stands, and every card that left a hand."""

    seats: int
    first: int
    to_act: int
    want: int = wants.RETURN
    card: int = -1
    place: int = -1
    named: int = 0
    hand_counts: list[int] = field(default_factory=list)
    returned: list[list[int]] = field(default_factory=list)
    unshown: list[list[int]] = field(default_factory=list)
    used: list[int] = field(default_factory=list)
    opened: dict[int, int] = field(default_factory=dict)  # legal business and the seat that used its card
    moved: list[int] = field(default_factory=list)  # cards that took a member away
    settling: list[int] = field(default_factory=list)  # seats that chose something in their settlement, in order

    def follow(self, entry: Entry) -> None:
        """Take one entry; raises Misread where the rules leave no room for it."""
        step = SETTLEMENT.get(entry.verb) if self.want >= wants.BAIL else STEPS.get((self.want, entry.verb))
        if step is None or not 0 <= entry.seat < self.seats:
            raise Misread(f"log: '{entry.verb}' of seat {entry.seat} can't come where it stands")
        if self.want < wants.BAIL and entry.seat != self.to_act:
            raise Misread(f"log: seat {entry.seat} acts where seat {self.to_act} should")
        step(self, entry)

    def name(self, member: int) -> None:
        if self.named >> member:
            raise Misread("log: members are not named in table order")
        self.named |= 1 << member

    def end_turn(self) -> None:
        self.want, self.card, self.place, self.named = wants.CARD, -1, -1, 0
        self.to_act = (self.to_act + 1) % self.seats
        if not self.hand_counts[self.to_act]:
            self.want, self.to_act = wants.BAIL, self.first


def _return(year: Year, entry: Entry) -> None:
    cards = year.returned[entry.seat]
    year.hand_counts[entry.seat] -= 1
    if year.hand_counts[entry.seat] < 0 or (cards and entry.argument < cards[-1]):
        raise Misread(f"log: seat {entry.seat} returns cards it can't have, or out of order")
    cards.append(entry.argument)


def _done(year: Year, entry: Entry) -> None:
    year.hand_counts[entry.seat] = HAND[year.seats]
    year.to_act = (entry.seat + 1) % year.seats
    if year.to_act == year.first:
        year.want = wants.CARD


def _discard(year: Year, entry: Entry) -> None:
    year.hand_counts[entry.seat] -= 1
    year.unshown[entry.seat].append(entry.argument)
    year.end_turn()


def _use(year: Year, entry: Entry) -> None:
    year.hand_counts[entry.seat] -= 1
    year.used.append(entry.argument)
    year.named = 0
    if entry.argument not in wants.ASKED_BY_CARD:
        year.opened[entry.argument - FIRST_LEGAL] = entry.seat
        year.end_turn()
        return
    year.card, year.want = entry.argument, wants.ASKED_BY_CARD[entry.argument]


def _at(year: Year, entry: Entry) -> None:
    site, card = entry.argument, year.card
    if card == OFFER:
        year.end_turn()
        return
    if site >= len(SITES) or (card != TAKEOVER and site // SITES_OF_KIND != card):
        raise Misread(f"log: {act.PLACES[site]} is no place for the card in use")
    if card != TAKEOVER and not year.hand_counts[entry.seat]:
        year.end_turn()  # CA 4.6: the set is fixed
        return
    year.place, year.want = site, wants.PIECES


def _name(year: Year, entry: Entry) -> None:
    year.name(entry.argument)


def _end(year: Year, _entry: Entry) -> None:
    year.end_turn()


def _move(year: Year, entry: Entry) -> None:
    year.moved.append(year.card)
    year.end_turn()


def _settle(year: Year, entry: Entry) -> None:
    """A seat acts in its settlement; seats with nothing to choose are not in the log."""
    own, current = ((seat - year.first) % year.seats for seat in (entry.seat, year.to_act))
    if own < current or (own == current and year.want == wants.OVER):
        raise Misread(f"log: seat {entry.seat} settles out of turn")
    if own > current:
        year.to_act, year.named, year.want = entry.seat, 0, wants.BAIL
    if not year.settling or year.settling[-1] != entry.seat:
        year.settling.append(entry.seat)
    if entry.verb == "bail":
        if year.want != wants.BAIL:
            raise Misread(f"log: seat {entry.seat} bails after its other choices")
        year.name(entry.argument)
    elif entry.verb == "rehire":
        if year.want != wants.BAIL:
            raise Misread(f"log: seat {entry.seat} rehires twice")
        year.want = wants.INVEST
    else:
        year.want = wants.OVER


STEPS = {
    (wants.RETURN, "return"): _return,
    (wants.RETURN, "done"): _done,
    (wants.CARD, "bail"): _name,
    (wants.CARD, "use"): _use,
    (wants.CARD, "discard"): _discard,
    (wants.PLACE, "at"): _at,
    (wants.MEMBER, "move"): _move,
    (wants.SEAT, "charge"): _end,
    (wants.PIECES, "put"): _name,
    (wants.PIECES, "guards"): _end,
}
SETTLEMENT = dict.fromkeys(("bail", "rehire", "invest"), _settle)


def follow(entries: list[Entry], *, seats: int, first: int) -> Year:
    """What a log tells about the year it belongs to; raises Misread if it contradicts the rules."""
    year = Year(seats=seats, first=first, to_act=first, hand_counts=[HAND[seats]] * seats)
    year.returned = [[] for _ in range(seats)]
    year.unshown = [[] for _ in range(seats)]
    for entry in entries:
        year.follow(entry)
    return year


def chain(entries: list[Entry], returned: list[tuple[int, ...]], unshown: list[tuple[int, ...]]) -> Log:
    """The log of these entries with the hidden cards put in."""
    sources = {"return": [iter(cards) for cards in returned], "discard": [iter(cards) for cards in unshown]}
    log: Log = None
    for entry in entries:
        argument = next(sources[entry.verb][entry.seat]) if entry.verb in sources else entry.argument
        log = (log, entry.seat, FIRST_INT[entry.verb] + argument)
    return log
