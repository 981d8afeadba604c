"""What steps and bonuses do to the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.gatsby.choices import CHOICES, has_supply
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

if TYPE_CHECKING:
    from engines.gatsby.state import GatsbyState


def ask(s: GatsbyState, what: int) -> None:
    """Wait for a choice of this kind."""
    s.ask = what
    s.legal = CHOICES[what](s)


def put(s: GatsbyState, cell: int) -> None:
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


def leftmost(s: GatsbyState, track: int) -> int:
    """The leftmost empty cell of a track that is not full (GA 2.5)."""
    return LEFTMOST[track][(s.filled & TRACK_MASK[track]) >> TRACK_START[track]]


def put_on_same_track(s: GatsbyState) -> None:
    """The second token of S8, if its track still has an empty cell."""
    both = s.open & s.tracks
    if both and has_supply(s, s.turn):
        put(s, leftmost(s, both.bit_length() - 1))


def advance(s: GatsbyState) -> None:
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
