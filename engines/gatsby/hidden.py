"""Who lies where and which special is whose, with what the viewer doesn't know drawn at random (GA 7.2, 7.3)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random

from engines.api import Json
from engines.gatsby.checks import Unreadable, flag, keyed, listed, named, names, require
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

UNKNOWN = -2
_QUICK_TRIES = 64
_CHARACTER_OR_HIDDEN = {**CHARACTER_NUMBER, HIDDEN: UNKNOWN}
_CLAIMED_KEYS = ("character", "face", "seen")


@dataclass(slots=True)
class Cast:
    """All characters of a position; UNKNOWN where the viewer doesn't know."""

    at: list[int]
    claimed: list[list[int]]
    box: list[int]
    up: int
    seen: list[int]  # of each seat, a mask: face-down characters of the other that it knows
    looked: list[tuple[int, ...]]  # of each seat, the face-down places it knows

    def hand(self, seat: int) -> int:
        """A seat's characters as a mask, without the unknown ones."""
        return sum(1 << n for n in self.claimed[seat] if n != UNKNOWN)

    def known(self, seat: int) -> int:
        """The characters whose place or owner a seat knows, as a mask."""
        here = sum(1 << self.at[place] for place in self.looked[seat])
        return self.up | self.seen[seat] | self.hand(seat) | here


def read_cast(view: dict[str, Json], seat: int | None) -> Cast:
    """The characters as this viewer sees them."""
    places = keyed(view["places"], "places", PLACES)
    looked = [names(listed(view["looked"], "looked", 2)[who], PLACE_NUMBER, "looked") for who in (0, 1)]
    cast = Cast(at=[], claimed=[[], []], box=[], up=0, seen=[0, 0], looked=looked)
    for place in PLACES:
        shown = places[place]
        n = NONE if shown is None else named(shown, _CHARACTER_OR_HIDDEN, f"the character of {place}")
        cast.at.append(n)
        cast.up |= 1 << n if n >= 0 else 0
    _read_known(cast, view["known"])
    for who in (0, 1):
        _read_claimed(cast, who, listed(view["claimed"], "claimed", 2)[who])
    if seat is None:
        cast.box = sorted(names(listed(view["box"], "box", BOX), CHARACTER_NUMBER, "box"))
    else:
        require(view["box"] is None, "the box is null in the view of a seat")
        cast.box = [UNKNOWN] * BOX
    require(cast.up.bit_count() == sum(FACE_UP), f"{sum(FACE_UP)} characters are face up")
    return cast


def _read_known(cast: Cast, known: Json) -> None:
    """Put the face-down characters that the viewer knows on their places."""
    require(type(known) is dict, "known is an object of places and characters")
    for name, character in known.items():
        place = named(name, PLACE_NUMBER, "a known place")
        require(cast.at[place] == UNKNOWN, f"{name} is known, but no character lies there face down")
        cast.at[place] = named(character, CHARACTER_NUMBER, f"the known character of {name}")


def _read_claimed(cast: Cast, owner: int, claimed: Json) -> None:
    """One seat's characters."""
    for entry in listed(claimed, "claimed"):
        keyed(entry, "a claimed character", _CLAIMED_KEYS)
        n = named(entry["character"], _CHARACTER_OR_HIDDEN, "a claimed character")
        face = named(entry["face"], {"down": 0, "up": 1}, "the face of a claimed character")
        seen = flag(entry["seen"], "whether a claimed character was seen")
        cast.claimed[owner].append(n)
        if n == UNKNOWN:
            require(not face and not seen, "a claimed character that was seen has a name")
        elif face:
            cast.up |= 1 << n
        elif seen:
            cast.seen[1 - owner] |= 1 << n


def cast_characters(cast: Cast, rng: Random, *, over: bool) -> None:
    """Draw every unknown character, uniformly over what could be (GA 7.3: no hand wins in an unfinished game)."""
    shown = [n for n in (*cast.at, *cast.claimed[0], *cast.claimed[1], *cast.box) if n >= 0]
    require(len(set(shown)) == len(shown), "a character stands in two places")
    unknown = [n for n in range(len(CHARACTERS)) if n not in shown]
    holes = [row for row in (cast.claimed[0], cast.claimed[1], cast.at, cast.box) if UNKNOWN in row]
    require(sum(row.count(UNKNOWN) for row in holes) == len(unknown), "the characters don't add up to the whole set")
    drawn = iter(_unfinished_order(cast, unknown, rng, over=over))
    for row in holes:
        row[:] = [next(drawn) if n == UNKNOWN else n for n in row]
    cast.box.sort()


def _unfinished_order(cast: Cast, unknown: list[int], rng: Random, *, over: bool) -> list[int]:
    """An order of the unknown characters whose first ones, in somebody's hand, don't win."""
    owner = next((who for who in (0, 1) if UNKNOWN in cast.claimed[who]), NONE)
    if owner == NONE:
        rng.shuffle(unknown)
        return unknown
    require(UNKNOWN not in cast.claimed[1] or owner == 1, "a seat knows its own characters")
    require(not over, "the end shows all claimed characters")
    hand, size = cast.hand(owner), cast.claimed[owner].count(UNKNOWN)
    for _ in range(_QUICK_TRIES):
        rng.shuffle(unknown)
        if not winning_set(hand | _mask(unknown[:size])):
            return unknown
    # So many misses mean that few hands are left: list them all.
    unknown.sort()
    hands = [extra for extra in combinations(unknown, size) if not winning_set(hand | _mask(extra))]
    if not hands:
        raise Unreadable("whatever the unknown characters are, a seat would have won already")
    chosen = rng.choice(hands)
    rest = [n for n in unknown if n not in chosen]
    rng.shuffle(rest)
    return [*chosen, *rest]


def _mask(characters: list[int] | tuple[int, ...]) -> int:
    return sum(1 << n for n in characters)


def draw_specials(shown: list[list[int]], rng: Random) -> None:
    """Draw every unknown special of these rows, uniformly."""
    known = [special for row in shown for special in row if special >= 0]
    require(len(set(known)) == len(known), "a special stands in two places")
    unknown = [special for special in SPECIALS if special not in known]
    holes = sum(row.count(UNKNOWN) for row in shown)
    require(holes == len(unknown), f"{len(unknown)} specials are nowhere, and there is room for {holes}")
    rng.shuffle(unknown)
    drawn = iter(unknown)
    for row in shown:
        row[:] = [next(drawn) if special == UNKNOWN else special for special in row]
