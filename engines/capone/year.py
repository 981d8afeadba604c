"""The year around the turns: the deal, and at its end income, the way home, prison and settlement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.capone import choices, wants
from engines.capone.scoring import pay_income
from engines.capone.tables import DECK, HAND, LAST_STEP, LEGAL, NOBODY, PRISON_BLOCKS, RESTS, SITES, YEAR_LIMIT
from engines.chance import shuffle

if TYPE_CHECKING:
    from engines.capone.state import CaponeState


def deal(state: CaponeState) -> None:
    """Begin a year: shuffle all cards, deal from the first player on, open the exchange (CA 2.2)."""
    state.year += 1
    cards = shuffle(state.seed, f"deck/year{state.year}", DECK[state.seats])
    size = HAND[state.seats]
    for place in range(state.seats):
        seat = (state.first + place) % state.seats
        state.hands[seat] = tuple(sorted(cards[place * size : (place + 1) * size]))
    state.pile = tuple(cards[state.seats * size :])
    state.returned = [()] * state.seats
    state.unshown = [()] * state.seats
    state.used = ()
    state.log = None
    state.named = 0
    state.to_act = state.first
    state.want = wants.RETURN


def end(state: CaponeState) -> None:
    """End the turns of a year: income, everyone home, prison moves, then the first player settles (CA 6.1 to 6.3)."""
    pay_income(state)
    come_home(state)
    move_prisoners(state)
    ask(state, state.first, wants.BAIL)


def come_home(state: CaponeState) -> None:
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


def move_prisoners(state: CaponeState) -> None:
    """Block 1 goes home free, the others move one block on (CA 5.5)."""
    seats = state.seats
    for seat in range(seats):
        state.home[seat] |= state.prison[seat]
    state.prison = state.prison[seats:] + [0] * seats
    assert len(state.prison) == PRISON_BLOCKS * seats


def ask(state: CaponeState, seat: int, part: int) -> None:
    """Ask a seat for the first part of its settlement, from `part` on, that has something to choose (CA 6.3)."""
    state.to_act = seat
    state.want = next_part(state, seat, part)
    if state.want == wants.OVER:
        settled(state, seat)


def next_part(state: CaponeState, seat: int, part: int) -> int:
    """The first part of a settlement, from `part` on, in which a seat has a choice; OVER if there is none."""
    if part <= wants.BAIL and choices.bails(state, seat, choices.means(state, seat)):
        return wants.BAIL
    if part <= wants.REHIRE and choices.most_rehired(state, seat):
        return wants.REHIRE
    return wants.INVEST if choices.most_steps(state, seat) else wants.OVER


def settled(state: CaponeState, seat: int) -> None:
    """Close a seat's settlement; after the last one the game ends or a new year begins (CA 6.3 to 6.5)."""
    state.lost[seat] += state.park[seat]
    state.park[seat] = 0
    state.named = 0
    following = (seat + 1) % state.seats
    if following != state.first:
        ask(state, following, wants.BAIL)
    elif LAST_STEP in state.marker or state.year == YEAR_LIMIT:
        state.want = wants.OVER
        state.to_act = None
    else:
        state.first = (state.first + 1) % state.seats
        deal(state)
