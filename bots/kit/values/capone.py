"""Capone: invested steps, cash, what the sites will pay, and the people who earn it."""

from __future__ import annotations

from bots.kit.values.lead import chances
from engines import State
from engines.capone.scoring import INCOME
from engines.capone.state import CaponeState
from engines.capone.tables import GUARD_VALUE, MASK_VALUE, PRISON_BLOCKS

STEP, SITE_SHARE, MEMBER, PRISONER, GUARD, PARKED, CARD = 100.0, 0.75, 0.9, 0.35, 4.0, 1.0, 12.0


def evaluate(state: State) -> list[float]:
    """Chances by wealth: a step is worth what it costs, people what they will earn."""
    assert isinstance(state, CaponeState)
    worth = [_family(state, seat) for seat in range(state.seats)]
    income = INCOME[state.income]
    for site, owner in enumerate(state.site_owner):
        if owner >= 0:
            members = MASK_VALUE[state.site_members[site]]
            worth[owner] += SITE_SHARE * income(state, site) + MEMBER * members + GUARD * state.site_guards[site]
    return chances(worth, 120.0)


def _family(state: CaponeState, seat: int) -> float:
    prisoners = sum(MASK_VALUE[state.prison[block * state.seats + seat]] for block in range(PRISON_BLOCKS))
    resting = sum(
        MASK_VALUE[state.rests[place * state.seats + seat]] for place in range(len(state.rests) // state.seats)
    )
    return (
        STEP * state.marker[seat]
        + state.cash[seat]
        + MEMBER * (MASK_VALUE[state.home[seat]] + resting)
        + PRISONER * prisoners
        + GUARD * (state.guards[seat] + state.legal_owner.count(seat))
        + PARKED * GUARD_VALUE * 0.2 * state.park[seat]
        + CARD * len(state.hands[seat])
    )
