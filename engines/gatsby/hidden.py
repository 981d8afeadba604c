"""Who lies where and which special is whose, with what the viewer doesn't know drawn at random (GA 7.2, 7.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from random import Random

from engines.api import Json
from engines.gatsby.observation import HIDDEN
from engines.gatsby.scoring import winning_set
from engines.gatsby.tables import (
    BOX,
    CHARACTER_NUMBER,
    CHARACTERS,
    FACE_UP,
    NONE,
    PLACE_NUMBER,
    PLACES,
    SPECIALS,
)
from engines.reading import Unreadable, at, fields, flag, listed, named, names, or_null, require, short, within

UNKNOWN = -2
_QUICK_TRIES = 64
_CHARACTER_OR_HIDDEN = {**CHARACTER_NUMBER, HIDDEN: UNKNOWN}
_CLAIMED_KEYS = ("character", "face", "seen")
_FACES = {"down": 0, "up": 1}


@dataclass(slots=True)
class Cast:
    """All characters as one viewer sees them; UNKNOWN where it doesn't know."""

    at: list[int]
    claimed: list[list[int]]
    box: list[int]
    up: int  # a mask
    seen: list[int]  # of each seat, a mask: face-down characters of the other that it knows
    looked: list[tuple[int, ...]]  # of each seat, the face-down places it knows
    unknown: list[int]

    def hand(self, seat: int) -> int:
        """A seat's characters as a mask, without the unknown ones."""
        return _mask([n for n in self.claimed[seat] if n != UNKNOWN])

    def known(self, seat: int, hand: int) -> int:
        """The characters whose place or owner a seat with this hand knows, as a mask."""
        return self.up | self.seen[seat] | hand | _mask([self.at[place] for place in self.looked[seat]])

    def deal(self, rng: Random) -> Cast:
        """The same with every unknown character drawn, uniformly over what could be."""
        drawn = iter(_order(self, rng))
        rows = [
            [next(drawn) if n == UNKNOWN else n for n in row] if UNKNOWN in row else row
            for row in (self.claimed[0], self.claimed[1], self.at, self.box)
        ]
        return Cast(rows[2], rows[:2], sorted(rows[3]), self.up, self.seen, self.looked, [])


@dataclass(slots=True)
class Specials:
    """The specials of which one viewer may not know all; UNKNOWN where it doesn't."""

    left_out: list[list[int]]
    drawn: list[int]
    pile: list[int]
    unknown: list[int]

    def deal(self, rng: Random) -> Specials:
        """The same with every unknown special drawn, uniformly."""
        drawn = iter(_shuffled(self.unknown, rng))
        rows = [
            [next(drawn) if special == UNKNOWN else special for special in row] if UNKNOWN in row else row
            for row in (*self.left_out, self.drawn, self.pile)
        ]
        return Specials(rows[:2], rows[2], rows[3], [])


def read_cast(view: dict[str, Json], seat: int | None, *, over: bool) -> Cast:
    """The characters as this viewer sees them."""
    looked = listed(view, "looked", 2)
    with within("looked"):
        places = [names(looked, who, PLACE_NUMBER, once=True) for who in (0, 1)]
    cast = Cast(at=[], claimed=[[], []], box=[], up=0, seen=[0, 0], looked=places, unknown=[])
    _read_places(cast, view)
    _read_known(cast, view)
    claimed = listed(view, "claimed", 2)
    for who in (0, 1):
        with within("claimed"):
            _read_claimed(cast, who, listed(claimed, who))
    if seat is None:
        cast.box = sorted(names(view, "box", CHARACTER_NUMBER, length=BOX, once=True))
    else:
        require(at(view, "box") is None, "the box is null in the view of a seat")
        cast.box = [UNKNOWN] * BOX
    require(cast.up.bit_count() == sum(FACE_UP), f"{sum(FACE_UP)} characters are face up")
    _check_hands(cast, seat, over=over)
    _find_unknown(cast)
    return cast


def _read_places(cast: Cast, view: dict[str, Json]) -> None:
    """Who lies where as everybody sees it."""
    places = fields(view, "places", PLACES)
    with within("places"):
        for place in PLACES:
            shown = or_null(named, places, place, _CHARACTER_OR_HIDDEN)
            n = NONE if shown is None else shown
            cast.at.append(n)
            cast.up |= 1 << n if n >= 0 else 0


