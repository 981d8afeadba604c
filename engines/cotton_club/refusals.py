"""Why an action may not be taken now, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.cotton_club.actions import (
    ACTIONS,
    CARD_OF,
    FIRST_ADD,
    FIRST_BRIBE,
    FIRST_DROP,
    FIRST_OPTION_B,
    FIRST_SALVATORE,
    LOAN_ACTION,
    TIP_OFF_ACTION,
)
from engines.cotton_club.placing import NEEDS, SPACES
from engines.cotton_club.rounds import ADD, BRIBE, DROP, MOVE_TIP_OFF, OVER, PENDING, PLACE, PLACE_SALVATORE
from engines.cotton_club.tables import CARDS, CELEBRITIES, EVENTS, FIRST_CELEBRITY, PLACES, TIP_OFF, TYPES
from engines.cotton_club.tracks import purse

if TYPE_CHECKING:
    from engines.cotton_club.state import CottonClubState

_STAGES_OF_KIND = (
    (FIRST_ADD, (ADD,)),
    (FIRST_DROP, (DROP,)),
    (FIRST_BRIBE, (BRIBE,)),
    (FIRST_SALVATORE, (PLACE_SALVATORE,)),
    (TIP_OFF_ACTION + 1, (ADD,)),
    (TIP_OFF_ACTION, (PLACE,)),
    (0, (PLACE, MOVE_TIP_OFF)),
)


def why_not(state: CottonClubState, action: int) -> str:
    """The reason that an int is not legal now."""
    if not 0 <= action < ACTIONS:
        return f"no action of cotton_club has this int; they are 0 to {ACTIONS - 1}"
    if state.stage == OVER or state.to_act is None:
        return "the game is over"
    stages = next(stages for first, stages in _STAGES_OF_KIND if action >= first)
    if state.stage not in stages:
        return f"seat {state.to_act} has to choose something else now: {PENDING[state.stage]}"
    if action < LOAN_ACTION:
        return _why_not_take(state, state.to_act, action)
    if action == TIP_OFF_ACTION:
        return _why_no_space(state, state.to_act, TIP_OFF)
    if action >= FIRST_DROP:
        return _why_not_event(state, state.to_act, action)
    if action >= FIRST_BRIBE:
        return f"seat {state.to_act} can't use or pay for so many politicians"
    return f"{PLACES[action - FIRST_SALVATORE]} has no free space"


def _why_not_event(state: CottonClubState, seat: int, action: int) -> str:
    event = action - (FIRST_ADD if action >= FIRST_ADD else FIRST_DROP)
    if event not in state.hands[seat]:
        return f"seat {seat} does not hold {EVENTS[event].id}"
    return "two events are dropped in ascending order, so the first must leave a second that is not lower"


def _why_no_space(state: CottonClubState, seat: int, place: int) -> str:
    effect = SPACES[state.seats][place][len(state.pawns[place])]
    if effect is None:
        return f"{PLACES[place]} has no free space"
    return f"seat {seat} can't pay the penalty of the next space of {PLACES[place]}"


def _why_not_take(state: CottonClubState, seat: int, action: int) -> str:
    card = CARDS[CARD_OF[action]]
    if CARD_OF[action] not in state.rows[card.type]:
        return f"{card.id} is not in the row of {TYPES[card.type]}"
    effect = SPACES[state.seats][card.type][len(state.pawns[card.type])]
    if effect is None or purse(state, seat, effect)[0] < 0:
        return _why_no_space(state, seat, card.type)
    money, influence = purse(state, seat, effect)
    usd, influence_needed, weapons = NEEDS[action]
    if card.type == CELEBRITIES:
        influence_needed = state.prices[seat][CARD_OF[action] - FIRST_CELEBRITY]
    option = "option B of " if action >= FIRST_OPTION_B else ""
    if usd > money:
        return f"{option}{card.id} costs ${usd} and seat {seat} has ${money} after the space's effect"
    if weapons > state.weapons[seat]:
        return f"{card.id} needs {weapons} weapons and seat {seat} has {state.weapons[seat]}"
    return (
        f"{option}{card.id} costs {influence_needed} influence and seat {seat} has {influence} after the space's effect"
    )
