"""The course of the game: setup, the four phases of a round, the end (CC 2.3, 3, 4, 5.1, 5.7, 7, 8.1, 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.cotton_club.actions import CARD_OF, FIRST_ADD, FIRST_BRIBE, FIRST_DROP, PASS
from engines.cotton_club.events import resolve_row
from engines.cotton_club.placing import place, place_salvatore, placements, salvatore_placements
from engines.cotton_club.tables import (
    CARDS,
    NUMBERS,
    PLACES,
    SALVATORE,
    SALVATORE_STARTS,
    SCHEDULES,
    TIP_OFF,
    TYPES,
)
from engines.cotton_club.tracks import CRIMINALITY, INITIATIVE, earn, move, order_on

if TYPE_CHECKING:
    from engines.cotton_club.state import CottonClubState

# What the seat to act has to choose.
DROP, ADD, PLACE, PLACE_SALVATORE, MOVE_TIP_OFF, BRIBE, OVER = range(7)
PHASES = ("setup", "events", "actions", "actions", "tip_offs", "politicians", "over")
PENDING = ("drop_event", "add_event", "place_pawn", "place_salvatore", "move_tip_off", "bribe", None)

_ROUNDS = NUMBERS["rounds"]
_ROW_CARDS = NUMBERS["row_cards"]
_BRIBE_USD = NUMBERS["bribe_usd"]
EVENTS_DROPPED = NUMBERS["events_dealt"] - NUMBERS["events_kept"]
_INCOME = tuple(CARDS[card].income for card in CARD_OF)
_POLITICIANS = tuple(CARDS[card].politicians for card in CARD_OF)


def choices(state: CottonClubState) -> list[int]:
    """The legal actions of the seat to act, sorted."""
    stage = state.stage
    if stage == PLACE:
        return placements(state, tip_off_is_open=True)
    if stage == MOVE_TIP_OFF:  # CC 5.7: any action except tip-off
        return placements(state, tip_off_is_open=False)
    if stage == PLACE_SALVATORE:
        return salvatore_placements(state)
    return _RARE_CHOICES[stage](state)


def take_choice(state: CottonClubState, action: int) -> None:
    """Carry out a legal action and go on to the next choice."""
    seat = state.to_act or 0
    stage = state.stage
    if stage == PLACE:
        place(state, seat, action)
        _next_placing(state)
    elif stage == MOVE_TIP_OFF:  # CC 5.7: each fully before the next
        place(state, seat, action)
        _next_tip_off(state)
    elif stage == PLACE_SALVATORE:
        place_salvatore(state, action)
        _next_placing(state)
    else:
        _RARE_STEPS[stage](state, seat, action)


# --- setup (CC 2.3) ---


def _drops(state: CottonClubState) -> list[int]:
    """Two events in ascending order, so that each pair has one spelling; the first must leave a second."""
    seat = state.to_act or 0
    hand, dropped = state.hands[seat], state.dropped[seat]
    able = [event for event in hand if not dropped or event >= dropped[-1]]
    still_to_come = EVENTS_DROPPED - len(dropped) - 1
    return sorted({FIRST_DROP + event for event in able[: len(able) - still_to_come]})


def _drop(state: CottonClubState, seat: int, action: int) -> None:
    event = action - FIRST_DROP
    state.hands[seat] = _without(state.hands[seat], event)
    state.dropped[seat] += (event,)
    if len(state.dropped[seat]) < EVENTS_DROPPED:
        return
    state.step += 1
    if state.step < state.seats:
        state.to_act = state.turn_order[state.step]
    else:
        start_round(state)


def _without(hand: tuple[int, ...], event: int) -> tuple[int, ...]:
    at = hand.index(event)
    return hand[:at] + hand[at + 1 :]


# --- a round begins: phase 1 (CC 3, 4) ---


def start_round(state: CottonClubState) -> None:
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
    state.stage = ADD
    state.step = -1
    _next_adding(state)


def _next_adding(state: CottonClubState) -> None:
    """Ask the next seat in turn order that has events (CC 4)."""
    for step in range(state.step + 1, state.seats):
        if state.hands[state.turn_order[step]]:
            state.step, state.to_act = step, state.turn_order[step]
            return
    _start_actions(state)


def _adds(state: CottonClubState) -> list[int]:
    return [PASS, *sorted({FIRST_ADD + event for event in state.hands[state.to_act or 0]})]


def _add(state: CottonClubState, seat: int, action: int) -> None:
    if action != PASS:
        event = action - FIRST_ADD
        state.hands[seat] = _without(state.hands[seat], event)
        state.event_row += ((seat, event),)
    _next_adding(state)


# --- phase 2 (CC 5.1, 5.7, 9.1, 9.2) ---


def _start_actions(state: CottonClubState) -> None:
    if state.seats == 2:  # CC 9.1
        state.pawns[SALVATORE_STARTS[state.round]] = (SALVATORE,)
    state.step = -1
    _next_placing(state)


def _next_placing(state: CottonClubState) -> None:
    """Go on to the next pawn: three times round in turn order, or as CC 9.2 says."""
    step = state.step + 1
    schedule = SCHEDULES[state.seats]
    if step < len(schedule):
        turn, is_salvatore = schedule[step]
        state.step = step
        state.to_act = state.turn_order[turn]
        state.stage = PLACE_SALVATORE if is_salvatore else PLACE
    else:
        state.stage = MOVE_TIP_OFF
        state.step = -1
        _next_tip_off(state)


def _next_tip_off(state: CottonClubState) -> None:
    """Ask the owner of the next tip-off pawn from the top; Salvatore's stay (CC 5.7, 9.3)."""
    pawns = state.pawns[TIP_OFF]
    for step in range(state.step + 1, len(pawns)):
        if pawns[step] != SALVATORE:
            state.step, state.to_act = step, pawns[step]
            return
    resolve_row(state)
    _end_round(state)


