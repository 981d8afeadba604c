"""The kinds of choice: what is legal in each and what taking it does."""

from __future__ import annotations

from engines.capone import actions as act
from engines.capone.cards import ASKED_BY, has_use, targets, total_asked
from engines.capone.crews import LATER, MAY_STAND, can_total, last_crew, strongest
from engines.capone.money import bail, bails, charge, invest, investments, means, most_rehired, rehire, rehires
from engines.capone.pieces import clear_site, kill_all, occupy, send_home, take_away
from engines.capone.position import (
    BAIL,
    CARD,
    INVEST,
    MEMBER,
    OVER,
    PIECES,
    PLACE,
    REHIRE,
    RETURN,
    SEAT,
    Position,
)
from engines.capone.tables import (
    FIRST_LEGAL,
    GUARD_VALUE,
    LEGAL_INCOME,
    MEMBER_VALUE,
    MEMBERS,
    MEMBERS_IN,
    OFFER,
    TAKEOVER,
)
from engines.capone.turns import ask, end_exchange, end_settlement, end_turn
from engines.choices import Choice, by_number, over

# --- exchange (CA 2.3) ---


def _returns(state: Position) -> list[int]:
    """Done, or a further card in card order."""
    seat = state.to_act or 0
    returned = state.returned[seat]
    lowest = returned[-1] if returned else 0
    # Cards drawn come after done, so a drawn card is never returned.
    return [act.DONE, *sorted({act.RETURN + kind for kind in state.hands[seat] if kind >= lowest})]


def _exchange(state: Position, action: int) -> None:
    """Return one card unseen, or draw as many as were returned."""
    seat = state.to_act or 0
    if action != act.DONE:
        kind = action - act.RETURN
        state.hands[seat] = _without(state.hands[seat], kind)
        state.returned[seat] += (kind,)
        return
    count = len(state.returned[seat])
    if count:
        state.hands[seat] = tuple(sorted(state.hands[seat] + state.pile[:count]))
        state.pile = state.pile[count:]
    end_exchange(state, seat)


def _without(cards: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """The cards with one of this kind taken out."""
    at = cards.index(kind)
    return cards[:at] + cards[at + 1 :]


# --- a turn (CA 2.4, 2.5) ---


def _cards(state: Position) -> list[int]:
    """Use a card that has a use, discard any, or bail first."""
    seat = state.to_act or 0
    hand = state.hands[seat]
    is_last = len(hand) == 1
    legal: list[int] = []
    discards: list[int] = []
    before = -1
    for kind in hand:
        if kind != before:
            before = kind
            if has_use(state, seat, kind, is_last):
                legal.append(act.USE + kind)
            discards.append(act.DISCARD + kind)
    legal += discards
    if any(state.prison):
        legal += bails(state, seat, state.cash[seat])
    return legal


def _play(state: Position, action: int) -> None:
    """Use a card or lay it aside unshown; a bail comes before that."""
    seat = state.to_act or 0
    if action >= act.BAIL:
        bail(state, seat, action - act.BAIL)
    elif action >= act.DISCARD:
        kind = action - act.DISCARD
        state.hands[seat] = _without(state.hands[seat], kind)
        state.unshown[seat] += (kind,)
        end_turn(state, seat)
    else:
        _use(state, seat, action - act.USE)


def _use(state: Position, seat: int, kind: int) -> None:
    """Show a card; what it asks for is chosen next."""
    state.hands[seat] = _without(state.hands[seat], kind)
    state.used += (kind,)
    asked = ASKED_BY.get(kind)
    if asked is None:
        _open_legal_business(state, seat, kind - FIRST_LEGAL)
        return
    state.card = kind
    state.named = 0
    state.choice = asked


def _open_legal_business(state: Position, seat: int, business: int) -> None:
    """CA 3: a bodyguard goes there till year end, the family is paid by its marker at once."""
    state.guards[seat] -= 1
    state.legal_owner[business] = seat
    state.cash[seat] += LEGAL_INCOME[state.marker[seat]]
    end_turn(state, seat)


# --- what the card in use asks for (CA 4, 5) ---


def _choose_place(state: Position, action: int) -> None:
    """Use the card shown on an illegal site or a rest place."""
    seat, place, card = state.to_act or 0, action - act.AT, state.card
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
    state.need = total_asked(state)
    state.choice = PIECES


def _pieces(state: Position) -> list[int]:
    """A further member in table order, or the number of bodyguards that completes the set."""
    seat = state.to_act or 0
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
        if MAY_STAND[joined]:
            lacking = missing - MEMBER_VALUE[m]
            if lacking <= 0 or strongest(joined, waiting & LATER[1 << m]) >= lacking:
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


def _send(state: Position, action: int) -> None:
    """Name one more member, or complete the set and place it; other families' pieces leave the site first."""
    if action < act.SEND_GUARDS:
        member = action - act.PUT
        state.named |= 1 << member
        state.need -= MEMBER_VALUE[member]
        return
    seat, site = state.to_act or 0, state.place
    if state.card == TAKEOVER:
        send_home(state, site)
    else:
        clear_site(state, site, seat)
    occupy(state, seat, site, state.named, action - act.SEND_GUARDS)
    end_turn(state, seat)


def _move(state: Position, action: int) -> None:
    """A rest card or the FBI takes a member of another family away."""
    owner, member = divmod(action - act.MOVE, len(MEMBERS))
    take_away(state, owner, member, state.card)
    end_turn(state, state.to_act or 0)


def _charge(state: Position, action: int) -> None:
    seat = state.to_act or 0
    charge(state, seat, action - act.CHARGE)
    end_turn(state, seat)


# --- settlement (CA 6.3) ---


def _bails(state: Position) -> list[int]:
    """A further bail, or a choice of the next part, which ends the bails."""
    seat = state.to_act or 0
    after = rehires(state, seat) if most_rehired(state, seat) else investments(state, seat)
    return bails(state, seat, means(state, seat)) + after


def _rehires(state: Position) -> list[int]:
    return rehires(state, state.to_act or 0)


def _investments(state: Position) -> list[int]:
    return investments(state, state.to_act or 0)


def _settle(state: Position, action: int) -> None:
    """Carry out one part; the last of them closes the settlement."""
    seat = state.to_act or 0
    if action >= act.INVEST:
        invest(state, seat, action - act.INVEST)
        end_settlement(state, seat)
    elif action >= act.REHIRE:
        rehire(state, seat, action - act.REHIRE)
        ask(state, seat, INVEST)
    else:
        bail(state, seat, action - act.BAIL)
        ask(state, seat, BAIL)


CHOICES = by_number(
    Choice(RETURN, "return", "exchange", "a card to return, or done", _returns, _exchange),
    Choice(CARD, "card", "turn", "a card to use or discard, or a bail", _cards, _play),
    Choice(PLACE, "place", "turn", "a place", targets, _choose_place),
    Choice(MEMBER, "member", "turn", "a member to move", targets, _move),
    Choice(SEAT, "seat", "turn", "a seat to charge", targets, _charge),
    Choice(PIECES, "pieces", "turn", "pieces to place", _pieces, _send),
    Choice(BAIL, "bail", "settlement", "a bail, or what follows it in the settlement", _bails, _settle),
    Choice(REHIRE, "rehire", "settlement", "how many bodyguards to rehire", _rehires, _settle),
    Choice(INVEST, "invest", "settlement", "how many steps to invest", _investments, _settle),
    over(OVER),
)
LEGAL = tuple(choice.legal for choice in CHOICES)
TAKE = tuple(choice.take for choice in CHOICES)
CHOICE_OF_NAME = {choice.name: choice for choice in CHOICES}
