"""How the game goes from one choice to the next: setup, the phases of a round, the end (CC 2.3, 3, 4, 5, 7, 8.1, 9)."""

from __future__ import annotations

from typing import Final

from engines.cotton_club.clubs import income, politicians
from engines.cotton_club.events import resolve_row
from engines.cotton_club.position import ADD, BRIBE, INITIATIVE, MOVE_TIP_OFF, OVER, PLACE, PLACE_SALVATORE, Position
from engines.cotton_club.tables import (
    NUMBERS,
    PLACES,
    SALVATORE,
    SALVATORE_STARTS,
    SCHEDULES,
    TIP_OFF,
    TYPES,
)
from engines.cotton_club.tracks import earn, order_on

BRIBE_USD: Final = NUMBERS["bribe_usd"]
_ROUNDS: Final = NUMBERS["rounds"]
_ROW_CARDS: Final = NUMBERS["row_cards"]


# --- setup (CC 2.3) ---


def next_dropping(state: Position) -> None:
    """Ask the next seat in turn order for its drops."""
    state.step += 1
    if state.step < state.seats:
        state.to_act = state.turn_order[state.step]
    else:
        start_round(state)


# --- a round begins: phase 1 (CC 3, 4) ---


def start_round(state: Position) -> None:
    """Begin the next round; the first has no events."""
    state.round += 1
    if state.round == _ROUNDS:
        state.last_round = True
    if state.round == 1:
        _start_actions(state)
        return
    top = len(state.deal.event_pile) - state.event_pile
    state.event_row = ((None, state.deal.event_pile[top]),)
    state.event_pile -= 1
    state.choice = ADD
    state.step = -1
    next_adding(state)


def next_adding(state: Position) -> None:
    """Ask the next seat in turn order that has events (CC 4)."""
    for step in range(state.step + 1, state.seats):
        if state.hands[state.turn_order[step]]:
            state.step, state.to_act = step, state.turn_order[step]
            return
    _start_actions(state)


# --- phase 2 (CC 5.1, 5.7, 9.1, 9.2) ---


def _start_actions(state: Position) -> None:
    if state.seats == 2:  # CC 9.1
        state.pawns[SALVATORE_STARTS[state.round]] = (SALVATORE,)
    state.step = -1
    next_placing(state)


def next_placing(state: Position) -> None:
    """Go on to the next pawn: three times round in turn order, or as CC 9.2 says."""
    step = state.step + 1
    schedule = SCHEDULES[state.seats]
    if step < len(schedule):
        turn, is_salvatore = schedule[step]
        state.step = step
        state.to_act = state.turn_order[turn]
        state.choice = PLACE_SALVATORE if is_salvatore else PLACE
    else:
        state.choice = MOVE_TIP_OFF
        state.step = -1
        next_tip_off(state)


def next_tip_off(state: Position) -> None:
    """Ask the owner of the next tip-off pawn from the top; Salvatore's stay (CC 5.7, 9.3)."""
    pawns = state.pawns[TIP_OFF]
    for step in range(state.step + 1, len(pawns)):
        if pawns[step] != SALVATORE:
            state.step, state.to_act = step, pawns[step]
            return
    resolve_row(state)
    _end_round(state)


# --- phase 4 (CC 7, 9.4) ---


def _end_round(state: Position) -> None:
    """Income, pawns home, turn order, then filling and the next round, or the end."""
    for seat in range(state.seats):  # CC 7.1
        earn(state, seat, income(state, seat) + state.event_pile)
    stood = state.pawns
    state.pawns = [()] * len(PLACES)
    state.turn_order = tuple(order_on(state, INITIATIVE))  # CC 7.3
    if state.last_round:  # CC 7.5
        _start_politicians(state)
        return
    if state.seats == 2:
        _discard_for_salvatore(state, stood)
    _fill_rows(state)
    start_round(state)


def _discard_for_salvatore(state: Position, stood: list[tuple[int, ...]]) -> None:
    """Discard the leftmost cards, one for each Salvatore pawn on a card action (CC 9.4)."""
    for card_type in range(len(TYPES)):
        if SALVATORE in stood[card_type]:
            count = stood[card_type].count(SALVATORE)
            state.discarded += state.rows[card_type][:count]
            state.rows[card_type] = state.rows[card_type][count:]


def _fill_rows(state: Position) -> None:
    """Fill each row from its pile; a gap that stays makes the next round the last (CC 7.4)."""
    for card_type, row in enumerate(state.rows):
        if len(row) == _ROW_CARDS:
            continue
        shown = state.shown[card_type]
        new = state.deal.piles[card_type][shown : shown + _ROW_CARDS - len(row)]
        state.rows[card_type] = row + new
        state.shown[card_type] = shown + len(new)
        if len(row) + len(new) < _ROW_CARDS:
            state.last_round = True


# --- the end (CC 8.1) ---


def _start_politicians(state: Position) -> None:
    state.choice = BRIBE
    state.step = -1
    next_bribing(state)


def next_bribing(state: Position) -> None:
    """Ask the next seat in reverse turn order that can pay for a politician."""
    backwards = state.turn_order[::-1]
    for step in range(state.step + 1, state.seats):
        if state.money[backwards[step]] >= BRIBE_USD and politicians(state, backwards[step]):
            state.step, state.to_act = step, backwards[step]
            return
    state.choice, state.to_act = OVER, None
