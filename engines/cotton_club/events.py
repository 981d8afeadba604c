"""Resolving the row of events (CC 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.cotton_club.actions import CARD_OF
from engines.cotton_club.tables import CARDS, EVENTS, ICONS, NUMBERS, TYPES, Event
from engines.cotton_club.tracks import CRIMINALITY, INFLUENCE, earn, move

if TYPE_CHECKING:
    from engines.cotton_club.state import CottonClubState

_LACKING_USD = NUMBERS["lacking_usd"]


def resolve_row(state: CottonClubState) -> None:
    """Show and apply each event of the row from left to right; used events leave the game (CC 6, 6.4)."""
    for by, event in state.event_row:
        resolve(state, EVENTS[event])
        state.used_events += ((state.round, by, event),)
    state.event_row = ()
    state.tipped_off = 0


def resolve(state: CottonClubState, event: Event) -> None:
    """Measure all seats first, then change them in turn order (CC 6.1, 6.2)."""
    measured = [measure(state, seat, event.measure) for seat in range(state.seats)]
    apply = {"each": _each, "most": _most, "most_least": _most_least, "pay": _pay}[event.rule]
    for seat in state.turn_order:
        apply(state, event, seat, measured)


def measure(state: CottonClubState, seat: int, what: str) -> int:
    """How much a seat has of what an event compares or counts."""
    if what == "weapons":
        return state.weapons[seat]
    if what == "criminality":
        return state.levels[CRIMINALITY + seat]
    if what in TYPES:
        wanted = TYPES.index(what)
        return sum(CARDS[CARD_OF[action]].type == wanted for action in state.clubs[seat])
    return count_icons(state, seat, ICONS.index(what))


def count_icons(state: CottonClubState, seat: int, icon: int) -> int:
    """Icons of one kind on a club's smuggling and artist cards; celebrities' preferences are none."""
    return sum(CARDS[CARD_OF[action]].icons[icon] for action in state.clubs[seat])


def _gain(state: CottonClubState, seat: int, *, usd: int, reputation: int, influence: int) -> None:
    earn(state, seat, usd)
    state.reputation[seat] += reputation
    move(state, INFLUENCE, seat, influence)


def _each(state: CottonClubState, event: Event, seat: int, measured: list[int]) -> None:
    count = measured[seat]
    _gain(state, seat, usd=count * event.usd, reputation=count * event.reputation, influence=count * event.influence)


def _most(state: CottonClubState, event: Event, seat: int, measured: list[int]) -> None:
    if measured[seat] == max(measured) and measured[seat] > 0:  # CC 6.1: at least one card, all tied seats
        _gain(state, seat, usd=event.usd, reputation=event.reputation, influence=event.influence)


def _most_least(state: CottonClubState, event: Event, seat: int, measured: list[int]) -> None:
    most, least = max(measured), min(measured)
    if most == least:  # CC 6.1: nothing happens if all are equal
        return
    if measured[seat] == most:
        _gain(state, seat, usd=event.usd, reputation=event.reputation, influence=event.influence)
    elif measured[seat] == least:
        _gain(state, seat, usd=0, reputation=event.least_reputation, influence=event.least_influence)


def _pay(state: CottonClubState, event: Event, seat: int, measured: list[int]) -> None:
    """Pay what weapons leave of the loss: all cash, then reputation for each full lack (CC 6.3)."""
    owed = max(0, -event.usd - event.relief_usd * measured[seat])
    paid = min(owed, state.money[seat])
    state.money[seat] -= paid
    state.reputation[seat] -= (owed - paid) // _LACKING_USD
