"""Resolving the row of events (CC 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.cotton_club.actions import CARD_OF
from engines.cotton_club.tables import CARDS, EVENTS, ICONS, NUMBERS, TYPES, Event
from engines.cotton_club.tracks import CRIMINALITY, INFLUENCE, earn, move

if TYPE_CHECKING:
    from engines.cotton_club.state import CottonClubState

_LACKING_USD = NUMBERS["lacking_usd"]
# How much each take action brings of what events count.
_ICONS = {icon: tuple(CARDS[card].icons[at] for card in CARD_OF) for at, icon in enumerate(ICONS)}
_CARDS = {name: tuple(int(CARDS[card].type == at) for card in CARD_OF) for at, name in enumerate(TYPES)}
_COUNTED = {**_ICONS, **_CARDS}


def resolve_row(state: CottonClubState) -> None:
    """Show and apply each event of the row from left to right; used events leave the game (CC 6, 6.4)."""
    for by, event in state.event_row:
        resolve(state, EVENTS[event])
        state.used_events += ((state.round, by, event),)
    state.event_row = ()
    state.tipped_off = 0


def resolve(state: CottonClubState, event: Event) -> None:
    """Measure all seats first, then change them in turn order (CC 6.1, 6.2)."""
    measured = measure(state, event.measure)
    apply = _RULES[event.rule]
    for seat in state.turn_order:
        apply(state, event, seat, measured)


def measure(state: CottonClubState, what: str) -> list[int]:
    """How much each seat has of what an event compares or counts."""
    if what == "weapons":
        return state.weapons.copy()
    if what == "criminality":
        return state.levels[CRIMINALITY : CRIMINALITY + state.seats]
    return [count(state, seat, what) for seat in range(state.seats)]


def count(state: CottonClubState, seat: int, what: str) -> int:
    """Icons of one kind, or cards of one type, in a club; celebrities' preferences are no icons."""
    return sum(map(_COUNTED[what].__getitem__, state.clubs[seat]))


def _gain(state: CottonClubState, seat: int, *, usd: int, reputation: int, influence: int) -> None:
    if usd:
        earn(state, seat, usd)
    if influence:
        move(state, INFLUENCE, seat, influence)
    state.reputation[seat] += reputation


def _each(state: CottonClubState, event: Event, seat: int, measured: list[int]) -> None:
    has = measured[seat]
    _gain(state, seat, usd=has * event.usd, reputation=has * event.reputation, influence=has * event.influence)


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


_RULES = {"each": _each, "most": _most, "most_least": _most_least, "pay": _pay}