# --- phase 4 (CC 7, 9.4) ---


def _end_round(state: CottonClubState) -> None:
    """Income, pawns home, turn order, then filling and the next round, or the end."""
    for seat in range(state.seats):  # CC 7.1
        earn(state, seat, income(state, seat) + state.event_pile)
    stood = state.pawns
    state.pawns = [()] * len(PLACES)
    state.turn_order = tuple(order_on(state, INITIATIVE))  # CC 7.3
    if state.last_round:  # CC 7.5
        _start_politicians(state)
        return
    _discard_for_salvatore(state, stood)
    _fill_rows(state)
    start_round(state)


def income(state: CottonClubState, seat: int) -> int:
    """Income icons in a club."""
    return sum(map(_INCOME.__getitem__, state.clubs[seat]))


def _discard_for_salvatore(state: CottonClubState, stood: list[tuple[int, ...]]) -> None:
    """Discard the leftmost cards, one for each Salvatore pawn on a card action (CC 9.4)."""
    for card_type in range(len(TYPES)):
        count = stood[card_type].count(SALVATORE)
        if count:
            state.discarded += state.rows[card_type][:count]
            state.rows[card_type] = state.rows[card_type][count:]


def _fill_rows(state: CottonClubState) -> None:
    """Fill each row from its pile; a gap that stays makes the next round the last (CC 7.4)."""
    for card_type, row in enumerate(state.rows):
        shown = state.shown[card_type]
        new = state.deal.piles[card_type][shown : shown + _ROW_CARDS - len(row)]
        state.rows[card_type] = row + new
        state.shown[card_type] = shown + len(new)
        if len(row) + len(new) < _ROW_CARDS:
            state.last_round = True


# --- the end (CC 8.1) ---


def politicians(state: CottonClubState, seat: int) -> int:
    """Politician icons in a club."""
    return sum(map(_POLITICIANS.__getitem__, state.clubs[seat]))


def _start_politicians(state: CottonClubState) -> None:
    state.stage = BRIBE
    state.step = -1
    _next_bribing(state)


def _next_bribing(state: CottonClubState) -> None:
    """Ask the next seat in reverse turn order that can pay for a politician."""
    backwards = state.turn_order[::-1]
    for step in range(state.step + 1, state.seats):
        if state.money[backwards[step]] >= _BRIBE_USD and politicians(state, backwards[step]):
            state.step, state.to_act = step, backwards[step]
            return
    state.stage, state.to_act = OVER, None


def _bribes(state: CottonClubState) -> list[int]:
    seat = state.to_act or 0
    most = min(politicians(state, seat), state.money[seat] // _BRIBE_USD)
    return list(range(FIRST_BRIBE, FIRST_BRIBE + most + 1))


def _bribe(state: CottonClubState, seat: int, action: int) -> None:
    used = action - FIRST_BRIBE
    state.money[seat] -= used * _BRIBE_USD
    move(state, CRIMINALITY, seat, -used)
    _next_bribing(state)


def _no_choice(state: CottonClubState) -> list[int]:
    return []


def _no_step(state: CottonClubState, seat: int, action: int) -> None:
    raise AssertionError("no action is legal when the game is over")


_RARE_CHOICES = {DROP: _drops, ADD: _adds, BRIBE: _bribes, OVER: _no_choice}
_RARE_STEPS = {DROP: _drop, ADD: _add, BRIBE: _bribe, OVER: _no_step}
