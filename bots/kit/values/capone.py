"""Capone: money made, what the sites will pay this year, and the people who will earn in the years to come."""

from __future__ import annotations

from bots.kit.values.lead import chances
from engines import State
from engines.capone.position import BAIL
from engines.capone.scoring import INCOME
from engines.capone.state import CaponeState
from engines.capone.tables import FIRST_LEGAL, GUARD_VALUE, HAND, INVEST_PRICE, LEGAL_INCOME, MASK_VALUE, SITE_VALUE

GOAL = 1000.0  # a million
YEARLY = 260.0  # what a healthy family makes in a year
EARNING = 0.7  # share of a member's value that it earns in a year
PRISON = (0.9, 0.6, 0.35)  # what is left of a member's future in block 1, 2, 3
PARKED = 0.7  # a bodyguard in the park can be rehired for its own value
OFFER_RISK = 0.10  # in a whole year an Offer, FBI or rest card hits a given site about so often
STORM_RISK = 0.18  # and a rival who is strong enough storms it about so often
PLACED_LATER = (0.0, 0.65, 0.85)  # share of the pieces at home that 0, 1, 2 or more cards will still bring to work
LAST_CARD = 15.0  # a last illegal card places a small set only (CA 4.6)
ACTION_CARD = 8.0
LEAD = 150.0  # makes it three to one


def evaluate(state: State) -> list[float]:
    """Chances by wealth: money, this year's income, and the people's later income."""
    assert isinstance(state, CaponeState)
    return chances(expected_wealth(state), LEAD)


def expected_wealth(state: CaponeState) -> list[float]:
    """Money, and what people will still make of the years left."""
    seats = range(state.seats)
    money = [INVEST_PRICE * state.marker[seat] + state.cash[seat] for seat in seats]
    working = state.choice < BAIL
    future = EARNING * max(0.0, (GOAL - max(money)) / YEARLY - (1.0 if working else 0.0))
    home = [MASK_VALUE[state.home[seat]] + GUARD_VALUE * state.guards[seat] for seat in seats]
    people = [_people(state, seat) + home[seat] for seat in seats]
    earned = [0.0] * state.seats
    if working:
        earned = [_still_to_come(state, seat, home[seat]) for seat in seats]
        _count_sites(state, home, earned, people)
    return [money[seat] + earned[seat] + future * people[seat] for seat in seats]


def _people(state: CaponeState, seat: int) -> float:
    """Pieces that are neither at home nor at work, by what their future is worth."""
    seats = state.seats
    there = PARKED * GUARD_VALUE * state.park[seat]
    if any(state.rests):
        there += sum(MASK_VALUE[mask] for mask in state.rests[seat::seats])
    if any(state.prison):
        there += sum(share * MASK_VALUE[mask] for share, mask in zip(PRISON, state.prison[seat::seats], strict=True))
    return there + GUARD_VALUE * state.legal_owner.count(seat)


def _still_to_come(state: CaponeState, seat: int, home: float) -> float:
    """What the cards in hand will bring this year."""
    hand = state.hands[seat]
    illegal = sum(kind < FIRST_LEGAL for kind in hand)
    others = len(hand) - illegal
    if len(hand) <= 1:
        return LAST_CARD * illegal + ACTION_CARD * others
    share = PLACED_LATER[min(illegal, 2)] if others else PLACED_LATER[min(illegal - 1, 2)]
    return share * home + others * max(ACTION_CARD, 0.4 * LEGAL_INCOME[min(9, state.marker[seat])])


def _count_sites(state: CaponeState, home: list[int], earned: list[float], people: list[float]) -> None:
    """Add what each site pays and who stands there, less what rivals may still do to it this year."""
    income = INCOME[state.income]
    hand = HAND[state.seats]
    left = sum(map(len, state.hands)) / (hand * state.seats)
    for site, owner in enumerate(state.site_owner):
        if owner < 0:
            continue
        total = state.site_total[site]
        needed = max(SITE_VALUE[site], total + GUARD_VALUE)
        strong = sum(strength >= needed and rival != owner for rival, strength in enumerate(home))
        keeps = 1.0 - left * min(0.6, OFFER_RISK + STORM_RISK * strong)
        earned[owner] += keeps * income(state, site)
        people[owner] += keeps * MASK_VALUE[state.site_members[site]] + GUARD_VALUE * state.site_guards[site]
