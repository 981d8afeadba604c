"""A state that a seat could be in: what its observation tells, and everything else drawn (CC 10)."""

from __future__ import annotations

import marshal
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from engines.api import Game, Json
from engines.cotton_club.actions import FIRST_ADD, FIRST_DROP, INTS
from engines.cotton_club.deal import DEALT_EVENTS, PILE_EVENTS, Deal, check_deal, split_initial
from engines.cotton_club.snapshots import Playthrough
from engines.cotton_club.state import CottonClubState, replay
from engines.cotton_club.tables import (
    CARD_NUMBERS,
    CARDS_OF_TYPE,
    EVENT_DECK,
    EVENT_NUMBERS,
    EVENTS_DROPPED,
    TYPES,
)
from engines.log import chain, entries
from engines.reading import (
    Unreadable,
    compare,
    fields,
    heading,
    listed,
    named,
    names,
    or_null,
    require,
    short,
    text,
    whole,
    within,
)

HIDDEN_DROP, HIDDEN_ADD = -1, -2
_HIDDEN = {"drop ?": HIDDEN_DROP, "add ?": HIDDEN_ADD}

MaybeEvents = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What an observation tells of the play-through; None and the HIDDEN actions are unknown."""

    seat: int
    seats: int
    first_seat: int
    log: tuple[tuple[int, int], ...]
    shown: tuple[tuple[int, ...], ...]
    own_events: tuple[int, ...]
    pile: MaybeEvents  # events that came from the pile, in order
    added: tuple[MaybeEvents, ...]  # events that each seat added, in order


@lru_cache(maxsize=64)
def understand(observation: bytes, game: Game) -> tuple[Seen, CottonClubState]:
    """What a packed observation tells, and one table that shows it; a search that imagines often pays once."""
    given = marshal.loads(observation)  # noqa: S302 (it was packed by `imagine`)
    require(type(given) is dict, f"an observation is an object, not {short(given)}")
    seen = read_observation(given, game)
    table = replay(imagine_playthrough(seen, Random(0)))
    compare(given, table.observe(seen.seat))
    return seen, table


def lay_out(table: CottonClubState, course: Playthrough) -> CottonClubState:
    """The table with its hidden things as the play-through has them; what all see depends on none of them."""
    state = table.copy()
    state.seed, state.deal = course.seed, course.deal
    log = [(seat, action) for (seat, _), action in zip(entries(table.log), course.actions, strict=True)]
    state.log = chain(log)
    hands = [list(hand) for hand in course.deal.hands]
    dropped: list[list[int]] = [[] for _ in hands]
    added: list[list[int]] = [[] for _ in hands]
    for seat, action in log:
        if action >= FIRST_DROP:
            event = action - (FIRST_ADD if action >= FIRST_ADD else FIRST_DROP)
            hands[seat].remove(event)
            (added if action >= FIRST_ADD else dropped)[seat].append(event)
    state.hands = [tuple(hand) for hand in hands]
    state.dropped = [tuple(events) for events in dropped]
    top = len(course.deal.event_pile) - state.event_pile - 1
    state.event_row = tuple(
        (by, course.deal.event_pile[top] if by is None else added[by][-1]) for by, _ in table.event_row
    )
    return state


# --- drawing ---


def imagine_playthrough(seen: Seen, rng: Random) -> Playthrough:
    """A play-through that could have led here, uniform over the unknown."""
    piles = tuple(_imagine_pile(cards, shown, rng) for cards, shown in zip(CARDS_OF_TYPE, seen.shown, strict=True))
    event_pile, hands, log = _imagine_events(seen, rng)
    return Playthrough(seen.seats, rng.getrandbits(128), Deal(seen.first_seat, piles, event_pile, hands), log)


def _imagine_pile(cards: tuple[int, ...], shown: tuple[int, ...], rng: Random) -> tuple[int, ...]:
    """Cards seen, then unseen initial cards, then the others (CC 2.2)."""
    initial, others = split_initial(tuple(card for card in cards if card not in shown))
    rng.shuffle(initial)
    rng.shuffle(others)
    return (*shown, *initial, *others)


Events = tuple[tuple[int, ...], tuple[tuple[int, ...], ...], tuple[int, ...]]


def _imagine_events(seen: Seen, rng: Random) -> Events:
    """Deal the unseen events uniformly over every place where they can be: event pile, hands and full log."""
    unseen = Counter(EVENT_DECK)
    unseen.subtract(seen.own_events)
    unseen.subtract(event for event in seen.pile if event is not None)
    for seat, events in enumerate(seen.added):
        if seat != seen.seat:
            unseen.subtract(event for event in events if event is not None)
    if min(unseen.values()) < 0:
        raise Unreadable("an event is seen more often than it has copies")
    pool = sorted(unseen.elements())
    while True:
        rng.shuffle(pool)
        dealt = _deal_pool(seen, pool.copy())
        if dealt is not None:
            return dealt


def _deal_pool(seen: Seen, pool: list[int]) -> Events | None:
    """Put the pool into the unknown places; None if a seat that has dropped one event could drop no second."""
    pile = [pool.pop() if event is None else event for event in seen.pile]
    pile += [pool.pop() for _ in range(PILE_EVENTS - len(pile))]
    hands: list[tuple[int, ...]] = []
    secrets: list[list[int]] = []
    for seat in range(seen.seats):
        if seat == seen.seat:
            hands.append(tuple(sorted(seen.own_events)))
            secrets.append([])
            continue
        drops = sorted(pool.pop() for _ in range(seen.log.count((seat, HIDDEN_DROP))))
        added = [pool.pop() if event is None else event for event in seen.added[seat]]
        kept = [pool.pop() for _ in range(DEALT_EVENTS - len(drops) - len(added))]
        if 0 < len(drops) < EVENTS_DROPPED and max(kept) < drops[-1]:
            return None
        hands.append(tuple(sorted(drops + added + kept)))
        secrets.append([FIRST_ADD + event for event in reversed(added)] + [FIRST_DROP + d for d in reversed(drops)])
    log = tuple(secrets[seat].pop() if action < 0 else action for seat, action in seen.log)
    return tuple(pile), tuple(hands), log


# --- reading ---


def read_observation(given: dict[str, Json], game: Game) -> Seen:
    """What the observation of a seat tells; raises Unreadable if its fields can't be read or no deal fits."""
    seats, _ = heading(given, game)
    seat = whole(given, "seat", 0, seats - 1)
    log = _read_log(given, seat=seat, seats=seats)
    first = log[0][0] if log else whole(given, "to_act", 0, seats - 1)
    pile, added = _read_events(given, seats)
    own = _own_events(given, seat, log)
    for other in range(seats):
        _check_secrets(log, other, len(added[other]), is_own=other == seat)
    seen = Seen(seat, seats, first, log, _read_shown(given), own, pile, added)
    check_deal(imagine_playthrough(seen, Random(0)).deal, seats=seats)
    return seen


