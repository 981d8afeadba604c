"""Cotton Club: the reputation a club would end with, guessed from its cards, money, tracks and the pawns to come."""

from __future__ import annotations

from bots.kit.values.lead import chances
from engines import State
from engines.cotton_club.actions import CARD_OF
from engines.cotton_club.position import BRIBE, CRIMINALITY, INFLUENCE, INITIATIVE, OVER
from engines.cotton_club.scoring import count_scores
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import CARDS, NUMBERS, TIP_OFF, Change

# Final reputation that one of each is worth while round 1, 2, … 6 is played, found by regression over
# played games and smoothed by hand.
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
_INCOME: tuple[int, ...] = tuple(CARDS[card].income for card in CARD_OF)
_WEAPONS: tuple[int, ...] = tuple(CARDS[card].weapons for card in CARD_OF)
_LIQUOR: tuple[int, ...] = tuple(sum(CARDS[card].icons[:3]) for card in CARD_OF)
_ACTS: tuple[int, ...] = tuple(sum(CARDS[card].icons[3:]) for card in CARD_OF)
_POLITICIANS: tuple[int, ...] = tuple(CARDS[card].politicians for card in CARD_OF)
_REPUTATION: tuple[int, ...] = tuple(CARDS[card].end_reputation for card in CARD_OF)


def evaluate(state: State) -> list[float]:
    """Chances by the reputation expected at the end."""
    assert isinstance(state, CottonClubState)
    return chances(expected_scores(state), LEAD[round_index(state)])


def expected_scores(state: CottonClubState) -> list[float]:
    """What each seat would end with."""
    now = round_index(state)
    worth = []
    for seat, score in enumerate(count_scores(state)):
        held = score.influence + score.initiative + score.criminality
        cards = sum(map(CARD_WORTH[now].__getitem__, state.clubs[seat]))
        worth.append(score.track + cards + PLACES_HELD[now] * held + _means(state, seat, now))
    return worth


def round_index(state: CottonClubState) -> int:
    """Where the tables are read: 0 in setup and round 1."""
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
    if state.choice in (BRIBE, OVER):
        return 0
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


def change_worth(change: Change, now: int) -> float:
    return (
        DOLLAR[now] * change.usd
        + INFLUENCE_STEP[now] * change.influence
        + INITIATIVE_STEP[now] * change.initiative
        + CRIME_STEP[now] * change.criminality
    )


# What owning the card of a take action is worth in each round.
CARD_WORTH = tuple(tuple(_card_worth(action, now) for action in range(len(CARD_OF))) for now in range(ROUNDS))