def _read_known(cast: Cast, view: dict[str, Json]) -> None:
    """Put the face-down characters that the viewer knows on their places."""
    known = at(view, "known")
    require(type(known) is dict, "known is an object of places and characters")
    with within("known"):
        for name in known:
            place = PLACE_NUMBER.get(name, NONE)
            is_covered = place != NONE and cast.at[place] == UNKNOWN
            require(is_covered, f"{short(name)} is known, but no character lies there face down")
            cast.at[place] = named(known, name, CHARACTER_NUMBER)


def _read_claimed(cast: Cast, owner: int, claimed: list[Json]) -> None:
    """One seat's characters."""
    for entry in range(len(claimed)):
        told = fields(claimed, entry, _CLAIMED_KEYS)
        with within(owner, entry):
            n = named(told, "character", _CHARACTER_OR_HIDDEN)
            face = named(told, "face", _FACES)
            seen = flag(told, "seen")
        cast.claimed[owner].append(n)
        if n == UNKNOWN:
            require(not face and not seen, "a claimed character that was seen has a name")
        elif face:
            cast.up |= 1 << n
        elif seen:
            cast.seen[1 - owner] |= 1 << n


def _check_hands(cast: Cast, seat: int | None, *, over: bool) -> None:
    """A hidden character is in the hand of the other seat, and only while the game goes on."""
    for owner in (0, 1):
        if UNKNOWN in cast.claimed[owner]:
            require(seat == 1 - owner, "a seat knows its own characters")
        is_shown = UNKNOWN not in cast.claimed[owner] and not cast.hand(owner) & ~(cast.up | cast.seen[1 - owner])
        require(is_shown or not over, "the end shows all claimed characters")


def _find_unknown(cast: Cast) -> None:
    """The characters that the viewer has not seen; as many as there are gaps."""
    rows = (cast.at, *cast.claimed, cast.box)
    shown = [n for row in rows for n in row if n >= 0]
    require(len(set(shown)) == len(shown), "a character stands in two places")
    cast.unknown = [n for n in range(len(CHARACTERS)) if n not in shown]
    gaps = sum(row.count(UNKNOWN) for row in rows)
    require(gaps == len(cast.unknown), "the characters don't add up to the whole set")


def _order(cast: Cast, rng: Random) -> list[int]:
    """The unknown characters in an order whose first ones, in somebody's hand, don't win (GA 7.3)."""
    owner = 0 if UNKNOWN in cast.claimed[0] else 1
    size = cast.claimed[owner].count(UNKNOWN)
    if not size:
        return _shuffled(cast.unknown, rng)
    hand = cast.hand(owner)
    for _ in range(_QUICK_TRIES):
        order = _shuffled(cast.unknown, rng)
        if not winning_set(hand | _mask(order[:size])):
            return order
    # So many misses mean that few hands are left: list them all.
    hands = [extra for extra in combinations(cast.unknown, size) if not winning_set(hand | _mask(extra))]
    if not hands:
        raise Unreadable("whatever the unknown characters are, a seat would have won already")
    chosen = rng.choice(hands)
    return [*chosen, *_shuffled([n for n in cast.unknown if n not in chosen], rng)]


def _shuffled(numbers: list[int], rng: Random) -> list[int]:
    """In random order; sorting by random keys takes a third of the time of rng.shuffle."""
    draw = rng.random
    return sorted(numbers, key=lambda _: draw())


def _mask(characters: Iterable[int]) -> int:
    mask = 0
    for n in characters:
        mask |= 1 << n
    return mask


def find_unknown_specials(specials: Specials, elsewhere: list[int]) -> None:
    """The specials that the viewer has not seen; as many as there are gaps."""
    rows = (*specials.left_out, specials.drawn, specials.pile)
    shown = [*elsewhere, *(special for row in rows for special in row if special != UNKNOWN)]
    require(len(set(shown)) == len(shown), "a special stands in two places")
    specials.unknown = [special for special in SPECIALS if special not in shown]
    gaps = sum(row.count(UNKNOWN) for row in rows)
    require(gaps == len(specials.unknown), f"{len(specials.unknown)} specials are nowhere, with {gaps} gaps for them")
