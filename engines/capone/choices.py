"""What the seat to act may choose: one function for each kind of choice, each giving a sorted list of actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.capone import actions as act
from engines.capone.crews import LATER, MAY_STAND, can_total, last_crew, strongest
from engines.capone.tables import (
    ATTACK_MARGIN,
    FBI,
    FIRST_LEGAL,
    FIRST_REST,
    GUARD_VALUE,
    INVEST_PRICE,
    LAST_STEP,
    MEMBER_VALUE,
    MEMBERS_IN,
    OFFER,
    PROTECTION,
    SALE_PRICE,
    SITE_VALUE,
    SITES,
    SITES_OF_KIND,
    TAKEOVER,
)
from engines.capone.wants import ASKED, VERBS_ASKED

if TYPE_CHECKING:
    from engines.capone.state import CaponeState


def _acting(state: CaponeState) -> int:
    assert state.to_act is not None
    return state.to_act


# --- exchange (CA 2.3)


def returns(state: CaponeState) -> list[int]:
    """Done, or a further card in card order."""
    seat = _acting(state)
    returned = state.returned[seat]
    lowest = returned[-1] if returned else 0
    # Cards drawn come after done, so a drawn card is never returned.
    return [act.DONE, *sorted({act.RETURN + kind for kind in state.hands[seat] if kind >= lowest})]


# --- a turn


def cards(state: CaponeState) -> list[int]:
    """Use a card that has a use, discard any, or bail first (CA 2.4, 2.5)."""
    seat = _acting(state)
    hand = state.hands[seat]
    legal: list[int] = []
    discards: list[int] = []
    before = -1
    for kind in hand:
        if kind == before:
            continue
        before = kind
        if has_use(state, seat, kind, len(hand) == 1):
            legal.append(act.USE + kind)
        discards.append(act.DISCARD + kind)
    legal += discards
    if any(state.prison):
        legal += bails(state, seat, state.cash[seat])
    return legal


def jailed(state: CaponeState, seat: int) -> int:
    """The members of a family in all prison blocks."""
    mask = 0
    for block in state.prison[seat :: state.seats]:
        mask |= block
    return mask


def bails(state: CaponeState, seat: int, money: int) -> list[int]:
    """Further bails in table order that so much money pays for (CA 5.5)."""
    waiting = jailed(state, seat) & LATER[state.named]
    return [act.BAIL + m for m in MEMBERS_IN[waiting] if MEMBER_VALUE[m] <= money]


def has_use(state: CaponeState, seat: int, kind: int, is_last: bool) -> bool:
    """Whether a card has a legal use now (CA 5.7)."""
    if kind < FIRST_LEGAL:
        if is_last:
            return bool(sites_for_last_card(state, seat, kind))
        return can_enter(state, seat, kind * SITES_OF_KIND) or can_enter(state, seat, kind * SITES_OF_KIND + 1)
    if kind < FIRST_REST:
        # CA 3: it takes an investment and a bodyguard at home.
        return state.marker[seat] > 0 and state.guards[seat] > 0
    return bool(targets(state, seat, kind))


def can_enter(state: CaponeState, seat: int, site: int) -> bool:
    """Whether pieces at home suffice to place a legal set on an illegal site (CA 4.2 to 4.4)."""
    standing = state.site_members[site] if state.site_owner[site] == seat else 0
    most = strongest(standing, state.home[seat]) + state.guards[seat] * GUARD_VALUE
    return most >= least_total(state, seat, site)


def least_total(state: CaponeState, seat: int, site: int) -> int:
    """What the newly placed pieces must total at least on an illegal site (CA 4.2, 4.3)."""
    value = SITE_VALUE[site]
    owner = state.site_owner[site]
    if owner < 0:
        return value
    total = state.site_total[site]
    if owner == seat:
        # At least one new piece, and no piece is worth less than a bodyguard.
        return max(GUARD_VALUE, value - total)
    return max(value, total + ATTACK_MARGIN)


def sites_for_card(state: CaponeState, seat: int, kind: int) -> list[int]:
    """The sites of an illegal kind where the seat can place a set."""
    pair = range(kind * SITES_OF_KIND, (kind + 1) * SITES_OF_KIND)
    return [act.AT + site for site in pair if can_enter(state, seat, site)]


def sites_for_last_card(state: CaponeState, seat: int, kind: int) -> list[int]:
    """The sites of an illegal kind where the one set of CA 4.6 is legal."""
    crew = last_crew(kind, state.home[seat], state.guards[seat])
    if crew is None:
        return []
    members, guards = crew
    pair = range(kind * SITES_OF_KIND, (kind + 1) * SITES_OF_KIND)
    return [act.AT + site for site in pair if _fits(state, seat, site, members, guards)]


def _fits(state: CaponeState, seat: int, site: int, members: int, guards: int) -> bool:
    owner = state.site_owner[site]
    if owner < 0:
        return True
    if owner == seat:
        return MAY_STAND[state.site_members[site] | members]
    strength = guards * GUARD_VALUE + (MEMBER_VALUE[members.bit_length() - 1] if members else 0)
    return state.site_total[site] + ATTACK_MARGIN <= strength


def targets(state: CaponeState, seat: int, kind: int) -> list[int]:
    """What an action card can be used on."""
    if kind < FBI:
        return members_at_work(state, seat)
    return TARGETS[kind](state, seat)


def members_at_work(state: CaponeState, seat: int) -> list[int]:
    """Other families' members on illegal sites (CA 5.1)."""
    legal: list[int] = []
    for other, mask in enumerate(state.at_work):
        if mask and other != seat:
            legal += act.MOVES[other][mask]
    return legal


