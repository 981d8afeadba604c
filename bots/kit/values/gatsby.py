"""Gatsby: how likely each seat is to claim what is still on the board, and what that and its hand are worth.

The numbers were fitted to who won 3,000 games, and smoothed where few of them passed (docs/12-strength.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp

from engines import State
from engines.gatsby.position import ACTION
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
    PLACES,
    ROWS_PLACE,
    SIDE,
    STARS,
    TOP_FLOOR,
    TRACK_LENGTHS,
    TRACK_MASK,
    TRACK_PLACES,
)

FAR = 12  # tokens: as good as never
SURE = 5.0  # the claim at the end of this turn is certain
NEVER = -30.0

# How near a seat is to a claim, as a logit: by the tokens a chain still needs,
CHAIN = (-0.34, -1.33, -1.54, -2.21, -2.80, -3.00, -3.35, -3.82)
# by own circles (row) and the other seat's (column),
CIRCLED = (
    (-2.60, -3.70, -3.75, -4.69, NEVER),
    (-2.00, -2.33, -3.01, -4.33),
    (-1.90, -2.40, -2.75),
    (-1.00, -1.10),
    (SURE,),
)
# by floors still to climb, each further one making it less likely by the same,
CLIMB, FURTHER_FLOOR = (-0.32, -0.70, -2.22, -2.60, -2.94), -0.27
# and by own tokens (row) and the other seat's (column) on a track of 5 or 3 cells.
TRACK_OF_5 = (
    (-3.39, -3.42, -3.60, -4.97, -5.00, NEVER),
    (0.48, -0.95, -2.59, -4.94, NEVER),
    (1.20, 1.20, 0.66, NEVER),
    (2.28, 1.83, SURE),
    (3.08, SURE),
    (SURE,),
)
TRACK_OF_3 = (
    (-1.76, -1.94, -4.96, NEVER),
    (0.41, -0.32, NEVER),
    (2.50, SURE),
    (SURE,),
)
# What the next turn adds to that for the seat that has it, and how near it is that nobody gets there.
CHAIN_TURN, CIRCLES_TURN, FLOOR_TURN, TRACK_5_TURN, TRACK_3_TURN = 0.05, 0.18, 0.99, 1.19, 0.41
CHAIN_NOBODY, CIRCLES_NOBODY, FLOOR_NOBODY, TRACK_5_NOBODY, TRACK_3_NOBODY = -0.68, 0.27, -0.62, -0.06, -1.13

CHARACTER = (0.13, 0.33, 0.55, 0.78)  # what a character is worth by its stars
SPECIAL_SLOT, SPECIAL_ASIDE = 0.13, 0.24
LATER = 2.1  # a lead counts the more, the more characters are taken: exp(LATER) times as much with the last one
FAMILY, ONE_OF_EACH = 3.49, 1.62  # what a sure set is worth

_RIGHT, _LEFT = ~COLUMNS[-1], ~COLUMNS[0]
_FAMILY_OF = tuple(next(f for f, mask in enumerate(FAMILY_MASKS) if mask >> n & 1) for n in range(len(STARS)))
_WORTH = tuple(CHARACTER[stars] for stars in STARS)
_WEIGHT = tuple(exp(LATER * taken / len(PLACES)) for taken in range(len(PLACES) + 1))
SeatChances = tuple[float, float]
ChanceTable = tuple[tuple[tuple[SeatChances, ...], ...], ...]  # by the seat that is next, seat 0's number, seat 1's


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


def _chances(near: Sequence[Sequence[float]], *, turn: float, nobody: float) -> ChanceTable:
    """Both seats' chances of a claim, from `near[own number][the other's]`; a row may end early."""

    def chances(mine: int, yours: int, push: float) -> SeatChances:
        a, b = (exp(near[m][y]) if y < len(near[m]) else 0.0 for m, y in ((mine, yours), (yours, mine)))
        a, b = a * exp(push), b / exp(push)
        whole = a + b + exp(nobody)
        return a / whole, b / whole

    numbers = range(len(near))
    return tuple(
        tuple(tuple(chances(mine, yours, push) for yours in numbers) for mine in numbers)
        for push in (turn / 2, -turn / 2)
    )


def _whatever_the_other_has(near: Sequence[float]) -> list[list[float]]:
    return [[own] * len(near) for own in near]


def _floor_near(floors: int) -> float:
    if floors == 0:
        return SURE
    return CLIMB[min(floors, len(CLIMB)) - 1] + FURTHER_FLOOR * max(0, floors - len(CLIMB))


_JOINED = _chances(
    _whatever_the_other_has((SURE, *CHAIN, *[NEVER] * (FAR - len(CHAIN)))), turn=CHAIN_TURN, nobody=CHAIN_NOBODY
)
_CIRCLED = _chances(CIRCLED, turn=CIRCLES_TURN, nobody=CIRCLES_NOBODY)
_CLIMBED = _chances(
    _whatever_the_other_has([_floor_near(floors) for floors in range(TOP_FLOOR + 1)]),
    turn=FLOOR_TURN,
    nobody=FLOOR_NOBODY,
)
_RUN = {
    5: _chances(TRACK_OF_5, turn=TRACK_5_TURN, nobody=TRACK_5_NOBODY),
    3: _chances(TRACK_OF_3, turn=TRACK_3_TURN, nobody=TRACK_3_NOBODY),
}
_TRACKS = tuple(
    (place, mask, _RUN[length]) for place, mask, length in zip(TRACK_PLACES, TRACK_MASK, TRACK_LENGTHS, strict=True)
)


def claim_shares(s: GatsbyState) -> list[tuple[int, SeatChances]]:
    """For each character on the board the chances of both seats to claim it."""
    at, (south, north) = s.at, s.tokens
    seat = s.turn if s.choice == ACTION else 1 - s.turn  # who has the next turn; one that has begun is as good as over
    empty = CABARET_MASK & ~s.filled
    mine, yours = south & CABARET_MASK, north & CABARET_MASK
    found: list[tuple[int, SeatChances]] = []
    for place, across in ((ROWS_PLACE, False), (COLUMNS_PLACE, True)):
        if at[place] != NONE:
            ways = _JOINED[seat][tokens_to_join(mine, empty, across)][tokens_to_join(yours, empty, across)]
            found.append((at[place], ways))
    if at[CIRCLES_PLACE] != NONE:
        found.append((at[CIRCLES_PLACE], _CIRCLED[seat][(south & CIRCLES).bit_count()][(north & CIRCLES).bit_count()]))
    (low, high), climbed = s.floors, _CLIMBED[seat]
    for place, floor in FLOOR_PLACES:
        if at[place] != NONE:
            found.append((at[place], climbed[max(0, floor - low)][max(0, floor - high)]))
    for place, mask, run in _TRACKS:
        if at[place] != NONE:
            found.append((at[place], run[seat][(south & mask).bit_count()][(north & mask).bit_count()]))
    return found


def lead(s: GatsbyState) -> float:
    """How far seat 0 is ahead, in logits."""
    shares = claim_shares(s)
    (worth, count), (other_worth, other_count) = _hand(s.claimed[0]), _hand(s.claimed[1])
    total = worth - other_worth
    for character, (mine, yours) in shares:
        total += _WORTH[character] * (mine - yours)
    total += SPECIAL_SLOT * ((s.slots[0] != NONE) - (s.slots[1] != NONE))
    total += SPECIAL_ASIDE * (len(s.aside[0]) - len(s.aside[1]))
    total *= _WEIGHT[sum(count) + sum(other_count)]
    return total + _set_worth(count, shares, 0) - _set_worth(other_count, shares, 1)


@lru_cache(maxsize=4_000)
def _hand(hand: int) -> tuple[float, tuple[int, ...]]:
    """What claimed characters are worth, and how many there are of each family."""
    worth = sum(_WORTH[character] for character in range(len(STARS)) if hand >> character & 1)
    return worth, tuple((hand & mask).bit_count() for mask in FAMILY_MASKS)


def _set_worth(count: Sequence[int], shares: list[tuple[int, SeatChances]], seat: int) -> float:
    """What the chances to complete a family or one of each are worth."""
    best = [0.0] * len(FAMILY_MASKS)  # the likeliest further character of each family
    every = [1.0] * len(FAMILY_MASKS)  # the chance to get all that is still on the board
    there = [*count]
    for character, chances in shares:
        family, chance = _FAMILY_OF[character], chances[seat]
        there[family] += 1
        every[family] *= chance
        if chance > best[family]:
            best[family] = chance
    miss = rainbow = 1.0
    for family, held in enumerate(count):
        if there[family] == 3:
            miss *= 1.0 - every[family]
        if not held:
            rainbow *= best[family]
    return FAMILY * (1.0 - miss) + ONE_OF_EACH * rainbow * miss


def evaluate(state: State) -> list[float]:
    """Chances by stars and sets, in hand and within reach."""
    assert isinstance(state, GatsbyState)
    chance = 1.0 / (1.0 + exp(-lead(state)))
    return [chance, 1.0 - chance]
