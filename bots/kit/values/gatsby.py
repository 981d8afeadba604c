"""Gatsby: stars and sets in hand, and how near each seat is to the characters still on the board."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from engines import State
from engines.gatsby.scoring import COLUMNS, ROWS
from engines.gatsby.state import GatsbyState
from engines.gatsby.tables import (
    CABARET_MASK,
    CIRCLES,
    CIRCLES_PLACE,
    COLUMNS_PLACE,
    FAMILY_MASKS,
    FLOOR_PLACES,
    NONE,
    ROWS_PLACE,
    SIDE,
    STARS,
    TRACK_LENGTHS,
    TRACK_MASK,
    TRACK_PLACES,
    TRACKS,
)

# How much nearer one token or floor makes a claim: with one more to go a claim is this part as likely as before.
TOKEN_DECAY, CIRCLE_DECAY, FLOOR_DECAY, TRACK_DECAY = 0.62, 0.62, 0.75, 0.6
UNCLAIMED = 0.12  # the weight of "nobody gets it before the game ends"
TAKEN_CIRCLE = 3  # what a circle held by the other seat counts: only a swap gets it back
FAR = 12  # as good as never
STAR = 0.42  # how much a star's lead moves the chances (in logits)
CHARACTER = 0.12  # a character also breaks ties and serves two kinds of sets
SET = 4.0  # a sure set is a sure win
SPECIAL_SLOT = 0.3  # an unused special: a point at the end, and a strong turn before
_RIGHT, _LEFT = ~COLUMNS[-1], ~COLUMNS[0]
_FAMILY_OF = tuple(next(f for f, mask in enumerate(FAMILY_MASKS) if mask >> n & 1) for n in range(len(STARS)))
_FAMILIES = range(len(FAMILY_MASKS))
SeatChances = tuple[float, float]


@lru_cache(maxsize=20_000)
def tokens_to_join(own: int, empty: int, across: bool) -> int:
    """How many tokens a chain from the first to the last line still needs."""
    lines = COLUMNS if across else ROWS
    reached = lines[0] & own
    front = reached
    for needed in range(FAR):
        while front:
            front = _around(front) & own & ~reached
            reached |= front
        if reached & lines[-1]:
            return needed
        front = (_around(reached) | lines[0]) & (empty | own) & ~reached
        if not front:
            return FAR
        reached |= front
    return FAR


def _around(cells: int) -> int:
    return cells << SIDE | cells >> SIDE | (cells & _RIGHT) << 1 | (cells & _LEFT) >> 1


@lru_cache(maxsize=4_000)
def _circle_needs(own: int, other: int) -> int:
    return 4 - own.bit_count() + (TAKEN_CIRCLE - 1) * other.bit_count()


def _shares(mine: float, yours: float) -> SeatChances:
    """The chances of both seats to claim something, from how near they are."""
    whole = mine + yours + UNCLAIMED
    return mine / whole, yours / whole


_TOKEN = tuple(TOKEN_DECAY**needed if needed < FAR else 0.0 for needed in range(FAR + 1))
_CIRCLE = tuple(CIRCLE_DECAY**needed for needed in range(FAR + 1))
_FLOOR = tuple(FLOOR_DECAY**floors for floors in range(32))
_JOINED = tuple(tuple(_shares(mine, yours) for yours in _TOKEN) for mine in _TOKEN)
_CIRCLED = tuple(tuple(_shares(mine, yours) for yours in _CIRCLE) for mine in _CIRCLE)
_CLIMBED = tuple(tuple(_shares(mine, yours) for yours in _FLOOR) for mine in _FLOOR)


def _track_shares(length: int, mine: int, yours: int) -> SeatChances:
    """Both seats' chances on a track with so many tokens of each."""
    majority, left = length // 2 + 1, length - mine - yours
    needs = [majority - tokens for tokens in (mine, yours)]
    if min(needs) <= 0:  # decided, and worth more the sooner it fills up
        sure = 1.0 - 0.08 * left
        return (sure, 0.0) if needs[0] <= 0 else (0.0, sure)
    near = [TRACK_DECAY**need if need <= left else 0.0 for need in needs]
    return _shares(*near)


_TRACKED = {
    (length, mine, yours): _track_shares(length, mine, yours)
    for length in set(TRACK_LENGTHS)
    for mine in range(length + 1)
    for yours in range(length + 1 - mine)
}


def claim_shares(s: GatsbyState) -> list[tuple[int, SeatChances]]:
    """For each character on the board the chances of both seats to claim it."""
    at, (south, north) = s.at, s.tokens
    empty = CABARET_MASK & ~s.filled
    mine, yours = south & CABARET_MASK, north & CABARET_MASK
    found: list[tuple[int, SeatChances]] = []
    for place, across in ((ROWS_PLACE, False), (COLUMNS_PLACE, True)):
        if at[place] != NONE:
            ways = _JOINED[tokens_to_join(mine, empty, across)][tokens_to_join(yours, empty, across)]
            found.append((at[place], ways))
    if at[CIRCLES_PLACE] != NONE:
        a, b = south & CIRCLES, north & CIRCLES
        found.append((at[CIRCLES_PLACE], _CIRCLED[_circle_needs(a, b)][_circle_needs(b, a)]))
    low, high = s.floors
    for place, floor in FLOOR_PLACES:
        if at[place] != NONE:
            found.append((at[place], _CLIMBED[max(0, floor - low)][max(0, floor - high)]))
    for track in range(TRACKS):
        character = at[TRACK_PLACES[track]]
        if character != NONE:
            mask = TRACK_MASK[track]
            key = (TRACK_LENGTHS[track], (south & mask).bit_count(), (north & mask).bit_count())
            found.append((character, _TRACKED[key]))
    return found


def lead(s: GatsbyState) -> float:
    """How far seat 0 is ahead, in logits."""
    shares = claim_shares(s)
    total = 0.0
    for character, (mine, yours) in shares:
        total += (STAR * STARS[character] + CHARACTER) * (mine - yours)
    for seat, sign in ((0, 1.0), (1, -1.0)):
        hand = s.claimed[seat]
        worth = SPECIAL_SLOT * (s.slots[seat] != NONE) + STAR * len(s.aside[seat])
        for character, stars in enumerate(STARS):
            if hand >> character & 1:
                worth += STAR * stars + CHARACTER
        total += sign * (worth + SET * _set_chance(hand, shares, seat))
    return total


def _set_chance(hand: int, shares: list[tuple[int, SeatChances]], seat: int) -> float:
    """A guess at the chance to complete a family or one of each."""
    best = [0.0] * len(FAMILY_MASKS)  # the likeliest further character of each family
    every = [1.0] * len(FAMILY_MASKS)  # the chance to get all that is still on the board
    count = [(hand & mask).bit_count() for mask in FAMILY_MASKS]
    there = count.copy()
    for character, chance in shares:
        family = _FAMILY_OF[character]
        there[family] += 1
        every[family] *= chance[seat]
        if chance[seat] > best[family]:
            best[family] = chance[seat]
    miss = 1.0
    rainbow = 1.0
    for family in _FAMILIES:
        if there[family] == 3:
            miss *= 1.0 - every[family]
        if not count[family]:
            rainbow *= best[family]
    return 1.0 - miss * (1.0 - rainbow)


def evaluate(state: State) -> list[float]:
    """Chances by stars and sets, in hand and within reach."""
    assert isinstance(state, GatsbyState)
    chance = 1.0 / (1.0 + exp(-lead(state)))
    return [chance, 1.0 - chance]
