"""Drawing a play-through that fits what a seat has seen (CC 10)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

from engines.api import InvalidAction, InvalidObservation, Json, Observation
from engines.cotton_club.actions import FIRST_ADD, FIRST_DROP, parse_action
from engines.cotton_club.deal import DEALT_EVENTS, PILE_EVENTS, Deal, ImpossibleDeal, check_deal, split_initial
from engines.cotton_club.quotes import quote
from engines.cotton_club.rounds import EVENTS_DROPPED
from engines.cotton_club.snapshots import Playthrough
from engines.cotton_club.tables import CARD_NUMBERS, CARDS_OF_TYPE, EVENT_DECK, EVENT_NUMBERS, SIDES, TYPES

HIDDEN_DROP, HIDDEN_ADD = -1, -2


@dataclass(frozen=True, slots=True)
class Seen:
    """What an observation tells of the play-through; None and the HIDDEN actions are unknown."""

    seat: int
    seats: int
    first_seat: int
    log: tuple[tuple[int, int], ...]
    shown: tuple[tuple[int, ...], ...]
    own_events: tuple[int, ...]
    pile: tuple[int | None, ...]  # events that came from the pile, in order
    added: tuple[tuple[int | None, ...], ...]  # events that each seat added, in order


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
        raise InvalidObservation("an event is seen more often than it has copies")
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


def _require(holds: bool, expected: str, value: Json) -> None:
    if not holds:
        raise InvalidObservation(f"{quote(value)}: expected that {expected}")


def read_observation(observation: Observation) -> Seen:
    """What the observation tells; raises InvalidObservation if its fields can't be read or no deal fits."""
    _require(isinstance(observation, dict), "an observation is an object", observation)
    needed = ("seat", "seats", "to_act", "log", "shown", "hands", "dropped", "event_row", "used_events")
    for field in needed:
        _require(field in observation, f"an observation has the field {field!r}", list(observation))
    seats, seat = observation["seats"], observation["seat"]
    _require(type(seats) is int and seats in SIDES, "seats is 2, 3 or 4", seats)
    _require(type(seat) is int and 0 <= seat < seats, "seat is one of the seats (imagining is for a seat)", seat)
    log = _read_log(observation["log"], seat=seat, seats=seats)
    first = log[0][0] if log else observation["to_act"]
    _require(type(first) is int and 0 <= first < seats, "somebody is to act", first)
    pile, added = _read_events(observation, seats)
    own = _own_events(observation, seat, log)
    for other in range(seats):
        adds = sum(1 for actor, action in log if actor == other and (action == HIDDEN_ADD or action >= FIRST_ADD))
        drops = log.count((other, HIDDEN_DROP))
        _require(adds == len(added[other]), f"the log tells each event seat {other} added", added[other])
        possible = drops <= EVENTS_DROPPED and adds <= (DEALT_EVENTS - EVENTS_DROPPED if drops == EVENTS_DROPPED else 0)
        _require(possible or other == seat, "a seat drops two events and adds at most three", (drops, adds))
    seen = Seen(seat, seats, first, log, _read_shown(observation["shown"]), own, pile, added)
    try:
        check_deal(imagine_playthrough(seen, Random(0)).deal, seats=seats)
    except ImpossibleDeal as reason:
        raise InvalidObservation(f"no deal fits the observation: {reason}") from reason
    return seen


def _read_log(log: Json, *, seat: int, seats: int) -> tuple[tuple[int, int], ...]:
    _require(isinstance(log, list), "log is a list", log)
    entries = []
    for entry in log:
        _require(isinstance(entry, str), "a log entry is a string", entry)
        actor, _, text = entry.partition(" ")
        _require(actor in ("0", "1", "2", "3") and int(actor) < seats, "a log entry begins with a seat", entry)
        entries.append((int(actor), _read_entry(text, is_own=int(actor) == seat)))
    return tuple(entries)


def _read_entry(text: str, *, is_own: bool) -> int:
    hidden = {"drop ?": HIDDEN_DROP, "add ?": HIDDEN_ADD}.get(text)
    if hidden is not None:
        _require(not is_own, "a seat knows what it did itself", text)
        return hidden
    try:
        action = parse_action(text)
    except InvalidAction as reason:
        raise InvalidObservation(f"the log can't be read: {reason}") from reason
    _require(is_own or action < FIRST_DROP, "drops and adds of other seats are hidden", text)
    return action


def _read_ids(ids: Json, numbers: dict[str, int]) -> tuple[int, ...]:
    _require(isinstance(ids, list), "it is a list of ids", ids)
    for one in ids:
        _require(isinstance(one, str) and one in numbers, "it is the id of a card", one)
    return tuple(numbers[one] for one in ids)


def _read_shown(shown: Json) -> tuple[tuple[int, ...], ...]:
    _require(isinstance(shown, dict) and set(shown) == set(TYPES), f"shown has {', '.join(TYPES)}", shown)
    piles = tuple(_read_ids(shown[name], CARD_NUMBERS) for name in TYPES)
    for cards, pile in zip(CARDS_OF_TYPE, piles, strict=True):
        _require(set(pile) <= set(cards) and len(set(pile)) == len(pile), "each card is shown once", list(pile))
    return piles


def _own_events(observation: Observation, seat: int, log: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The five events dealt to the seat: held, dropped and added."""
    own: list[int] = [action - FIRST_ADD for actor, action in log if actor == seat and action >= FIRST_ADD]
    for field in ("hands", "dropped"):
        value = observation[field]
        _require(isinstance(value, list) and len(value) > seat, f"{field} has a list for seat {seat}", value)
        own += _read_ids(value[seat], EVENT_NUMBERS)
    _require(len(own) == DEALT_EVENTS, f"seat {seat} was dealt {DEALT_EVENTS} events", own)
    return tuple(own)


def _read_events(
    observation: Observation, seats: int
) -> tuple[tuple[int | None, ...], tuple[tuple[int | None, ...], ...]]:
    """Events of the row and of earlier rounds, by where they came from; None where not known."""
    pile: list[int | None] = []
    added: list[list[int | None]] = [[] for _ in range(seats)]
    for field in ("used_events", "event_row"):
        _require(isinstance(observation[field], list), f"{field} is a list", observation[field])
        for entry in observation[field]:
            _require(isinstance(entry, dict) and {"by", "event"} <= set(entry), "an event has by and event", entry)
            by, event = entry["by"], entry["event"]
            _require(by is None or (type(by) is int and 0 <= by < seats), "by is a seat or null", by)
            is_id = isinstance(event, str) and event in EVENT_NUMBERS
            _require(is_id or (event is None and field == "event_row"), f"{field} names an event", event)
            (pile if by is None else added[by]).append(None if event is None else EVENT_NUMBERS[event])
    _require(len(pile) <= PILE_EVENTS, f"at most {PILE_EVENTS} events come from the pile", pile)
    return tuple(pile), tuple(tuple(events) for events in added)
