"""What each card asks for once it is shown, and what it can be used on."""

from __future__ import annotations

from collections.abc import Callable

from engines.capone.actions import AT, CHARGE, MOVES
from engines.capone.crews import MAY_STAND, STRONGEST, can_total, last_crew, strongest
from engines.capone.position import MEMBER, PLACE, SEAT, Position
from engines.capone.tables import (
    ATTACK_MARGIN,
    CARDS,
    FBI,
    FIRST_LEGAL,
    FIRST_REST,
    GUARD_VALUE,
    MEMBER_VALUE,
    OFFER,
    PROTECTION,
    RESTS,
    SITE_VALUE,
    SITES,
    SITES_OF_KIND,
    TAKEOVER,
)

# The kind of choice that a card asks for; a legal business asks for none.
ASKED_BY = {
    **dict.fromkeys(range(FIRST_LEGAL), PLACE),
    **dict.fromkeys(range(FIRST_REST, FIRST_REST + len(RESTS)), MEMBER),
    FBI: MEMBER,
    PROTECTION: SEAT,
    TAKEOVER: PLACE,
    OFFER: PLACE,
}


def has_use(state: Position, seat: int, kind: int, is_last: bool) -> bool:
    """Whether a card has a legal use now (CA 5.7)."""
    if kind < FIRST_LEGAL:
        if is_last:
            return bool(_sites_for_last_card(state, seat, kind))
        return _can_enter(state, seat, kind * SITES_OF_KIND) or _can_enter(state, seat, kind * SITES_OF_KIND + 1)
    if kind < FIRST_REST:
        # CA 3: it takes an investment and a bodyguard at home.
        return state.marker[seat] > 0 and state.guards[seat] > 0
    return bool(_TARGETS[kind](state, seat))


def targets(state: Position) -> list[int]:
    """Where or on whom the seat to act uses the card it has shown."""
    seat, kind = state.to_act or 0, state.card
    if kind >= FIRST_LEGAL:
        return _TARGETS[kind](state, seat)
    # The card has left the hand: an empty hand means that it was the last one (CA 4.6).
    return _sites_for_card(state, seat, kind) if state.hands[seat] else _sites_for_last_card(state, seat, kind)


# --- illegal business cards (CA 4) ---


def _can_enter(state: Position, seat: int, site: int) -> bool:
    """Whether pieces at home suffice to place a legal set on an illegal site (CA 4.2 to 4.4)."""
    if state.site_owner[site] == seat:
        most = strongest(state.site_members[site], state.home[seat])
    else:
        most = STRONGEST[state.home[seat]]
    return most + state.guards[seat] * GUARD_VALUE >= least_total(state, seat, site)


def least_total(state: Position, seat: int, site: int) -> int:
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


def total_asked(state: Position) -> int:
    """What the set for the card in use must total on the site chosen: at least, or for a Takeover exactly."""
    if state.card == TAKEOVER:
        return state.site_total[state.place]
    return least_total(state, state.to_act or 0, state.place)


def _sites_for_card(state: Position, seat: int, kind: int) -> list[int]:
    """The sites of an illegal kind where the seat can place a set."""
    pair = range(kind * SITES_OF_KIND, (kind + 1) * SITES_OF_KIND)
    return [AT + site for site in pair if _can_enter(state, seat, site)]


def _sites_for_last_card(state: Position, seat: int, kind: int) -> list[int]:
    """The sites of an illegal kind where the one set of CA 4.6 is legal."""
    crew = last_crew(kind, state.home[seat], state.guards[seat])
    if crew is None:
        return []
    members, guards = crew
    pair = range(kind * SITES_OF_KIND, (kind + 1) * SITES_OF_KIND)
    return [AT + site for site in pair if _fits(state, seat, site, members, guards)]


def _fits(state: Position, seat: int, site: int, members: int, guards: int) -> bool:
    owner = state.site_owner[site]
    if owner < 0:
        return True
    if owner == seat:
        return MAY_STAND[state.site_members[site] | members]
    strength = guards * GUARD_VALUE + (MEMBER_VALUE[members.bit_length() - 1] if members else 0)
    return state.site_total[site] + ATTACK_MARGIN <= strength


# --- action cards (CA 5) ---


def _members_at_work(state: Position, seat: int) -> list[int]:
    """Other families' members on illegal sites (CA 5.1)."""
    legal: list[int] = []
    for other, mask in enumerate(state.at_work):
        if mask and other != seat:
            legal += MOVES[other][mask]
    return legal


def _members_in_town(state: Position, seat: int) -> list[int]:
    """Other families' members on illegal sites and rest places (CA 5.2)."""
    legal: list[int] = []
    for other, mask in enumerate(state.at_work):
        for resting in state.rests[other :: state.seats]:
            mask |= resting
        if mask and other != seat:
            legal += MOVES[other][mask]
    return legal


def _payers(state: Position, seat: int) -> list[int]:
    """Other seats that have invested (CA 5.3)."""
    return [CHARGE + other for other, marker in enumerate(state.marker) if marker and other != seat]


def _sites_to_take_over(state: Position, seat: int) -> list[int]:
    """Other families' sites whose total the pieces at home can equal exactly (CA 5.4)."""
    home, guards = state.home[seat], state.guards[seat]
    return [
        AT + site
        for site, owner in enumerate(state.site_owner)
        if owner >= 0 and owner != seat and can_total(0, home, guards, state.site_total[site])
    ]


def _places_for_offer(state: Position, _seat: int) -> list[int]:
    """Illegal sites and rest places with a piece on them, own ones included (CA 5.6)."""
    legal = [AT + site for site, owner in enumerate(state.site_owner) if owner >= 0]
    if any(state.rests):
        guests = [state.rests[start : start + state.seats] for start in range(0, len(state.rests), state.seats)]
        legal += [AT + len(SITES) + rest for rest, masks in enumerate(guests) if any(masks)]
    return legal


_TARGETS: dict[int, Callable[[Position, int], list[int]]] = {
    **dict.fromkeys([CARDS.index(rest) for rest in RESTS], _members_at_work),
    FBI: _members_in_town,
    PROTECTION: _payers,
    TAKEOVER: _sites_to_take_over,
    OFFER: _places_for_offer,
}
