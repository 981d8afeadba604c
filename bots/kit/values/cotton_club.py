"""Cotton Club: the reputation a club would end with, guessed from its cards, money, tracks and the pawns to come."""

from __future__ import annotations

from random import Random

from bots.kit.values.lead import chances
from engines import State
from engines.cotton_club.actions import CARD_OF, CHANGE_OF, FIRST_ADD, LOAN_ACTION, TIP_OFF_ACTION
from engines.cotton_club.placing import LOANS, SPACES
from engines.cotton_club.rounds import ADD, MOVE_TIP_OFF, OVER, PLACE, PLACE_SALVATORE
from engines.cotton_club.scoring import count_scores
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import CARDS, CELEBRITIES, FIRST_CELEBRITY, NUMBERS, TIP_OFF, Change
from engines.cotton_club.tracks import CRIMINALITY, INFLUENCE, INITIATIVE

# Final reputation that one of each is worth while round 1, 2, … 6 is played, found by regression over played games.
DOLLAR = (0.40, 0.40, 0.38, 0.36, 0.33, 0.26)
INCOME = (2.40, 2.20, 1.90, 1.40, 0.80, 0.20)  # pays once a round, and early dollars buy cards that pay again
INFLUENCE_STEP = (0.65, 0.65, 0.65, 0.69, 0.67, 0.43)  # celebrities cost it and are the dearest cards
INITIATIVE_STEP = (0.50, 0.50, 0.48, 0.34, 0.24, 0.13)
CRIME_STEP = (-0.30, -0.30, -0.30, -0.40, -0.33, -0.20)
WEAPON = (2.00, 2.00, 1.80, 1.30, 0.73, 0.20)  # opens smuggling cards and wards off two events
LIQUOR = (1.80, 1.80, 1.70, 1.45, 0.99, 0.26)  # each icon makes celebrities cheaper
ACT = (1.90, 1.90, 1.90, 1.48, 1.08, 0.31)
PLACES_HELD = (0.30, 0.40, 0.50, 0.50, 0.55, 0.65)  # being first on a track counts at the end only
PAWN = 2.8  # a pawn still to be placed brings about one card
POLITICIAN = 0.3
LEAD = (8.0, 8.0, 7.0, 6.0, 5.0, 3.5)  # a lead that makes it three to one

ROUNDS, PAWNS = NUMBERS["rounds"], NUMBERS["pawns"]
_INCOME = tuple(CARDS[card].income for card in CARD_OF)
_WEAPONS = tuple(CARDS[card].weapons for card in CARD_OF)
_LIQUOR = tuple(sum(CARDS[card].icons[:3]) for card in CARD_OF)
_ACTS = tuple(sum(CARDS[card].icons[3:]) for card in CARD_OF)
_POLITICIANS = tuple(CARDS[card].politicians for card in CARD_OF)
_REPUTATION = tuple(CARDS[card].end_reputation for card in CARD_OF)
_TYPE = tuple(CARDS[card].type for card in CARD_OF)


def evaluate(state: State) -> list[float]:
    """Chances by the reputation expected at the end."""
    assert isinstance(state, CottonClubState)
    return chances(expected_scores(state), LEAD[_now(state)])


def expected_scores(state: CottonClubState) -> list[float]:
    """What each seat would end with."""
    now = _now(state)
    worth = []
    for seat, score in enumerate(count_scores(state)):
        held = score.influence + score.initiative + score.criminality
        cards = sum(map(CARD_WORTH[now].__getitem__, state.clubs[seat]))
        worth.append(score.track + cards + PLACES_HELD[now] * held + _means(state, seat, now))
    return worth


def _now(state: CottonClubState) -> int:
    return max(0, state.round - 1)


def _means(state: CottonClubState, seat: int, now: int) -> float:
    levels = state.levels
    return (
        DOLLAR[now] * state.money[seat]
        + INFLUENCE_STEP[now] * levels[INFLUENCE + seat]
        + INITIATIVE_STEP[now] * levels[INITIATIVE + seat]
        + CRIME_STEP[now] * levels[CRIMINALITY + seat]
        + PAWN * _pawns_left(state, seat)
    )


def _pawns_left(state: CottonClubState, seat: int) -> int:
    """Pawns of this round that still act: those not placed, and those that wait on tip-off."""
    if state.stage not in (PLACE, PLACE_SALVATORE, MOVE_TIP_OFF):
        return PAWNS if state.stage != OVER and state.round < ROUNDS else 0
    acted = sum(pawns.count(seat) for place, pawns in enumerate(state.pawns) if place != TIP_OFF)
    return PAWNS - acted


def _card_worth(action: int, now: int) -> float:
    return (
        _REPUTATION[action]
        + INCOME[now] * _INCOME[action]
        + WEAPON[now] * _WEAPONS[action]
        + LIQUOR[now] * _LIQUOR[action]
        + ACT[now] * _ACTS[action]
        + POLITICIAN * _POLITICIANS[action]
    )


def _change_worth(change: Change, now: int) -> float:
    steps = (INFLUENCE_STEP[now], INITIATIVE_STEP[now], CRIME_STEP[now])
    return DOLLAR[now] * change.usd + sum(map(float.__mul__, steps, map(float, change[1:])))


# What owning the card of a take action is worth in each round, and what taking it brings and costs besides.
CARD_WORTH = tuple(tuple(_card_worth(action, now) for action in range(len(CARD_OF))) for now in range(ROUNDS))
_TAKE_WORTH = tuple(
    tuple(CARD_WORTH[now][action] + _change_worth(CHANGE_OF[action], now) for action in range(len(CARD_OF)))
    for now in range(ROUNDS)
)
_SPACE_WORTH = {
    seats: tuple(
        tuple(tuple(0.0 if effect is None else _change_worth(effect, now) for effect in place) for place in places)
        for now in range(ROUNDS)
    )
    for seats, places in SPACES.items()
}
_LOAN_WORTH = {seats: tuple(_change_worth(change, now) for now in range(ROUNDS)) for seats, change in LOANS.items()}

TIP_OFF_WORTH = 1.6  # the pawn acts later, on what the others left
NOISE = 1.5  # rivals don't all value cards as we do; without it every playout is the same


def likely_action(state: State, rng: Random) -> int:
    """What a sensible player may do, by a quick sum and some chance: the policy of playouts."""
    assert isinstance(state, CottonClubState)
    legal = state.legal_actions()
    if state.stage not in (PLACE, MOVE_TIP_OFF) or len(legal) == 1:
        return legal[int(rng.random() * len(legal))] if state.stage != ADD or rng.random() < 0.5 else legal[0]
    now = _now(state)
    take_worth, pawns, prices = _TAKE_WORTH[now], state.pawns, state.prices[state.to_act or 0]
    spaces = _SPACE_WORTH[state.seats][now]
    best, best_worth = legal[0], -1e9
    for action in legal:
        if action < LOAN_ACTION:
            kind = _TYPE[action]
            worth = take_worth[action] + spaces[kind][len(pawns[kind])]
            if kind == CELEBRITIES:
                worth -= INFLUENCE_STEP[now] * max(0, prices[CARD_OF[action] - FIRST_CELEBRITY])
        else:
            worth = TIP_OFF_WORTH if action == TIP_OFF_ACTION else _LOAN_WORTH[state.seats][now]
        worth += NOISE * rng.random()
        if worth > best_worth:
            best, best_worth = action, worth
    return best


def event_of(action: int) -> int | None:
    """The event an action adds to the row; None if it adds none."""
    return action - FIRST_ADD if action >= FIRST_ADD else None
