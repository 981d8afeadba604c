"""Why an action may not be taken now, in a sentence."""

from __future__ import annotations

from engines.cotton_club.actions import (
    CARD_OF,
    FIRST_ADD,
    FIRST_BRIBE,
    FIRST_DROP,
    FIRST_OPTION_B,
    FIRST_SALVATORE,
    LOAN_ACTION,
    TIP_OFF_ACTION,
)
from engines.cotton_club.choices import CHOICES
from engines.cotton_club.placing import NEEDS, SPACES
from engines.cotton_club.position import ADD, BRIBE, DROP, MOVE_TIP_OFF, PLACE, PLACE_SALVATORE, Position
from engines.cotton_club.tables import CARDS, CELEBRITIES, EVENTS, FIRST_CELEBRITY, PLACES, TIP_OFF, TYPES
from engines.cotton_club.tracks import purse

# From which int on an action answers which choices.
_ANSWERS = (
    (FIRST_ADD, (ADD,)),
    (FIRST_DROP, (DROP,)),
    (FIRST_BRIBE, (BRIBE,)),
    (FIRST_SALVATORE, (PLACE_SALVATORE,)),
    (TIP_OFF_ACTION + 1, (ADD,)),
    (TIP_OFF_ACTION, (PLACE,)),
    (0, (PLACE, MOVE_TIP_OFF)),
)


def why_not(state: Position, action: int) -> str:
    """The reason why an action of the game is not legal now."""
    seat = state.to_act or 0
    answers = next(choices for first, choices in _ANSWERS if action >= first)
    if state.choice not in answers:
        return f"seat {seat} has to choose {CHOICES[state.choice].asked}"
    if action < LOAN_ACTION:
        return _why_not_take(state, seat, action)
    if action == TIP_OFF_ACTION:
        return _why_no_space(state, seat, TIP_OFF)
    if action >= FIRST_DROP:
        return _why_not_event(state, seat, action)
    if action >= FIRST_BRIBE:
        return f"seat {seat} can't use or pay for so many politicians"
    return f"{PLACES[action - FIRST_SALVATORE]} has no free space"


def _why_not_event(state: Position, seat: int, action: int) -> str:
    event = action - (FIRST_ADD if action >= FIRST_ADD else FIRST_DROP)
    if event not in state.hands[seat]:
        return f"seat {seat} does not hold {EVENTS[event].id}"
    return "two events are dropped in ascending order, so the first must leave a second that is not lower"


def _why_no_space(state: Position, seat: int, place: int) -> str:
    effect = SPACES[state.seats][place][len(state.pawns[place])]
    if effect is None:
        return f"{PLACES[place]} has no free space"
    return f"seat {seat} can't pay the penalty of the next space of {PLACES[place]}"


def _why_not_take(state: Position, seat: int, action: int) -> str:
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
