"""Money at year end and the ranking at the end of the game."""

from __future__ import annotations

from collections.abc import Callable

from engines.api import Outcome
from engines.capone.position import Position
from engines.capone.tables import (
    ALL_MEMBERS,
    GUARD_VALUE,
    INVEST_PRICE,
    LAST_STEP,
    MASK_VALUE,
    MEMBER_VALUE,
    MEMBERS_IN,
    SITE_VALUE,
)


def income_by_pieces(state: Position, site: int) -> int:
    """CA 6.1: what stands there."""
    return state.site_total[site]


def income_by_business(_state: Position, site: int) -> int:
    """CA 7: the site's value, also if held with less."""
    return SITE_VALUE[site]


def income_by_threshold(state: Position, site: int) -> int:
    """CA 7: what stands there, if that is at least the site's value."""
    total = state.site_total[site]
    return total if total >= SITE_VALUE[site] else 0


def mixed_income(state: Position, site: int) -> int:
    """CA 7: the site's value and its highest piece, a bodyguard at least."""
    members = MEMBERS_IN[state.site_members[site]]
    return SITE_VALUE[site] + max((MEMBER_VALUE[m] for m in members), default=GUARD_VALUE)


INCOME: dict[str, Callable[[Position, int], int]] = {
    "pieces": income_by_pieces,
    "business": income_by_business,
    "threshold": income_by_threshold,
    "mixed": mixed_income,
}


def pay_income(state: Position) -> None:
    """Pay every family for the illegal sites it holds; the order of seats changes nothing."""
    income = INCOME[state.income]
    for site, owner in enumerate(state.site_owner):
        if owner >= 0:
            state.cash[owner] += income(state, site)


def standing(state: Position, seat: int) -> tuple[int, int, int]:
    """What ranks a seat: marker, cash, value of living members (CA 6.4)."""
    return state.marker[seat], state.cash[seat], MASK_VALUE[ALL_MEMBERS & ~state.harbour[seat]]


def outcome(state: Position) -> Outcome:
    """The ranking of a game that is over; equal seats share the better rank."""
    standings = [standing(state, seat) for seat in range(state.seats)]
    ranks = tuple(1 + sum(other > own for other in standings) for own in standings)
    scores = tuple(marker * INVEST_PRICE for marker in state.marker)
    return Outcome(ranks=ranks, scores=scores, ending="million" if LAST_STEP in state.marker else "year_limit")
