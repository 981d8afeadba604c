"""What each action does: one function for each verb, called with the state, the acting seat and the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.capone import wants, year
from engines.capone.choices import least_total
from engines.capone.crews import last_crew
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
    NOBODY,
    NOTHING,
    OFFER,
    PRISON_BLOCKS,
    PROTECTION_PRICE,
    SALE_PRICE,
    SITES,
    TAKEOVER,
)

if TYPE_CHECKING:
    from engines.capone.state import CaponeState

# --- exchange


def return_card(state: CaponeState, seat: int, kind: int) -> None:
    """Return one card unseen; it is out for the year."""
    state.hands[seat] = without(state.hands[seat], kind)
    state.returned[seat] += (kind,)


def end_exchange(state: CaponeState, seat: int, _argument: int) -> None:
    """Draw as many cards as were returned; then the next seat exchanges, or the turns begin (CA 2.3)."""
    count = len(state.returned[seat])
    if count:
        state.hands[seat] = tuple(sorted(state.hands[seat] + state.pile[:count]))
        state.pile = state.pile[count:]
    following = (seat + 1) % state.seats
    state.to_act = following
    if following == state.first:
        state.want = wants.CARD


def without(cards: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """The cards with one of this kind taken out."""
    at = cards.index(kind)
    return cards[:at] + cards[at + 1 :]


# --- a turn


def discard(state: CaponeState, seat: int, kind: int) -> None:
    """Lay a card aside unused and unshown (CA 2.4)."""
    state.hands[seat] = without(state.hands[seat], kind)
    state.unshown[seat] += (kind,)
    end_turn(state, seat)


def use(state: CaponeState, seat: int, kind: int) -> None:
    """Show a card; what it asks for is chosen next."""
    state.hands[seat] = without(state.hands[seat], kind)
    state.used += (kind,)
    if kind not in wants.ASKED_BY_CARD:
        open_legal_business(state, seat, kind - FIRST_LEGAL)
        return
    state.card = kind
    state.named = 0
    state.want = wants.ASKED_BY_CARD[kind]


def end_turn(state: CaponeState, seat: int) -> None:
    """The next seat plays a card; when hands are empty the year ends."""
    following = (seat + 1) % state.seats
    state.want = wants.CARD
    state.card = NOTHING
    state.place = NOTHING
    state.named = 0
    state.need = 0
    state.to_act = following
    if not state.hands[following]:
        year.end(state)


def open_legal_business(state: CaponeState, seat: int, business: int) -> None:
    """CA 3: a bodyguard goes there till year end, the family is paid by its marker at once."""
    state.guards[seat] -= 1
    state.legal_owner[business] = seat
    state.cash[seat] += LEGAL_INCOME[state.marker[seat]]
    end_turn(state, seat)


def choose_place(state: CaponeState, seat: int, place: int) -> None:
    """Use the card shown on an illegal site or a rest place."""
    card = state.card
    if card == OFFER:
        kill_all(state, place)
        end_turn(state, seat)
        return
    if card < FIRST_LEGAL and not state.hands[seat]:
        # CA 4.6: the set of the last card is fixed.
        crew = last_crew(card, state.home[seat], state.guards[seat])
        assert crew is not None
        clear_site(state, place, seat)
        occupy(state, seat, place, *crew)
        end_turn(state, seat)
        return
    state.place = place
    state.need = state.site_total[place] if card == TAKEOVER else least_total(state, seat, place)
    state.want = wants.PIECES


def put_member(state: CaponeState, _seat: int, member: int) -> None:
    """Name one more member of the set."""
    state.named |= 1 << member
    state.need -= MEMBER_VALUE[member]


def send_guards(state: CaponeState, seat: int, guards: int) -> None:
    """Complete the set and place it; other families' pieces leave the site first."""
    site = state.place
    if state.card == TAKEOVER:
        send_home(state, site)
    else:
        clear_site(state, site, seat)
    occupy(state, seat, site, state.named, guards)
    end_turn(state, seat)


