"""Resolving the row of events (CC 6)."""

from __future__ import annotations

from engines.cotton_club.clubs import count
from engines.cotton_club.position import CRIMINALITY, INFLUENCE, Position
from engines.cotton_club.tables import EVENTS, NUMBERS, EventCard
from engines.cotton_club.tracks import earn, move

_LACKING_USD = NUMBERS["lacking_usd"]


def resolve_row(state: Position) -> None:
    """Show and apply each event of the row from left to right; used events leave the game (CC 6, 6.4)."""
    for by, event in state.event_row:
        resolve(state, EVENTS[event])
        state.used_events += ((state.round, by, event),)
    state.event_row = ()
    state.tipped_off = 0


def resolve(state: Position, event: EventCard) -> None:
    """Measure all seats first, then change them in turn order (CC 6.1, 6.2)."""
    _RULES[event.rule](state, event, measure(state, event.measure))


def measure(state: Position, what: str) -> list[int]:
    """How much each seat has of what an event compares or counts."""
    if what == "weapons":
        return state.weapons.copy()
    if what == "criminality":
        return state.levels[CRIMINALITY : CRIMINALITY + state.seats]
    return [count(state, seat, what) for seat in range(state.seats)]


def _gain(state: Position, seat: int, *, usd: int, reputation: int, influence: int) -> None:
    if usd:
        earn(state, seat, usd)
    if influence:
        move(state, INFLUENCE, seat, influence)
    state.reputation[seat] += reputation


def _each(state: Position, event: EventCard, measured: list[int]) -> None:
    for seat in state.turn_order:
        has = measured[seat]
        _gain(state, seat, usd=has * event.usd, reputation=has * event.reputation, influence=has * event.influence)


def _most(state: Position, event: EventCard, measured: list[int]) -> None:
    most = max(measured)
    if most == 0:  # CC 6.1: at least one card
        return
    for seat in state.turn_order:
        if measured[seat] == most:  # CC 6.1: all tied seats
            _gain(state, seat, usd=event.usd, reputation=event.reputation, influence=event.influence)


def _most_least(state: Position, event: EventCard, measured: list[int]) -> None:
    most, least = max(measured), min(measured)
    if most == least:  # CC 6.1: nothing happens if all are equal
        return
    for seat in state.turn_order:
        if measured[seat] == most:
            _gain(state, seat, usd=event.usd, reputation=event.reputation, influence=event.influence)
        elif measured[seat] == least:
            _gain(state, seat, usd=0, reputation=event.least_reputation, influence=event.least_influence)


def _pay(state: Position, event: EventCard, measured: list[int]) -> None:
    """Pay what weapons leave of the loss: all cash, then reputation for each full lack (CC 6.3)."""
    for seat in state.turn_order:
        owed = max(0, -event.usd - event.relief_usd * measured[seat])
        paid = min(owed, state.money[seat])
        state.money[seat] -= paid
        state.reputation[seat] -= (owed - paid) // _LACKING_USD


_RULES = {"each": _each, "most": _most, "most_least": _most_least, "pay": _pay}