def members_in_town(state: CaponeState, seat: int) -> list[int]:
    """Other families' members on illegal sites and rest places (CA 5.2)."""
    legal: list[int] = []
    for other, mask in enumerate(state.at_work):
        for resting in state.rests[other :: state.seats]:
            mask |= resting
        if mask and other != seat:
            legal += act.MOVES[other][mask]
    return legal


def payers(state: CaponeState, seat: int) -> list[int]:
    """Other seats that have invested (CA 5.3)."""
    return [act.CHARGE + other for other, marker in enumerate(state.marker) if marker and other != seat]


def sites_to_take_over(state: CaponeState, seat: int) -> list[int]:
    """Other families' sites whose total the pieces at home can equal exactly (CA 5.4)."""
    home, guards = state.home[seat], state.guards[seat]
    return [
        act.AT + site
        for site, owner in enumerate(state.site_owner)
        if owner >= 0 and owner != seat and can_total(0, home, guards, state.site_total[site])
    ]


def places_for_offer(state: CaponeState, _seat: int) -> list[int]:
    """Illegal sites and rest places with a piece on them, own ones included (CA 5.6)."""
    legal = [act.AT + site for site, owner in enumerate(state.site_owner) if owner >= 0]
    if any(state.rests):
        guests = [state.rests[start : start + state.seats] for start in range(0, len(state.rests), state.seats)]
        legal += [act.AT + len(SITES) + rest for rest, masks in enumerate(guests) if any(masks)]
    return legal


TARGETS: dict[int, Callable[[CaponeState, int], list[int]]] = {
    FBI: members_in_town,
    PROTECTION: payers,
    TAKEOVER: sites_to_take_over,
    OFFER: places_for_offer,
}


def chosen_card_targets(state: CaponeState) -> list[int]:
    """Where or on whom the card shown is used."""
    seat, kind = _acting(state), state.card
    if kind >= FIRST_LEGAL:
        return targets(state, seat, kind)
    # The card has left the hand: an empty hand means that it was the last one (CA 4.6).
    return sites_for_card(state, seat, kind) if state.hands[seat] else sites_for_last_card(state, seat, kind)


# --- pieces


def pieces(state: CaponeState) -> list[int]:
    """A further member in table order, or the number of bodyguards that completes the set."""
    seat = _acting(state)
    named = state.named
    waiting = state.home[seat] & LATER[named]
    if state.card == TAKEOVER:
        return _exact_pieces(named, waiting, state.guards[seat], state.need)
    standing = named | (state.site_members[state.place] if state.site_owner[state.place] == seat else 0)
    return _enough_pieces(standing, waiting, state.guards[seat], state.need)


