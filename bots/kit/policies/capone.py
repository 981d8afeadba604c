"""Capone: hit the dearest rival, put people to work before the last card, invest what is there."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engines import State
from engines.capone import actions as act
from engines.capone.position import BAIL, CARD, INVEST, MEMBER, PIECES, PLACE, REHIRE, RETURN, SEAT
from engines.capone.state import CaponeState
from engines.capone.tables import (
    FBI,
    FIRST_LEGAL,
    FIRST_REST,
    GUARD_VALUE,
    INVEST_PRICE,
    LEGAL_INCOME,
    MASK_VALUE,
    MEMBER_VALUE,
    MEMBERS,
    OFFER,
    PROTECTION,
    PROTECTION_PRICE,
    SITES,
    TAKEOVER,
)

NOISE = 25.0  # in thousands: players see things differently, and playouts must differ
KEEP_ILLEGAL = 3  # so many illegal cards put everybody to work
PROTECTION_PAYS = 3  # below this marker it brings 10 at most
BAIL_UNTIL = 7  # once a rival stands here, a prisoner will not earn his bail any more
# What the others are worth in a turn, in thousands.
WASTE, LAY_ASIDE = 60.0, 5.0  # discarding a card that could employ people, and any other
EMPLOYABLE = 60  # with less than this at home an illegal card is not missed
BAIL_WORTH, TOO_LATE = 0.4, 50.0  # share of a prisoner's value he is worth at home; less than nothing near the end
LAST_SET = 20.0  # what a last illegal card places is small (CA 4.6)
PLACE_NOW, PLACE_LATER = 0.5, 0.3  # share of the people at home that placing now is worth; waiting hides them
PROTECTION_SHARE = 1.3  # a rival's loss counts a little, too
TAKEOVER_WORTH = 10.0
EMPTY_SITE, OWN_SITE = 30.0, 20.0  # where to place: an empty site, or beside own people
AHEAD, CASH_AHEAD = 4.0, 0.05  # a step and a thousand in cash make a rival so much dearer a target
CROWD_LAST, CROWD_EARLY = 0.8, 0.4  # how often the many go before Don or Mamma, with no card to follow and with one
KILL, ARREST, REST = 0.9, 0.6, 0.35  # what a dead, jailed or resting rival is worth to us, by his value
OWN_GOAL = 30.0  # an Offer must hit somebody: with no rival in town it would hit us
DON, MAMMA = 1, 2  # masks; both want to be (almost) alone (CA 4.4)


def likely_action(state: State, rng: Random) -> int:
    """A sensible choice."""
    assert isinstance(state, CaponeState)
    legal = state.legal_actions()
    return legal[0] if len(legal) == 1 else _RULES[state.choice](state, legal, rng)


def _exchange(state: CaponeState, legal: list[int], rng: Random) -> int:
    """Return what has little use: legal business before investing, and whatever keeps people at home."""
    seat = state.to_act or 0
    few = sum(kind < FIRST_LEGAL for kind in state.hands[seat]) < KEEP_ILLEGAL
    poor = max(state.marker) < PROTECTION_PAYS
    for action in legal[1:]:
        kind = action - act.RETURN
        if FIRST_LEGAL <= kind < FIRST_REST:
            if LEGAL_INCOME[min(9, state.marker[seat])] < (30 if few else 20):
                return action
        elif kind == TAKEOVER or (FIRST_REST <= kind < FBI and few) or (kind == PROTECTION and poor):
            return action
    return legal[0]


def _card(state: CaponeState, legal: list[int], rng: Random) -> int:
    """The card that does most now; people go to work at the latest with the last card but one."""
    seat = state.to_act or 0
    hand = state.hands[seat]
    spare = len(hand) - sum(kind < FIRST_LEGAL for kind in hand)
    home = MASK_VALUE[state.home[seat]] + GUARD_VALUE * state.guards[seat]
    best, best_worth = legal[0], -1e9
    for action in legal:
        worth = NOISE * rng.random()
        if action < act.DISCARD:
            kind = action - act.USE
            worth += _illegal(home, len(hand), spare) if kind < FIRST_LEGAL else _use(state, seat, kind)
        elif action < act.BAIL:
            kind = action - act.DISCARD
            worth -= WASTE if kind < FIRST_LEGAL and len(hand) > 1 and home > EMPLOYABLE else LAY_ASIDE
        else:
            years_left = max(state.marker) < BAIL_UNTIL
            worth += MEMBER_VALUE[action - act.BAIL] * BAIL_WORTH if years_left else -TOO_LATE
        if worth > best_worth:
            best, best_worth = action, worth
    return best


def _illegal(home: int, cards: int, spare: int) -> float:
    """Waiting hides people from rivals; but the last card places next to nobody."""
    if cards == 1:
        return LAST_SET
    return home * (PLACE_NOW if cards - spare > 2 or cards <= 3 else PLACE_LATER)


def _use(state: CaponeState, seat: int, kind: int) -> float:
    """What a legal business or action card brings now."""
    if kind < FIRST_REST:
        return float(LEGAL_INCOME[min(9, state.marker[seat])])
    if kind == PROTECTION:
        return PROTECTION_SHARE * max(PROTECTION_PRICE[min(9, m)] for s, m in enumerate(state.marker) if s != seat)
    if kind == OFFER:
        return KILL * _dearest_site(state, seat)[0] - OWN_GOAL
    if kind == TAKEOVER:
        return TAKEOVER_WORTH
    dearest = max(
        (MEMBER_VALUE[(mask & -mask).bit_length() - 1] for s, mask in enumerate(state.at_work) if mask and s != seat),
        default=0,
    )
    return (ARREST if kind == FBI else REST) * dearest


def _dearest_site(state: CaponeState, seat: int) -> tuple[float, int]:
    """The rival site with most value in members on it, and that value."""
    best, where = 0.0, -1
    for site, owner in enumerate(state.site_owner):
        if owner >= 0 and owner != seat:
            worth = MASK_VALUE[state.site_members[site]] + state.marker[owner]
            if worth > best:
                best, where = worth, site
    return best, where


def _place(state: CaponeState, legal: list[int], rng: Random) -> int:
    """An Offer or a Takeover goes where most stands; an illegal card to an empty site, unless a storm pays."""
    seat = state.to_act or 0
    if state.card == OFFER or state.card == TAKEOVER:
        site = _dearest_site(state, seat)[1]
        return act.AT + site if act.AT + site in legal else legal[-1]

    def worth(action: int) -> float:
        site = action - act.AT
        owner = state.site_owner[site] if site < len(SITES) else -1
        if owner < 0:
            return EMPTY_SITE
        if owner == seat:
            return OWN_SITE + NOISE * rng.random()
        return KILL * MASK_VALUE[state.site_members[site]] + GUARD_VALUE * state.site_guards[site]

    return max(legal, key=worth)


def _member(state: CaponeState, legal: list[int], rng: Random) -> int:
    """The dearest member, of a rival who is ahead if there is a choice."""

    def worth(action: int) -> float:
        owner, member = divmod(action - act.MOVE, len(MEMBERS))
        return MEMBER_VALUE[member] + AHEAD * state.marker[owner] + CASH_AHEAD * state.cash[owner]

    return max(legal, key=worth)


def _seat(state: CaponeState, legal: list[int], rng: Random) -> int:
    """Whoever pays most."""
    return max(legal, key=lambda action: (state.marker[action - act.CHARGE], -state.cash[action - act.CHARGE]))


def _pieces(state: CaponeState, legal: list[int], rng: Random) -> int:
    """The Don, Mamma with one more, or all the others; bodyguards by what is still to be placed."""
    seat = state.to_act or 0
    named = state.named
    members = [action for action in legal if action < act.SEND_GUARDS]
    guards = legal[len(members) :]
    later = _sets_to_come(state, seat)
    if members and named == 0:
        return _first_member(members, later, rng)
    if members and (not guards or named == MAMMA or not named & (DON | MAMMA)):
        return members[0]
    return guards[-1] if later == 0 else guards[len(guards) // 2]


def _first_member(members: list[int], later: int, rng: Random) -> int:
    """Who leads the set: the larger crews first when few cards are left to place people with."""
    leaders = [action for action in members if action - act.PUT < 2]
    others = members[len(leaders) :]
    if others and (not leaders or rng.random() < (CROWD_LAST if later == 0 else CROWD_EARLY)):
        return others[0]
    return leaders[int(rng.random() * len(leaders))]


def _sets_to_come(state: CaponeState, seat: int) -> int:
    """Illegal cards that can still place a set of choice: all but a last one."""
    hand = state.hands[seat]
    illegal = sum(kind < FIRST_LEGAL for kind in hand)
    return illegal if illegal < len(hand) else max(0, illegal - 1)


def _bail(state: CaponeState, legal: list[int], rng: Random) -> int:
    """Bail from cash while years are left; then the next part."""
    seat = state.to_act or 0
    bails = [a for a in legal if a < act.REHIRE]
    if bails and max(state.marker) < BAIL_UNTIL and MEMBER_VALUE[bails[0] - act.BAIL] <= state.cash[seat]:
        return bails[0]
    after = legal[len(bails) :]
    return _rehire(state, after, rng) if after[0] < act.INVEST else after[-1]


def _rehire(state: CaponeState, legal: list[int], rng: Random) -> int:
    """All that cash pays for, unless that costs a step."""
    cash = state.cash[state.to_act or 0]
    afford = [a for a in legal if GUARD_VALUE * (a - act.REHIRE) <= cash % INVEST_PRICE or cash < INVEST_PRICE]
    payable = [a for a in afford if GUARD_VALUE * (a - act.REHIRE) <= cash]
    return payable[-1] if payable else legal[0]


def _invest(_state: CaponeState, legal: list[int], _rng: Random) -> int:
    """All of it: steps win, and cash in hand is there to be lost."""
    return legal[-1]


_RULES: dict[int, Callable[[CaponeState, list[int], Random], int]] = {
    RETURN: _exchange,
    CARD: _card,
    PLACE: _place,
    MEMBER: _member,
    SEAT: _seat,
    PIECES: _pieces,
    BAIL: _bail,
    REHIRE: _rehire,
    INVEST: _invest,
}