def _check_secrets(log: tuple[tuple[int, int], ...], seat: int, shown: int, *, is_own: bool) -> None:
    """The drops and adds of a seat are as many as it can have made, and the adds those of the rows."""
    adds = sum(1 for actor, action in log if actor == seat and (action == HIDDEN_ADD or action >= FIRST_ADD))
    drops = log.count((seat, HIDDEN_DROP))
    require(adds == shown, f"the log tells of {adds} events added by seat {seat}, the rows of {shown}")
    possible = drops <= EVENTS_DROPPED and adds <= (DEALT_EVENTS - EVENTS_DROPPED if drops == EVENTS_DROPPED else 0)
    require(possible or is_own, f"seat {seat} drops {drops} events and adds {adds}; it can't")


def _read_log(given: Json, *, seat: int, seats: int) -> tuple[tuple[int, int], ...]:
    lines = listed(given, "log")
    with within("log"):
        return tuple(_read_line(text(lines, at), at, seat=seat, seats=seats) for at in range(len(lines)))


def _read_line(line: str, at: int, *, seat: int, seats: int) -> tuple[int, int]:
    """Who did what, a HIDDEN action where the seat did not see it."""
    actor, _, done = line.partition(" ")
    if actor not in ("0", "1", "2", "3")[:seats]:
        raise Unreadable(f"{short(line)} does not begin with a seat", at)
    is_own = int(actor) == seat
    action = _HIDDEN.get(done, INTS.get(done))
    if action is None:
        raise Unreadable(f"{short(line)} does not end with an action", at)
    if (is_own and action < 0) or (not is_own and action >= FIRST_DROP):
        raise Unreadable(f"{short(line)}: a seat knows its own drops and adds, and no others", at)
    return int(actor), action


def _read_shown(given: Json) -> tuple[tuple[int, ...], ...]:
    shown = fields(given, "shown", TYPES)
    with within("shown"):
        piles = tuple(names(shown, name, CARD_NUMBERS, once=True) for name in TYPES)
    for name, cards, pile in zip(TYPES, CARDS_OF_TYPE, piles, strict=True):
        require(set(pile) <= set(cards), f"shown has cards under {name} that are of another type")
    return piles


def _own_events(given: Json, seat: int, log: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The five events dealt to the seat: held, dropped and added."""
    own: list[int] = [action - FIRST_ADD for actor, action in log if actor == seat and action >= FIRST_ADD]
    for field in ("hands", "dropped"):
        with within(field):
            own += names(listed(given, field), seat, EVENT_NUMBERS)
    require(len(own) == DEALT_EVENTS, f"seat {seat} was dealt {DEALT_EVENTS} events, not {len(own)}")
    return tuple(own)


def _read_events(given: Json, seats: int) -> tuple[MaybeEvents, tuple[MaybeEvents, ...]]:
    """Events of the row and of earlier rounds, by where they came from; None where not known."""
    pile: list[int | None] = []
    added: list[list[int | None]] = [[] for _ in range(seats)]
    for field in ("used_events", "event_row"):
        for at, entry in enumerate(listed(given, field)):
            with within(field, at):
                by = or_null(whole, entry, "by", 0, seats - 1)
                is_hidden = field == "event_row" and entry.get("event") is None
                event = None if is_hidden else named(entry, "event", EVENT_NUMBERS)
            (pile if by is None else added[by]).append(event)
    require(len(pile) <= PILE_EVENTS, f"{len(pile)} events come from the pile, which has {PILE_EVENTS}")
    return tuple(pile), tuple(tuple(events) for events in added)
