"""Whether a state read from JSON could have come about: pieces, cards, money and the moment of the year."""

from __future__ import annotations

from engines.capone.choices import LEGAL as LEGAL_ACTIONS
from engines.capone.crews import MAY_STAND
from engines.capone.history import HIDDEN, Year
from engines.capone.position import BAIL, INVEST, NOBODY, OVER, PIECES, RETURN, Position
from engines.capone.tables import (
    ALL_MEMBERS,
    FBI,
    GUARD_VALUE,
    GUARDS,
    HAND,
    LAST_STEP,
    LEGAL,
    MEMBERS,
    MEMBERS_IN,
    PRISON_BLOCKS,
    SITES,
    YEAR_LIMIT,
)
from engines.capone.turns import next_part
from engines.reading import Unreadable, require


def check_state(state: Position, past: Year, logged: int) -> None:
    """Raise Unreadable unless the rules lead to such a state."""
    check_members(state)
    check_named(state)
    check_guards(state)
    check_prison(state, past)
    check_money(state, past)
    check_moment(state, past, logged)
    if state.choice != OVER and not LEGAL_ACTIONS[state.choice](state):
        raise Unreadable("the seat to act has no choice, which can't happen")


def check_members(state: Position) -> None:
    """Every member is in exactly one place, and those on a site may stand together."""
    masks = [[home, harbour] for home, harbour in zip(state.home, state.harbour, strict=True)]
    for site, members in enumerate(state.site_members):
        if not MAY_STAND[members]:
            raise Unreadable(f"{SITES[site]}: those members can't stand together (CA 4.4)")
        if members:
            masks[state.site_owner[site]].append(members)
    for seat, own in enumerate(masks):
        own += state.rests[seat :: state.seats] + state.prison[seat :: state.seats]
        if sum(own) != ALL_MEMBERS or sum([len(MEMBERS_IN[mask]) for mask in own if mask]) != len(MEMBERS):
            raise Unreadable(f"seat {seat}: a member is missing or in two places")


def check_named(state: Position) -> None:
    """Members named in this step are at home and may stand where they are sent."""
    if state.to_act is None:
        return
    standing = state.named
    if state.choice == PIECES and state.site_owner[state.place] == state.to_act:
        standing |= state.site_members[state.place]
    if state.named & ~state.home[state.to_act] or (state.choice == PIECES and not MAY_STAND[standing]):
        raise Unreadable("members named in this step are not at home or can't stand together")


def check_guards(state: Position) -> None:
    """Every family has its bodyguards somewhere."""
    counts = [state.guards[seat] + state.park[seat] + state.lost[seat] for seat in range(state.seats)]
    for owner, guards in zip(state.site_owner, state.site_guards, strict=True):
        if guards:
            counts[owner] += guards
    for owner in state.legal_owner:
        if owner != NOBODY:
            counts[owner] += 1
    for seat, count in enumerate(counts):
        if count != GUARDS:
            raise Unreadable(f"seat {seat} has {count} bodyguards in all, expected {GUARDS}")


def check_prison(state: Position, past: Year) -> None:
    """One FBI card a year: a block holds one member at most, block 3 only of this year's arrest."""
    has_moved = state.choice >= BAIL
    for block in range(1, PRISON_BLOCKS + 1):
        masks = state.prison[(block - 1) * state.seats : block * state.seats]
        held = sum(len(MEMBERS_IN[mask]) for mask in masks)
        years_ago = PRISON_BLOCKS - block - has_moved
        is_arrest_told = FBI in past.moved if years_ago == 0 else 0 < years_ago < state.year
        if held > 1 or (held and not is_arrest_told):
            raise Unreadable(f"prison block {block} can't hold {held} members now")


def check_money(state: Position, past: Year) -> None:
    """Cash comes in fives; the last step is reached in a settlement only."""
    for seat in range(state.seats):
        if state.cash[seat] % GUARD_VALUE:
            raise Unreadable(f"seat {seat} has {state.cash[seat]} cash; money comes in steps of {GUARD_VALUE}")
        if state.marker[seat] == LAST_STEP and (seat not in past.settling or seat == state.to_act):
            raise Unreadable(f"seat {seat} can't have marker {LAST_STEP} before it has invested")


def check_cards(state: Position, past: Year) -> None:
    """The cards shown are those the log tells of."""
    require(list(state.used) == past.used, "used and the log tell of different cards")
    for seat in range(state.seats):
        held, told = len(state.hands[seat]), past.hand_counts[seat]
        if held != told:
            raise Unreadable(f"seat {seat} holds {held} cards; by the log {told}")
        if not _is_told(state.returned[seat], past.returned[seat]):
            raise Unreadable(f"seat {seat}: returned and the log tell of different cards")
        if not _is_told(state.unshown[seat], past.unshown[seat]):
            raise Unreadable(f"seat {seat}: unshown and the log tell of different cards")


def _is_told(cards: tuple[int, ...], told: list[int]) -> bool:
    return list(cards) == told or (
        len(cards) == len(told)
        and not [1 for card, kind in zip(cards, told, strict=True) if kind not in (HIDDEN, card)]
    )


def check_moment(state: Position, past: Year, logged: int) -> None:
    """Phase, seat to act, board and ply fit the log."""
    earlier = (state.year - 1) * state.seats * (1 + HAND[state.seats])  # at least: an exchange and a card each turn
    if state.ply < logged + earlier or (state.year == 1 and state.ply != logged):
        raise Unreadable(f"ply {state.ply} does not fit year {state.year} and a log of {logged} actions")
    if past.choice == RETURN and any(state.park):
        raise Unreadable("the park is empty when a year begins")
    if (past.choice == RETURN or past.choice >= BAIL) and not is_board_empty(state):
        raise Unreadable("all pieces are off the board outside the turns of a year")
    if past.choice >= BAIL:
        check_settlement(state, past)
    elif (state.choice, state.to_act) != (past.choice, past.to_act):
        raise Unreadable("pending and to_act are not what the log leads to")
    elif [past.opened.get(business, NOBODY) for business in range(len(LEGAL))] != state.legal_owner:
        raise Unreadable("legal and the log tell of different cards used")


def is_board_empty(state: Position) -> bool:
    """Whether no piece stands on a business or a rest place."""
    return {NOBODY} == {*state.site_owner, *state.legal_owner} and not any(state.rests)


def check_settlement(state: Position, past: Year) -> None:
    """Seats settle in order, none is passed over that has something to choose, and the settled have an empty park."""
    if state.choice == OVER:
        if LAST_STEP not in state.marker and state.year != YEAR_LIMIT:
            raise Unreadable("the game is over without an investor of a million or the last year")
        reached = state.seats
    else:
        assert state.to_act is not None
        reached = (state.to_act - state.first) % state.seats
        rehired = state.to_act == past.to_act and past.choice != BAIL
        if past.choice == OVER and state.to_act == past.to_act:
            raise Unreadable(f"seat {state.to_act} has settled already")
        if state.choice != next_part(state, state.to_act, INVEST if rehired else BAIL):
            raise Unreadable("pending is not the part of the settlement that comes next")
    last = (past.to_act - state.first) % state.seats
    if reached < last:
        raise Unreadable("to_act settles after seats that come later")
    for place in range(reached):
        seat = (state.first + place) % state.seats
        if state.park[seat]:
            raise Unreadable(f"seat {seat} has settled, but its park is not empty (CA 6.3)")
        if place > last and next_part(state, seat, BAIL) != OVER:
            raise Unreadable(f"seat {seat} was passed over in the settlement")