def occupy(state: CaponeState, seat: int, site: int, members: int, guards: int) -> None:
    """Move pieces from home to a site that is empty or the family's own."""
    state.home[seat] &= ~members
    state.guards[seat] -= guards
    state.at_work[seat] |= members
    state.site_owner[site] = seat
    state.site_members[site] |= members
    state.site_guards[site] += guards
    state.site_total[site] += MASK_VALUE[members] + guards * GUARD_VALUE


def empty_site(state: CaponeState, site: int) -> None:
    """Nobody holds the site any more."""
    state.site_owner[site] = NOBODY
    state.site_members[site] = 0
    state.site_guards[site] = 0
    state.site_total[site] = 0


def clear_site(state: CaponeState, site: int, attacker: int) -> None:
    """CA 4.3: defenders of another family die, their bodyguards go to the park."""
    owner = state.site_owner[site]
    if owner not in (NOBODY, attacker):
        kill_all(state, site)


def send_home(state: CaponeState, site: int) -> None:
    """CA 5.4: the family taken over gets its pieces back alive."""
    owner, members = state.site_owner[site], state.site_members[site]
    state.home[owner] |= members
    state.at_work[owner] &= ~members
    state.guards[owner] += state.site_guards[site]
    empty_site(state, site)


def kill_all(state: CaponeState, place: int) -> None:
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
    empty_site(state, place)


def move_member(state: CaponeState, seat: int, target: int) -> None:
    """A rest card or the FBI takes a member of another family away (CA 5.1, 5.2)."""
    owner, member = divmod(target, len(MEMBERS))
    leave_town(state, owner, member)
    if state.card == FBI:
        state.prison[(PRISON_BLOCKS - 1) * state.seats + owner] |= 1 << member
    else:
        state.rests[(state.card - FIRST_REST) * state.seats + owner] |= 1 << member
    end_turn(state, seat)


def leave_town(state: CaponeState, owner: int, member: int) -> None:
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
        empty_site(state, site)


def charge(state: CaponeState, seat: int, victim: int) -> None:
    """CA 5.3: the price goes by the marker before any sale; a victim short of cash first sells one step."""
    price = PROTECTION_PRICE[state.marker[victim]]
    if state.cash[victim] < price:
        state.marker[victim] -= 1
        state.cash[victim] += SALE_PRICE
    state.cash[victim] -= price
    state.cash[seat] += price
    end_turn(state, seat)


# --- bails and settlement


def bail(state: CaponeState, seat: int, member: int) -> None:
    """CA 5.5: the member is at home at once."""
    bit = 1 << member
    for spot in range(seat, len(state.prison), state.seats):
        state.prison[spot] &= ~bit
    state.home[seat] |= bit
    state.named |= bit
    pay(state, seat, MEMBER_VALUE[member])
    if state.want == wants.BAIL:
        year.ask(state, seat, wants.BAIL)


def pay(state: CaponeState, seat: int, price: int) -> None:
    """CA 6.3: cash, and the fewest steps whose sale brings it up to the price; the rest stays as cash."""
    missing = price - state.cash[seat]
    if missing > 0:
        sold = -(-missing // SALE_PRICE)
        state.marker[seat] -= sold
        state.cash[seat] += sold * SALE_PRICE
    state.cash[seat] -= price


def rehire(state: CaponeState, seat: int, count: int) -> None:
    """Take bodyguards back from the park."""
    state.park[seat] -= count
    state.guards[seat] += count
    pay(state, seat, count * GUARD_VALUE)
    year.ask(state, seat, wants.INVEST)


def invest(state: CaponeState, seat: int, steps: int) -> None:
    """Move the marker; the seat has settled."""
    state.cash[seat] -= steps * INVEST_PRICE
    state.marker[seat] += steps
    year.settled(state, seat)


# In the order of actions.VERBS.
EFFECTS: tuple[Callable[[CaponeState, int, int], None], ...] = (
    end_exchange,
    return_card,
    use,
    discard,
    choose_place,
    put_member,
    send_guards,
    bail,
    rehire,
    invest,
    charge,
    move_member,
)
