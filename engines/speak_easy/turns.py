"""How the game goes from one choice to the next: placements, turns, the end (SE 3.6, 6).

Each seat's moves are kept from turn to turn; only those are worked out again that the last two moves can have changed.
"""

from __future__ import annotations

from engines.speak_easy.actions import AROUND, MOVES_FROM
from engines.speak_easy.placement import placements
from engines.speak_easy.position import MOVE, OVER, Position
from engines.speak_easy.streets import kid_run
from engines.speak_easy.tables import (
    ALL_CELLS,
    BIT,
    BUILDINGS,
    PIECES_A_SIDE,
    PLY_LIMIT,
    QUIET_LIMIT,
    STEPS,
    STREETS,
)


def begin_placement(state: Position) -> None:
    """Ask for the next piece (SE 3.6)."""
    state.to_act = state.placed // PIECES_A_SIDE
    state.legal = placements(state)


def begin_play(state: Position, seat: int) -> None:
    """Work out everything afresh, then hand the turn to a seat."""
    state.choice = MOVE
    state.stale = state.changed = ALL_CELLS
    refresh_moves(state, seat, state.pieces[0] | state.pieces[1], ALL_CELLS, ALL_CELLS)
    begin_turn(state, seat)


def refresh_moves(state: Position, seat: int, occupied: int, stale: int, changed: int) -> None:
    """Work out again the moves of the seat's pieces on stale cells, and of its Kids if their streets changed."""
    own, moves = state.pieces[seat], state.moves[seat]
    open_cells = ALL_CELLS ^ (own | occupied & BUILDINGS)  # SE 4.2, SE 4.7
    todo = stale & own & state.loose
    runners = state.kids[seat] & STREETS
    if runners and (state.kid_view[seat] & (state.changed | changed) or runners & todo):
        _refresh_runs(state, seat, occupied, open_cells, runners)
        todo &= ~runners
    while todo:
        cell = todo.bit_length() - 1
        todo ^= BIT[cell]
        lines, fold, reach, moves_from = AROUND[cell]
        moves[cell] = moves_from[reach[(occupied & lines) % fold] & open_cells]


def _refresh_runs(state: Position, seat: int, occupied: int, open_cells: int, runners: int) -> None:
    """Work out the moves of the seat's Kids on streets (SE 4.5)."""
    view = 0
    while runners:
        cell = runners.bit_length() - 1
        runners ^= BIT[cell]
        run = kid_run(cell, occupied)
        view |= run
        state.moves[seat][cell] = MOVES_FROM[cell][(run | STEPS[cell]) & open_cells]
    state.kid_view[seat] = view


def all_moves(state: Position) -> list[int]:
    """The moves of the seat to act, worked out when its turn began."""
    return state.legal


def begin_turn(state: Position, seat: int) -> None:
    """Hand the turn to a seat whose moves are up to date, or end the game (SE 6.4)."""
    state.to_act = seat
    legal: list[int] = []
    for moves in state.moves[seat]:  # from cell to cell, and so sorted
        if moves is not None:
            legal += moves
    state.legal = legal
    if not legal:
        finish(state, "no_move", winner=1 - seat)  # SE 6.2
    elif state.quiet >= QUIET_LIMIT:
        finish(state, "quiet", winner=None)  # SE 6.3
    elif state.plies >= PLY_LIMIT:
        finish(state, "ply_limit", winner=None)


def finish(state: Position, ending: str, winner: int | None) -> None:
    state.choice = OVER
    state.ending = ending
    state.winner = winner
    state.to_act = None
    state.legal = []
