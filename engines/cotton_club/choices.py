"""The kinds of choice: what is legal in each and what taking it does."""

from __future__ import annotations

from typing import Final

from engines.choices import Choice, by_number, over
from engines.cotton_club.actions import FIRST_ADD, FIRST_BRIBE, FIRST_DROP, PASS
from engines.cotton_club.clubs import politicians
from engines.cotton_club.placing import place, place_salvatore, placements, salvatore_placements
from engines.cotton_club.position import (
    ADD,
    BRIBE,
    CRIMINALITY,
    DROP,
    MOVE_TIP_OFF,
    OVER,
    PLACE,
    PLACE_SALVATORE,
    Position,
)
from engines.cotton_club.tables import EVENTS_DROPPED
from engines.cotton_club.tracks import move
from engines.cotton_club.turns import BRIBE_USD, next_adding, next_bribing, next_dropping, next_placing, next_tip_off

# --- events in setup and in phase 1 (CC 2.3, 4) ---


def _drops(state: Position) -> list[int]:
    """Two events in ascending order, so that each pair has one spelling; the first must leave a second."""
    seat = state.to_act or 0
    hand, dropped = state.hands[seat], state.dropped[seat]
    able = [event for event in hand if not dropped or event >= dropped[-1]]
    still_to_come = EVENTS_DROPPED - len(dropped) - 1
    return sorted({FIRST_DROP + event for event in able[: len(able) - still_to_come]})


def _drop(state: Position, action: int) -> None:
    seat, event = state.to_act or 0, action - FIRST_DROP
    state.hands[seat] = _without(state.hands[seat], event)
    state.dropped[seat] += (event,)
    if len(state.dropped[seat]) == EVENTS_DROPPED:
        next_dropping(state)


def _without(hand: tuple[int, ...], event: int) -> tuple[int, ...]:
    at = hand.index(event)
    return hand[:at] + hand[at + 1 :]


def _adds(state: Position) -> list[int]:
    found = [PASS]
    for event in state.hands[state.to_act or 0]:
        if found[-1] != FIRST_ADD + event:  # a hand is sorted: copies of an event lie side by side
            found.append(FIRST_ADD + event)
    return found


def _add(state: Position, action: int) -> None:
    if action != PASS:
        seat, event = state.to_act or 0, action - FIRST_ADD
        state.hands[seat] = _without(state.hands[seat], event)
        state.event_row += ((seat, event),)
    next_adding(state)


# --- pawns (CC 5, 9.3) ---


def pawn_placements(state: Position) -> list[int]:
    return placements(state, tip_off_is_open=True)


def place_pawn(state: Position, action: int) -> None:
    place(state, state.to_act or 0, action)
    next_placing(state)


def _place_salvatore(state: Position, action: int) -> None:
    place_salvatore(state, action)
    next_placing(state)


def _tip_off_moves(state: Position) -> list[int]:
    return placements(state, tip_off_is_open=False)  # CC 5.7: any action except tip-off


def _move_tip_off(state: Position, action: int) -> None:
    place(state, state.to_act or 0, action)
    next_tip_off(state)  # CC 5.7: each fully before the next


# --- politicians at the end (CC 8.1) ---


def _bribes(state: Position) -> list[int]:
    seat = state.to_act or 0
    most = min(politicians(state, seat), state.money[seat] // BRIBE_USD)
    return list(range(FIRST_BRIBE, FIRST_BRIBE + most + 1))


def _bribe(state: Position, action: int) -> None:
    seat, used = state.to_act or 0, action - FIRST_BRIBE
    state.money[seat] -= used * BRIBE_USD
    move(state, CRIMINALITY, seat, -used)
    next_bribing(state)


CHOICES = by_number(
    Choice(DROP, "drop_event", "setup", "an event to drop", _drops, _drop),
    Choice(ADD, "add_event", "events", "an event to add, or pass", _adds, _add),
    Choice(PLACE, "place_pawn", "actions", "what to do with a pawn", pawn_placements, place_pawn),
    Choice(
        PLACE_SALVATORE,
        "place_salvatore",
        "actions",
        "a place for Salvatore's pawn",
        salvatore_placements,
        _place_salvatore,
    ),
    Choice(MOVE_TIP_OFF, "move_tip_off", "tip_offs", "what a tip-off pawn does now", _tip_off_moves, _move_tip_off),
    Choice(BRIBE, "bribe", "politicians", "how many politicians to bribe", _bribes, _bribe),
    over(OVER),
)
LEGAL: Final = tuple(choice.legal for choice in CHOICES)
TAKE: Final = tuple(choice.take for choice in CHOICES)
CHOICE_OF_NAME = {choice.name: choice for choice in CHOICES}