def _enough_pieces(standing: int, waiting: int, guards: int, need: int) -> list[int]:
    """CA 4.2, 4.3: a member is offered only if it and all that may still follow can reach the need."""
    legal = []
    missing = need - guards * GUARD_VALUE
    for m in MEMBERS_IN[waiting]:
        joined = standing | 1 << m
        if MAY_STAND[joined] and strongest(joined, waiting & LATER[1 << m]) + MEMBER_VALUE[m] >= missing:
            legal.append(act.PUT + m)
    fewest = max(0, -(-need // GUARD_VALUE))
    legal += range(act.SEND_GUARDS + fewest, act.SEND_GUARDS + guards + 1)
    return legal


def _exact_pieces(standing: int, waiting: int, guards: int, need: int) -> list[int]:
    """CA 5.4: a member is offered only if the rest can be made up exactly."""
    legal = []
    for m in MEMBERS_IN[waiting]:
        joined, left = standing | 1 << m, need - MEMBER_VALUE[m]
        if left >= 0 and MAY_STAND[joined] and can_total(joined, waiting & LATER[1 << m], guards, left):
            legal.append(act.PUT + m)
    if need <= guards * GUARD_VALUE:
        legal.append(act.SEND_GUARDS + need // GUARD_VALUE)
    return legal


# --- settlement (CA 6.3)


def means(state: CaponeState, seat: int) -> int:
    """What a seat can pay in its settlement: cash, and each step for what its sale brings."""
    return state.cash[seat] + state.marker[seat] * SALE_PRICE


def most_rehired(state: CaponeState, seat: int) -> int:
    """How many bodyguards of its park a seat can pay for."""
    return min(state.park[seat], means(state, seat) // GUARD_VALUE)


def most_steps(state: CaponeState, seat: int) -> int:
    """How many steps a seat can invest; never by selling others."""
    return min(LAST_STEP - state.marker[seat], state.cash[seat] // INVEST_PRICE)


def settlement_bails(state: CaponeState) -> list[int]:
    """A further bail, or a choice of the next part, which ends the bails."""
    seat = _acting(state)
    after = rehires(state) if most_rehired(state, seat) else investments(state)
    return bails(state, seat, means(state, seat)) + after


def rehires(state: CaponeState) -> list[int]:
    """How many bodyguards come back from the park."""
    return list(range(act.REHIRE, act.REHIRE + most_rehired(state, _acting(state)) + 1))


def investments(state: CaponeState) -> list[int]:
    """How many steps to invest."""
    return list(range(act.INVEST, act.INVEST + most_steps(state, _acting(state)) + 1))


def nothing(_state: CaponeState) -> list[int]:
    """The game is over."""
    return []


# In the order of wants.WANTS, and over.
CHOICES: tuple[Callable[[CaponeState], list[int]], ...] = (
    returns,
    cards,
    chosen_card_targets,
    chosen_card_targets,
    chosen_card_targets,
    pieces,
    settlement_bails,
    rehires,
    investments,
    nothing,
)

# Why an action of a verb that is asked for may still be refused.
REASONS = {
    "return": "that card is not in hand, or comes before one already returned (CA 2.3)",
    "use": "that card is not in hand or has no legal use now (CA 5.7)",
    "discard": "that card is not in hand",
    "at": "the card in use has no legal use there",
    "put": "that member is not at home, comes before one already named, or no legal set can be completed with it",
    "guards": "with so many bodyguards the set is not legal, or they are not at home",
    "bail": "that member is not in prison, comes before one already bailed, or cannot be paid for (CA 5.5)",
    "rehire": "so many bodyguards are not in the park or cannot be paid for (CA 6.3)",
    "invest": "so many steps cannot be paid for in cash or go past the last step (CA 6.3)",
    "charge": "that seat is your own or has not invested (CA 5.3)",
    "move": "that member is your own or does not stand where this card could take it from (CA 5.1, 5.2)",
}


def why_not(state: CaponeState, action: int) -> str:
    """The reason why an action of the game is not legal now."""
    verb = act.VERBS[act.VERB_OF[action][0]]
    if verb in VERBS_ASKED[state.want] and verb in REASONS:
        return REASONS[verb]
    who = "nobody" if state.to_act is None else f"seat {state.to_act}"
    return f"{who} is to choose {ASKED[state.want]}"
