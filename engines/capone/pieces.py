"""Pieces on the move: to work, to rest, to prison, to the harbour and home."""

from __future__ import annotations

from engines.capone.position import NOBODY, Position
from engines.capone.tables import (
    FBI,
    FIRST_REST,
    GUARD_VALUE,
    LEGAL,
    MASK_VALUE,
    MEMBER_VALUE,
    PRISON_BLOCKS,
    RESTS,
    SITES,
)


def occupy(state: Position, seat: int, site: int, members: int, guards: int) -> None:
    """Move pieces from home to a site that is empty or the family's own."""
    state.home[seat] &= ~members
    state.guards[seat] -= guards
    state.at_work[seat] |= members
    state.site_owner[site] = seat
    state.site_members[site] |= members
    state.site_guards[site] += guards
    state.site_total[site] += MASK_VALUE[members] + guards * GUARD_VALUE


def clear_site(state: Position, site: int, attacker: int) -> None:
    """CA 4.3: defenders of another family die, their bodyguards go to the park."""
    owner = state.site_owner[site]
    if owner not in (NOBODY, attacker):
        kill_all(state, site)


def kill_all(state: Position, place: int) -> None:
    """CA 4.3, 5.6: every member there dies, every bodyguard there goes to the park."""
    if place >= len(SITES):
        start = (place - len(SITES)) * state.seats
        for seat in range(state.seats):
            state.harbour[seat] |= state.rests[start + seat]
            state.rests[start + seat] = 0
        return
    owner, members = state.site_owner[place], state.site_members[place]
    state.harbour[owner] |= members
    state.at_work[owner] &= ~members
    state.park[owner] += state.site_guards[place]
    _empty_site(state, place)


def send_home(state: Position, site: int) -> None:
    """CA 5.4: the family taken over gets its pieces back alive."""
    owner, members = state.site_owner[site], state.site_members[site]
    state.home[owner] |= members
    state.at_work[owner] &= ~members
    state.guards[owner] += state.site_guards[site]
    _empty_site(state, site)


def _empty_site(state: Position, site: int) -> None:
    """Nobody holds the site any more."""
    state.site_owner[site] = NOBODY
    state.site_members[site] = 0
    state.site_guards[site] = 0
    state.site_total[site] = 0


def take_away(state: Position, owner: int, member: int, card: int) -> None:
    """A rest card or the FBI takes a member to its place (CA 5.1, 5.2)."""
    _leave_town(state, owner, member)
    if card == FBI:
        state.prison[(PRISON_BLOCKS - 1) * state.seats + owner] |= 1 << member
    else:
        state.rests[(card - FIRST_REST) * state.seats + owner] |= 1 << member


def _leave_town(state: Position, owner: int, member: int) -> None:
    """Take a member from its illegal site or rest place; a site that loses its last piece is empty (CA 4.5)."""
    bit = 1 << member
    if not state.at_work[owner] & bit:
        for spot in range(owner, len(state.rests), state.seats):
            state.rests[spot] &= ~bit
        return
    state.at_work[owner] ^= bit
    site = next(s for s, o in enumerate(state.site_owner) if o == owner and state.site_members[s] & bit)
    state.site_members[site] ^= bit
    state.site_total[site] -= MEMBER_VALUE[member]
    if not state.site_total[site]:
        _empty_site(state, site)


def come_home(state: Position) -> None:
    """All pieces on businesses and rest places go home (CA 6.2)."""
    for site, owner in enumerate(state.site_owner):
        if owner >= 0:
            state.home[owner] |= state.site_members[site]
            state.guards[owner] += state.site_guards[site]
    for spot, members in enumerate(state.rests):
        state.home[spot % state.seats] |= members
    for owner in state.legal_owner:
        if owner >= 0:
            state.guards[owner] += 1
    state.site_owner = [NOBODY] * len(SITES)
    state.site_members = [0] * len(SITES)
    state.site_guards = [0] * len(SITES)
    state.site_total = [0] * len(SITES)
    state.legal_owner = [NOBODY] * len(LEGAL)
    state.rests = [0] * (len(RESTS) * state.seats)
    state.at_work = [0] * state.seats


def move_prisoners(state: Position) -> None:
    """Block 1 goes home free, the others move one block on (CA 5.5)."""
    seats = state.seats
    for seat in range(seats):
        state.home[seat] |= state.prison[seat]
    state.prison = state.prison[seats:] + [0] * seats


def free(state: Position, seat: int, member: int) -> None:
    """Let a member out of prison; it is at home at once (CA 5.5)."""
    bit = 1 << member
    for spot in range(seat, len(state.prison), state.seats):
        state.prison[spot] &= ~bit
    state.home[seat] |= bit


def jailed(state: Position, seat: int) -> int:
    """The members of a family in all prison blocks."""
    mask = 0
    for block in state.prison[seat :: state.seats]:
        mask |= block
    return mask
