"""Who may claim what at the end of a turn, and how a game ends (GA 6)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.api import Outcome
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
    SITE_PLACES,
    SITES,
    SPECIAL_POINTS,
    STARS,
    TRACK_MASK,
    TRACK_PLACES,
)

ROWS = tuple(((1 << SIDE) - 1) << (row * SIDE) for row in range(SIDE))
COLUMNS = tuple(sum(1 << (row * SIDE + column) for row in range(SIDE)) for column in range(SIDE))
_RIGHT = ~COLUMNS[-1]
_LEFT = ~COLUMNS[0]

PlaceClaim = tuple[int, int]  # place, seat


def spans(tokens: int, lines: Sequence[int]) -> bool:
    """Is there an unbroken orthogonal chain of these tokens from the first to the last of the lines? (GA 2.1)"""
    for line in lines:
        if not tokens & line:
            return False
    tokens &= CABARET_MASK  # the bits above it are tracks, and no neighbours of row 5
    front = reached = tokens & lines[0]
    while front:
        front = (front << SIDE | front >> SIDE | (front & _RIGHT) << 1 | (front & _LEFT) >> 1) & tokens & ~reached
        reached |= front
    return reached & lines[-1] != 0


def cabaret_claims(tokens: Sequence[int], at: Sequence[int], mover: int) -> list[PlaceClaim]:
    """The cabaret characters whose condition a seat fulfils; the mover goes before the other seat (GA 6.1)."""
    claims: list[PlaceClaim] = []
    for place, fulfils in _CABARET_CONDITIONS:
        if at[place] != NONE:
            for seat in (mover, 1 - mover):
                if fulfils(tokens[seat]):
                    claims.append((place, seat))
                    break
    return claims


def _rows_joined(tokens: int) -> bool:
    return spans(tokens, ROWS)


def _columns_joined(tokens: int) -> bool:
    return spans(tokens, COLUMNS)


def _circles_held(tokens: int) -> bool:
    return tokens & CIRCLES == CIRCLES


_CABARET_CONDITIONS = (
    (ROWS_PLACE, _rows_joined),
    (COLUMNS_PLACE, _columns_joined),
    (CIRCLES_PLACE, _circles_held),
)


def finance_claims(floors: Sequence[int], at: Sequence[int], mover: int) -> list[PlaceClaim]:
    """The finance characters a seat has reached or passed (GA 2.3)."""
    claims: list[PlaceClaim] = []
    for place, floor in FLOOR_PLACES:
        if at[place] != NONE:
            if floors[mover] >= floor:
                claims.append((place, mover))
            elif floors[1 - mover] >= floor:
                claims.append((place, 1 - mover))
    return claims


def racetrack_claims(tokens: Sequence[int], full: int) -> list[PlaceClaim]:
    """The characters of full tracks, each to the seat with more tokens there (GA 2.5)."""
    claims: list[PlaceClaim] = []
    for track, place in enumerate(TRACK_PLACES):
        if full >> track & 1:
            on_track = [(tokens[seat] & TRACK_MASK[track]).bit_count() for seat in (0, 1)]
            claims.append((place, 0 if on_track[0] > on_track[1] else 1))
    return claims


def has_three_of_a_family(hand: int) -> bool:
    """Does this hand hold all three characters of a family?"""
    return any(hand & family == family for family in FAMILY_MASKS)


def has_five_families(hand: int) -> bool:
    """Does this hand hold a character of every family?"""
    return all(hand & family for family in FAMILY_MASKS)


SETS = (("three_of_a_family", has_three_of_a_family), ("five_families", has_five_families))


def winning_set(hand: int) -> str | None:
    """The ending that this hand brings about at once, if any (GA 6.2)."""
    return next((ending for ending, holds in SETS if holds(hand)), None)


def prestige(hand: int, slot: int, aside: Sequence[int]) -> int:
    """Stars, and a point for an unused special and for each one set aside (GA 6.3)."""
    stars = sum(worth for number, worth in enumerate(STARS) if hand >> number & 1)
    return stars + SPECIAL_POINTS * ((slot != NONE) + len(aside))


def emptied_site(at: Sequence[int]) -> str | None:
    """The ending of the first place whose last character was taken, if any (GA 6.3)."""
    for site, places in zip(SITES, SITE_PLACES, strict=True):
        if all(at[place] == NONE for place in places):
            return f"{site}_empty"
    return None


def judge(
    *, hands: Sequence[int], at: Sequence[int], slots: Sequence[int], aside: Sequence[Sequence[int]], mover: int
) -> Outcome | None:
    """The outcome after the claims of a turn; None if the game goes on."""
    for seat in (mover, 1 - mover):
        ending = winning_set(hands[seat])
        if ending:
            won = (1, 0) if seat == 0 else (0, 1)
            return Outcome(ranks=(2 - won[0], 2 - won[1]), scores=won, ending=ending)
    ending = emptied_site(at)
    if ending is None:
        return None
    scores = [prestige(hands[seat], slots[seat], aside[seat]) for seat in (0, 1)]
    standing = [(scores[seat], hands[seat].bit_count()) for seat in (0, 1)]
    ranks = (1 + (standing[1] > standing[0]), 1 + (standing[0] > standing[1]))
    return Outcome(ranks=ranks, scores=(scores[0], scores[1]), ending=ending)
