"""A position from the JSON that shows it: everything that is shown, and how many cards are hidden where."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engines.api import Json
from engines.capone import history
from engines.capone.cards import total_asked
from engines.capone.checks import check_cards, check_state
from engines.capone.choices import CHOICE_OF_NAME
from engines.capone.observation import EMPTY_SITES
from engines.capone.position import NOBODY, NOTHING, OVER, PIECES, Position
from engines.capone.tables import (
    CARDS,
    DECK,
    GUARD_VALUE,
    GUARDS,
    LAST_STEP,
    LEGAL,
    MASK_VALUE,
    MEMBERS,
    NAMES_IN,
    PRISON_BLOCKS,
    RESTS,
    SITES,
    YEAR_LIMIT,
)
from engines.log import chain
from engines.reading import Unreadable, at, listed, named, names, or_null, require, whole, within

CARD_INDEX = {name: kind for kind, name in enumerate(CARDS)}
MEMBER_BIT = {name: 1 << m for m, name in enumerate(MEMBERS)}
MASK_OF = {names: mask for mask, names in enumerate(NAMES_IN)}  # in the one order in which they are shown
COPIES = {seats: [deck.count(kind) for kind in range(len(CARDS))] for seats, deck in DECK.items()}
PRISON = [str(block) for block in range(1, PRISON_BLOCKS + 1)]
MOST_CASH = MOST_PLIES = 1_000_000
EMPTY_LEGAL: list[Json] = [{"site": site, "owner": None} for site in LEGAL]


@dataclass(frozen=True, slots=True)
class Hidden:
    """What the viewer could not see; numbers of cards are by seat."""

    hands: tuple[int, ...]
    returned: tuple[int, ...]
    unshown: tuple[int, ...]
    has_pile: bool
    cards: tuple[int, ...]  # all cards that are hidden somewhere
    log: tuple[int, ...]
    gaps: tuple[tuple[int, int, bool], ...]  # entries of the log that lack their card: where, whose, and if a return

    def shuffled(self, rng: Random) -> list[int]:
        cards = list(self.cards)
        rng.shuffle(cards)
        return cards


def rebuild(given: Json, state: Position, rng: Random | None = None) -> Hidden:
    """Put what is shown on an empty table, and hidden cards as they come or by chance; raises Unreadable."""
    state.year = whole(given, "year", 1, YEAR_LIMIT)
    state.first = whole(given, "first", 0, state.seats - 1)
    state.ply = whole(given, "ply", 0, MOST_PLIES)
    _read_families(given, state)
    _read_board(given, state)
    entries = history.read(given)
    past = history.follow(entries, seats=state.seats, first=state.first)
    hidden = _read_cards(given, state, past, entries)
    deal(state, hidden, hidden.shuffled(rng) if rng else list(hidden.cards))
    check_cards(state, past)
    _read_choice(given, state, past)
    check_state(state, past, len(entries))
    return hidden


def deal(state: Position, hidden: Hidden, cards: list[int]) -> None:
    """Put the hidden cards, in the order given from the last one on, wherever some are hidden; the rest is the pile."""

    def drawn(count: int) -> list[int]:
        if count > len(cards):
            raise Unreadable("fewer cards are unseen than hands, returns and discards need")
        taken = cards[: -count - 1 : -1]
        del cards[-count:]
        return taken

    for seat in range(state.seats):
        if hidden.hands[seat]:
            state.hands[seat] = tuple(sorted(drawn(hidden.hands[seat])))
        if hidden.returned[seat]:
            state.returned[seat] = tuple(sorted(drawn(hidden.returned[seat])))
        if hidden.unshown[seat]:
            state.unshown[seat] = tuple(drawn(hidden.unshown[seat]))
    if hidden.has_pile:
        state.pile = tuple(cards)
    state.log = chain(_filled(state, hidden))


def _filled(state: Position, hidden: Hidden) -> list[int]:
    """The log with the hidden cards in it."""
    log = list(hidden.log)
    returned, unshown = [iter(cards) for cards in state.returned], [iter(cards) for cards in state.unshown]
    for place, seat, is_return in hidden.gaps:
        log[place] += next((returned if is_return else unshown)[seat], 0)
    return log


# --- pieces and money ---


def _mask(box: Json, key: str) -> int:
    """A list of member names as a mask."""
    members = listed(box, key)
    try:
        return MASK_OF[tuple(members)]
    except (KeyError, TypeError):
        return sum(names(box, key, MEMBER_BIT, once=True))  # says what is wrong


def _read_families(given: Json, state: Position) -> None:
    """Money, and pieces that are not on the board."""
    for seat, family in enumerate(listed(given, "families", state.seats)):
        with within("families", seat):
            state.cash[seat] = whole(family, "cash", 0, MOST_CASH)
            state.marker[seat] = whole(family, "marker", 0, LAST_STEP)
            state.home[seat] = _mask(family, "home")
            state.guards[seat] = whole(family, "guards", 0, GUARDS)
            state.park[seat] = whole(family, "park", 0, GUARDS)
            state.lost[seat] = whole(family, "lost", 0, GUARDS)
            state.harbour[seat] = _mask(family, "harbour")
            prison = at(family, "prison")
            for place, block in enumerate(PRISON):
                state.prison[place * state.seats + seat] = _mask(prison, block)


def _read_board(given: Json, state: Position) -> None:
    """Illegal sites, legal businesses and rest places."""
    for site, content in enumerate(listed(given, "sites", len(SITES))):
        if content != EMPTY_SITES[site]:
            with within("sites", site):
                _read_site(state, site, content)
    for business, content in enumerate(listed(given, "legal", len(LEGAL))):
        if content != EMPTY_LEGAL[business]:
            with within("legal", business):
                state.legal_owner[business] = _owner(content, state.seats)
    for rest, name in enumerate(RESTS):
        for place, guest in enumerate(listed(at(given, "rests"), name)):
            with within("rests", name, place):
                spot = rest * state.seats + whole(guest, "seat", 0, state.seats - 1)
                state.rests[spot] |= named(guest, "member", MEMBER_BIT)


def _read_site(state: Position, site: int, content: Json) -> None:
    owner = state.site_owner[site] = _owner(content, state.seats)
    members = state.site_members[site] = _mask(content, "members")
    guards = state.site_guards[site] = whole(content, "guards", 0, GUARDS)
    state.site_total[site] = MASK_VALUE[members] + guards * GUARD_VALUE
    require(
        (owner == NOBODY) == (not state.site_total[site]), "has pieces without an owner, or an owner without pieces"
    )
    if owner != NOBODY:
        state.at_work[owner] |= members


def _owner(content: Json, seats: int) -> int:
    return NOBODY if at(content, "owner") is None else whole(content, "owner", 0, seats - 1)


# --- cards ---


def _read_cards(given: Json, state: Position, past: history.Year, entries: tuple[history.LogEntry, ...]) -> Hidden:
    """The cards that are shown go where they are; all others are hidden (CA 9)."""
    state.used = names(given, "used", CARD_INDEX)
    pile = or_null(names, given, "pile", CARD_INDEX)
    state.pile = pile or ()
    hands = _read_shown(given, "hands", state.hands, past.hand_counts)
    returned = _read_shown(given, "returned", state.returned, [len(cards) for cards in past.returned])
    unshown = _read_shown(given, "unshown", state.unshown, [len(cards) for cards in past.unshown])
    log = tuple([entry.logged for entry in entries])
    gaps = [(n, entry.seat, entry.verb == "return") for n, entry in enumerate(entries) if entry.argument < 0]
    return Hidden(hands, returned, unshown, pile is None, _unseen(state), log, tuple(gaps))


def _read_shown(given: Json, field: str, cards: list[tuple[int, ...]], counts: list[int]) -> tuple[int, ...]:
    """Put the cards shown into the lists of a position; how many each other seat has."""
    lists = listed(given, field, len(cards))
    hidden = [0] * len(cards)
    with within(field):
        for seat, count in enumerate(counts):
            if lists[seat] is None:
                hidden[seat] = count
            else:
                cards[seat] = names(lists, seat, CARD_INDEX)
    return tuple(hidden)


def _unseen(state: Position) -> tuple[int, ...]:
    """The cards of the deck that are in no place the viewer knows, in card order."""
    left = list(COPIES[state.seats])
    for known in (state.used, state.pile, *state.hands, *state.returned, *state.unshown):
        for kind in known:
            left[kind] -= 1
    require(min(left) >= 0, "more cards of a kind are shown than the deck has")
    return tuple([kind for kind, count in enumerate(left) for _ in range(count)])


# --- what is to be chosen ---


def _read_choice(given: Json, state: Position, past: history.Year) -> None:
    """Who chooses what now; all but the part of a settlement follows from the log."""
    pending = at(given, "pending")
    if pending is None:
        state.choice, state.to_act = OVER, None
        return
    state.to_act = whole(given, "to_act", 0, state.seats - 1)
    with within("pending"):
        state.choice = named(pending, "want", CHOICE_OF_NAME).number
    state.card, state.place = past.card, past.place
    state.named = past.named if state.to_act == past.to_act else 0
    if state.choice == PIECES:
        require(state.place != NOTHING, "pieces are to be chosen, but the log names no site")
        state.need = total_asked(state) - MASK_VALUE[state.named]
