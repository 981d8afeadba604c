"""The kinds of choice: a piece to place, and a move; what is legal in each and what taking it does."""

from __future__ import annotations

from typing import Final

from engines.choices import Choice, by_number, over
from engines.speak_easy.actions import WAYS
from engines.speak_easy.placement import placements
from engines.speak_easy.position import MOVE, NOBODY, OVER, PLACE, Position
from engines.speak_easy.tables import (
    BIT,
    BOTH,
    DEFENDER,
    KID,
    PIECES_A_SIDE,
    PLACES,
    RESULTS,
    TO_PLACE,
    WIN,
)
from engines.speak_easy.turns import all_moves, begin_placement, begin_play, begin_turn, finish, refresh_moves


def _place(state: Position, action: int) -> None:
    """SE 3.6: stand a piece on the next cell."""
    seat, order = divmod(state.placed, PIECES_A_SIDE)
    state.put(seat, PLACES[seat][order], PLACES[seat][order], action)
    state.unplaced[seat][action] -= 1
    state.placed += 1
    if state.placed < TO_PLACE:
        begin_placement(state)
    else:
        begin_play(state, state.first)


def move(state: Position, action: int) -> None:
    """Move a piece, work out what the other seat may do now, and hand it the turn; all in one place for speed."""
    start, end, both, lines, fold, reach, end_lines, end_fold, end_reach = WAYS[action]
    seat = state.to_act or 0
    standing, pieces = state.standing, state.pieces
    home, other = standing[start], standing[end]
    is_kid = state.kinds[home] == KID
    if is_kid and not reach[((pieces[0] | pieces[1]) & lines) % fold] & both:
        state.ran |= BIT[home]  # SE 7.4: only a Kid gets there
    if start == home:  # elsewhere it has moved before
        state.moved |= BIT[home]
    state.plies += 1
    state.moves[seat][start] = None
    standing[start] = NOBODY
    if other == NOBODY:
        standing[end] = home
        pieces[seat] ^= both
        if is_kid:
            state.kids[seat] ^= both
        state.quiet += 1
        state.log = (state.log, action)
    elif _confront(state, seat, action, home, other, start, end):
        return
    occupied = pieces[0] | pieces[1]
    # every piece that sees one of the two cells has other moves now
    seen = reach[(occupied & lines) % fold] | end_reach[(occupied & end_lines) % end_fold] | both
    refresh_moves(state, 1 - seat, occupied, state.stale | seen, both)
    state.stale = seen
    state.changed = both
    begin_turn(state, 1 - seat)


def _confront(state: Position, seat: int, action: int, home: int, other: int, start: int, end: int) -> bool:
    """SE 5: both faces are shown, and one or both pieces leave the game; True if it is won."""
    mover, defender = state.kinds[home], state.kinds[other]
    result = RESULTS[mover][defender]
    state.shown |= BIT[home] | BIT[other]
    state.log = (state.log, (action, mover, defender))
    state.quiet = 0  # SE 6.3: any removal counts, also of the mover alone
    state.take_off(seat, start)
    if result != DEFENDER:
        state.take_off(1 - seat, end)
        if result != BOTH:
            state.put(seat, home, end, mover)
    if result == WIN:
        finish(state, "speakeasy", winner=seat)  # SE 6.1
    return result == WIN


CHOICES = by_number(
    Choice(PLACE, "place", "setup", "a piece to place", placements, _place),
    Choice(MOVE, "move", "play", "a move", all_moves, move),
    over(OVER),
)
TAKE: Final = tuple(choice.take for choice in CHOICES)
