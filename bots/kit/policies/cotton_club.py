"""Cotton Club: take what is worth most at a glance, and add an event every other time."""

from __future__ import annotations

from random import Random

from bots.kit.values.cotton_club import CARD_WORTH, INFLUENCE_STEP, ROUNDS, change_worth, round_index
from engines import State
from engines.cotton_club.actions import CARD_OF, CHANGE_OF, LOAN_ACTION, TIP_OFF_ACTION
from engines.cotton_club.placing import LOANS, SPACES
from engines.cotton_club.position import ADD, MOVE_TIP_OFF, PLACE
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import CARDS, CELEBRITIES, FIRST_CELEBRITY

TIP_OFF_WORTH = 1.6  # the pawn acts later, on what the others left
NOISE = 1.5  # rivals don't all value cards as we do; without it every playout would be the same
ADDS_EVENT = 0.5

_TYPE = tuple(CARDS[card].type for card in CARD_OF)
_TAKES = range(len(CARD_OF))
# What a take brings besides the price of a celebrity, what a space brings, and what a loan does, all by round.
_TAKE_WORTH = tuple(
    tuple(CARD_WORTH[now][action] + change_worth(CHANGE_OF[action], now) for action in _TAKES) for now in range(ROUNDS)
)
_SPACE_WORTH = {
    seats: tuple(
        tuple(tuple(0.0 if effect is None else change_worth(effect, now) for effect in place) for place in places)
        for now in range(ROUNDS)
    )
    for seats, places in SPACES.items()
}
_LOAN_WORTH = {seats: tuple(change_worth(change, now) for now in range(ROUNDS)) for seats, change in LOANS.items()}


def likely_action(state: State, rng: Random) -> int:
    """A sensible choice."""
    assert isinstance(state, CottonClubState)
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0]
    if state.choice == PLACE or state.choice == MOVE_TIP_OFF:
        return _placement(state, legal, rng)
    if state.choice == ADD and rng.random() > ADDS_EVENT:
        return legal[0]  # pass
    return legal[int(rng.random() * len(legal))]


def _placement(state: CottonClubState, legal: list[int], rng: Random) -> int:
    """The pawn that brings most, give or take some noise."""
    now = round_index(state)
    take_worth, spaces = _TAKE_WORTH[now], _SPACE_WORTH[state.seats][now]
    pawns, prices, step = state.pawns, state.prices[state.to_act or 0], INFLUENCE_STEP[now]
    best, best_worth = legal[0], -1e9
    for action in legal:
        if action < LOAN_ACTION:
            kind = _TYPE[action]
            worth = take_worth[action] + spaces[kind][len(pawns[kind])]
            if kind == CELEBRITIES:
                worth -= step * max(0, prices[CARD_OF[action] - FIRST_CELEBRITY])
        else:
            worth = TIP_OFF_WORTH if action == TIP_OFF_ACTION else _LOAN_WORTH[state.seats][now]
        worth += NOISE * rng.random()
        if worth > best_worth:
            best, best_worth = action, worth
    return best
