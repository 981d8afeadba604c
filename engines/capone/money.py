"""What a family can pay for and how it pays: bails, bodyguards, steps and protection."""

from __future__ import annotations

from engines.capone.actions import BAIL, INVEST, REHIRE
from engines.capone.crews import LATER
from engines.capone.pieces import free, jailed
from engines.capone.position import Position
from engines.capone.tables import (
    GUARD_VALUE,
    INVEST_PRICE,
    LAST_STEP,
    MEMBER_VALUE,
    MEMBERS_IN,
    PROTECTION_PRICE,
    SALE_PRICE,
)


def means(state: Position, seat: int) -> int:
    """What a seat can pay in its settlement: cash, and each step for what its sale brings."""
    return state.cash[seat] + state.marker[seat] * SALE_PRICE


def pay(state: Position, seat: int, price: int) -> None:
    """CA 6.3: cash, and the fewest steps whose sale brings it up to the price; the rest stays as cash."""
    missing = price - state.cash[seat]
    if missing > 0:
        sold = -(-missing // SALE_PRICE)
        state.marker[seat] -= sold
        state.cash[seat] += sold * SALE_PRICE
    state.cash[seat] -= price


def bails(state: Position, seat: int, money: int) -> list[int]:
    """Further bails in table order that so much money pays for (CA 5.5)."""
    waiting = jailed(state, seat) & LATER[state.named]
    return [BAIL + m for m in MEMBERS_IN[waiting] if MEMBER_VALUE[m] <= money]


def bail(state: Position, seat: int, member: int) -> None:
    """CA 5.5: the member is at home at once."""
    free(state, seat, member)
    state.named |= 1 << member
    pay(state, seat, MEMBER_VALUE[member])


def most_rehired(state: Position, seat: int) -> int:
    """How many bodyguards of its park a seat can pay for."""
    return min(state.park[seat], means(state, seat) // GUARD_VALUE)


def rehires(state: Position, seat: int) -> list[int]:
    """How many bodyguards come back from the park."""
    return list(range(REHIRE, REHIRE + most_rehired(state, seat) + 1))


def rehire(state: Position, seat: int, count: int) -> None:
    """Take bodyguards back from the park."""
    state.park[seat] -= count
    state.guards[seat] += count
    pay(state, seat, count * GUARD_VALUE)


def most_steps(state: Position, seat: int) -> int:
    """How many steps a seat can invest; never by selling others."""
    return min(LAST_STEP - state.marker[seat], state.cash[seat] // INVEST_PRICE)


def investments(state: Position, seat: int) -> list[int]:
    """How many steps to invest."""
    return list(range(INVEST, INVEST + most_steps(state, seat) + 1))


def invest(state: Position, seat: int, steps: int) -> None:
    """Move the marker."""
    state.cash[seat] -= steps * INVEST_PRICE
    state.marker[seat] += steps


def charge(state: Position, seat: int, victim: int) -> None:
    """CA 5.3: the price goes by the marker before any sale; a victim short of cash first sells one step."""
    price = PROTECTION_PRICE[state.marker[victim]]
    if state.cash[victim] < price:
        state.marker[victim] -= 1
        state.cash[victim] += SALE_PRICE
    state.cash[victim] -= price
    state.cash[seat] += price
