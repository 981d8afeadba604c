"""What steps and bonuses do to the table: tokens, floors and characters."""

from __future__ import annotations

from engines.gatsby.position import Position
from engines.gatsby.steps import has_supply
from engines.gatsby.tables import (
    CABARET_CELLS,
    FAST_ADVANCE,
    FLOOR_BONUS,
    FLOOR_COVER,
    LEFTMOST,
    NEAR,
    NONE,
    SLOW_ADVANCE,
    TOP_FLOOR,
    TRACK_MASK,
    TRACK_OF,
    TRACK_START,
)


def put(s: Position, cell: int) -> None:
    """Place a token of the seat to act; the bonus printed there comes before all that waits."""
    bit = 1 << cell
    s.tokens[s.turn] |= bit
    s.filled |= bit
    if cell < CABARET_CELLS:
        s.rim = (s.rim | NEAR[cell]) & ~s.filled
    else:
        track = TRACK_OF[cell]
        if s.filled & TRACK_MASK[track] == TRACK_MASK[track]:
            s.open &= ~(1 << track)
            s.full |= 1 << track
    bonus = s.deal.prints[cell]
    if bonus != NONE:
        s.offers = (bonus, *s.offers)


def leftmost(s: Position, track: int) -> int:
    """The leftmost empty cell of a track that is not full (GA 2.5)."""
    return LEFTMOST[track][(s.filled & TRACK_MASK[track]) >> TRACK_START[track]]


def put_on_same_track(s: Position) -> None:
    """The second token of S8, if its track still has an empty cell."""
    both = s.open & s.tracks
    if both and has_supply(s, s.turn):
        put(s, leftmost(s, both.bit_length() - 1))


def swap_tokens(s: Position, mine: int, yours: int) -> None:
    """The tokens on two cells change places; no bonus fires (GA 5.5)."""
    pair = 1 << mine | 1 << yours
    s.tokens[0] ^= pair
    s.tokens[1] ^= pair


def advance(s: Position) -> None:
    """Two floors from below the other seat, else one; then the bonuses reached or passed, the lower first (GA 2.4)."""
    me = s.turn
    floor = s.floors[me]
    by = FAST_ADVANCE if floor < s.floors[1 - me] else SLOW_ADVANCE
    s.floors[me] = top = min(floor + by, TOP_FLOOR)
    fired = tuple(
        FLOOR_BONUS[passed]
        for passed in range(floor + 1, top + 1)
        # GA 2.3: a bonus under a character is for the seat that comes second
        if FLOOR_BONUS[passed] != NONE and (FLOOR_COVER[passed] == NONE or s.at[FLOOR_COVER[passed]] == NONE)
    )
    if fired:
        s.offers = fired + s.offers


def two_in_hand(s: Position) -> int:
    """The characters of the two places chosen, as a mask."""
    return 1 << s.at[s.first] | 1 << s.at[s.second]


def exchange(s: Position) -> None:
    """The characters of the two places chosen change places, each with its face."""
    at = list(s.at)
    at[s.first], at[s.second] = at[s.second], at[s.first]
    s.at = tuple(at)
