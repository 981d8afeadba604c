"""States from JSON: restore reads a snapshot, imagine an observation; both end by comparing what the state shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from types import NoneType

from engines.api import Json
from engines.capone import history, wants
from engines.capone.actions import PLACES
from engines.capone.checks import check_cards, check_state
from engines.capone.choices import least_total
from engines.capone.history import Misread
from engines.capone.state import CaponeState
from engines.capone.tables import (
    CARDS,
    DECK,
    GUARD_VALUE,
    GUARDS,
    LAST_STEP,
    LEGAL,
    MASK_VALUE,
    MEMBERS,
    NOBODY,
    PRISON_BLOCKS,
    RESTS,
    SITES,
    TAKEOVER,
    YEAR_LIMIT,
)

CARD_INDEX = {name: kind for kind, name in enumerate(CARDS)}
MEMBER_BIT = {name: 1 << m for m, name in enumerate(MEMBERS)}
PLACE_INDEX = {name: place for place, name in enumerate(PLACES)}
WANT_INDEX = {name: want for want, name in enumerate(wants.WANTS)}
MOST_CASH = 1_000_000


# --- reading values


def take(box: Json, key: str, kind: type) -> Json:
    """The value of a key, which must have this very type; raises Misread."""
    if type(box) is not dict or key not in box:
        raise Misread(f"{key!r} is missing")
    value = box[key]
    if type(value) is not kind:
        raise Misread(f"{key!r} is {value!r:.60}, expected a value of type {kind.__name__}")
    return value


def number(box: Json, key: str, low: int, high: int) -> int:
    """An int of a key within bounds."""
    value: int = take(box, key, int)
    if not low <= value <= high:
        raise Misread(f"{key!r} is {value!r:.60}, expected {low} to {high}")
    return value


def listed(box: Json, key: str, length: int) -> list[Json]:
    """A list of a key with a fixed length."""
    value: list[Json] = take(box, key, list)
    if len(value) != length:
        raise Misread(f"{key!r} has {len(value)} entries, expected {length}")
    return value


def index_of(name: Json, known: Mapping[str, int], what: str) -> int:
    """The number of a name."""
    if type(name) is not str or name not in known:
        raise Misread(f"{name!r:.60} is no {what}")
    return known[name]


def seat_or_nobody(box: Json, key: str, seats: int) -> int:
    """A seat, or NOBODY for null."""
    if type(box) is dict and key in box and box[key] is None:
        return NOBODY
    return number(box, key, 0, seats - 1)


def mask_of(box: Json, key: str) -> int:
    """A list of member names as a mask."""
    mask = 0
    for name in take(box, key, list):
        mask |= index_of(name, MEMBER_BIT, "member")
    return mask


def cards_of(names: Json) -> tuple[int, ...]:
    """A list of card names as kinds."""
    if type(names) is not list:
        raise Misread(f"{names!r:.60} is no list of cards")
    return tuple([index_of(name, CARD_INDEX, "card") for name in names])


# --- reading a table


def rebuild(given: Json, *, seats: int, income: str, seed: int, rng: Random | None) -> CaponeState:
    """The state an observation shows, what it hides dealt by rng; raises Misread."""
    state = CaponeState(seats=seats, seed=seed, income=income)
    seat = given.get("seat")
    if seat is not None:
        number(given, "seat", 0, seats - 1)
    state.year = number(given, "year", 1, YEAR_LIMIT)
    state.first = number(given, "first", 0, seats - 1)
    state.ply = number(given, "ply", 0, 1_000_000)
    read_families(state, listed(given, "families", seats))
    read_board(state, given)
    entries = history.read(take(given, "log", list))
    past = history.follow(entries, seats=seats, first=state.first)
    read_cards(state, given, past, rng)
    check_cards(state, past)
    state.log = history.chain(entries, state.returned, state.unshown)
    read_choice(state, given, past)
    check_state(state, past, len(entries))
    check_same(given, state.observe(seat))
    return state


def read_families(state: CaponeState, families: list[Json]) -> None:
    """Money, and pieces that are not on the board."""
    for seat, family in enumerate(families):
        state.cash[seat] = number(family, "cash", 0, MOST_CASH)
        state.marker[seat] = number(family, "marker", 0, LAST_STEP)
        state.home[seat] = mask_of(family, "home")
        state.guards[seat] = number(family, "guards", 0, GUARDS)
        state.park[seat] = number(family, "park", 0, GUARDS)
        state.lost[seat] = number(family, "lost", 0, GUARDS)
        state.harbour[seat] = mask_of(family, "harbour")
        blocks = take(family, "prison", dict)
        for block in range(1, PRISON_BLOCKS + 1):
            state.prison[(block - 1) * state.seats + seat] = mask_of(blocks, str(block))


def read_board(state: CaponeState, given: Json) -> None:
    """Illegal sites, legal businesses and rest places."""
    for site, content in enumerate(listed(given, "sites", len(SITES))):
        owner = state.site_owner[site] = seat_or_nobody(content, "owner", state.seats)
        members = state.site_members[site] = mask_of(content, "members")
        guards = state.site_guards[site] = number(content, "guards", 0, GUARDS)
        state.site_total[site] = MASK_VALUE[members] + guards * GUARD_VALUE
        if (owner == NOBODY) != (not state.site_total[site]):
            raise Misread(f"{SITES[site]} has pieces without an owner, or an owner without pieces")
        if owner != NOBODY:
            state.at_work[owner] |= members
    for business, content in enumerate(listed(given, "legal", len(LEGAL))):
        state.legal_owner[business] = seat_or_nobody(content, "owner", state.seats)
    rests = take(given, "rests", dict)
    for rest, name in enumerate(RESTS):
        for guest in take(rests, name, list):
            spot = rest * state.seats + number(guest, "seat", 0, state.seats - 1)
            state.rests[spot] |= index_of(take(guest, "member", str), MEMBER_BIT, "member")


def read_cards(state: CaponeState, given: Json, past: history.Year, rng: Random | None) -> None:
    """The cards the observation shows, and a uniform deal of all others (CA 9)."""
    state.used = cards_of(given.get("used"))
    piles = {name: listed(given, name, state.seats) for name in ("hands", "returned", "unshown")}
    seen = {name: [None if own is None else cards_of(own) for own in piles[name]] for name in piles}
    left = Counter(DECK[state.seats])
    left.subtract(state.used)
    for known in (own for rows in seen.values() for own in rows if own is not None):
        left.subtract(known)
    if given.get("pile") is not None:
        left.subtract(cards_of(given["pile"]))
    if min(left.values()) < 0:
        raise Misread("more cards of a kind are shown than the deck has")
    unseen = list(left.elements())
    if rng is not None:
        rng.shuffle(unseen)
    deal_unseen(state, seen, past, unseen)
    state.pile = tuple(unseen) if given.get("pile") is None else cards_of(given["pile"])


def deal_unseen(
    state: CaponeState, seen: dict[str, list[tuple[int, ...] | None]], past: history.Year, unseen: list[int]
) -> None:
    """Give every seat what was seen of its cards, and unseen cards for the rest; what stays over is the pile."""

    def cards(known: tuple[int, ...] | None, count: int) -> tuple[int, ...]:
        if known is None and count > len(unseen):
            raise Misread("fewer cards are unseen than hands, returns and discards need")
        return tuple([unseen.pop() for _ in range(count)]) if known is None else known

    for seat in range(state.seats):
        state.hands[seat] = tuple(sorted(cards(seen["hands"][seat], past.hand_counts[seat])))
        state.returned[seat] = tuple(sorted(cards(seen["returned"][seat], len(past.returned[seat]))))
        state.unshown[seat] = cards(seen["unshown"][seat], len(past.unshown[seat]))


def read_choice(state: CaponeState, given: Json, past: history.Year) -> None:
    """Who chooses what now; all but the part of a settlement follows from the log."""
    choice = given.get("pending")
    if choice is None:
        state.want, state.to_act = wants.OVER, None
        return
    state.to_act = number(given, "to_act", 0, state.seats - 1)
    state.want = index_of(take(choice, "want", str), WANT_INDEX, "kind of choice")
    state.card, state.place = past.card, past.place
    state.named = past.named if state.to_act == past.to_act else 0
    if state.want == wants.PIECES:
        site = state.place
        if site == NOBODY:
            raise Misread("pieces are to be chosen, but the log names no site")
        whole = state.site_total[site] if state.card == TAKEOVER else least_total(state, state.to_act, site)
        state.need = whole - MASK_VALUE[state.named]


# --- comparing


def check_same(given: Json, shown: Json) -> None:
    """Refuse anything that the rebuilt state would not show exactly so, down to the types of numbers."""
    for key in shown:
        if key not in given or given[key] != shown[key]:
            found = given.get(key, "missing")
            raise Misread(f"{key!r} is {found!r:.60}, which contradicts the rest; expected {shown[key]!r:.60}")
    if given.keys() != shown.keys():
        raise Misread(f"unknown fields: {', '.join(sorted(map(repr, given.keys() - shown.keys())))}")
    if any(type(value) not in (int, NoneType) for value in derived_numbers(given)):
        raise Misread("a number has the wrong type")


def derived_numbers(given: Json) -> Iterator[Json]:
    """The numbers that were compared but not read: 5.0 and True are equal to ints, and no state shows them."""
    yield given["pile_count"]
    for family in given["families"]:
        yield from (family["hand_count"], family["returned_count"], family["unshown_count"])
    for site in given["sites"]:
        yield from (site["value"], site["total"])
    if given["pending"] is not None:
        yield from (given["pending"]["least"], given["pending"]["exactly"])
    if given["outcome"] is not None:
        yield from (*given["outcome"]["ranks"], *given["outcome"]["scores"])
