"""A position of Speak Easy, kept so that a move touches only what it changes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from engines.api import IllegalAction, InvalidAction, Observation, Outcome, Snapshot, State
from engines.chance import draw
from engines.speak_easy import actions, observation, placement, refusal, scoring, snapshots
from engines.speak_easy.actions import MOVES_FROM, TRAVEL
from engines.speak_easy.streets import LINES, REACH, kid_run
from engines.speak_easy.tables import (
    ALL_CELLS,
    BIT,
    BOTH,
    BUILDINGS,
    CELLS,
    COUNTS,
    DEFENDER,
    KID,
    MOBILE,
    PIECES_A_SIDE,
    PLACES,
    PLY_LIMIT,
    QUIET_LIMIT,
    RESULTS,
    STREETS,
    TO_PLACE,
    WIN,
)

if TYPE_CHECKING:
    from engines.speak_easy.log import Log

NOBODY = -1
# what the moves from each cell are worked out from
AROUND = tuple(zip(LINES, REACH, MOVES_FROM, strict=True))


class SpeakEasyState(State):
    """Pieces are known by their home, the cell they were placed on (SE 7.2); sets of cells and homes are bits."""

    __slots__ = (
        "changed", "ending", "first", "kid_view", "kids", "kinds", "log", "mobile", "moved", "moves", "pieces",
        "placed", "plies", "quiet", "ran", "seed", "shown", "stale", "standing", "to_act", "unplaced", "winner",
    )  # fmt: skip

    def __init__(self, seed: int, first: int) -> None:
        self.seed = seed
        self.first = first  # SE 3.1
        self.to_act: int | None = 0  # SE 3.6: seat 0 places first
        self.placed = 0
        self.unplaced = [list(COUNTS), list(COUNTS)]  # seat → how many of each kind it has still to place
        self.kinds = [NOBODY] * len(CELLS)  # home → kind of the piece placed there
        self.standing = [NOBODY] * len(CELLS)  # cell → home of the piece that stands there
        self.pieces = [0, 0]  # seat → cells of its pieces
        self.mobile = [0, 0]  # seat → cells of its pieces that can move at all
        self.kids = [0, 0]  # seat → cells of its Kids
        self.moved = self.ran = self.shown = 0  # homes
        self.plies = self.quiet = 0
        self.ending: str | None = None
        self.winner: int | None = None
        self.log: Log = None
        # what each seat may do, kept up to date cell by cell: cell → moves of its piece there
        self.moves: list[list[tuple[int, ...]]] = [[()] * len(CELLS), [()] * len(CELLS)]
        self.stale = self.changed = 0  # by the last move: cells whose moves it changed; cells it left or entered
        self.kid_view = [0, 0]  # seat → streets its Kids' runs depend on

    def legal_actions(self) -> list[int]:
        if self.to_act is None:
            return []
        if self.placed < TO_PLACE:
            return placement.placeable(self.placed % PIECES_A_SIDE, self.unplaced[self.to_act])
        return list(chain.from_iterable(filter(None, self.moves[self.to_act])))

    def format(self, action: int) -> str:
        return actions.format_action(action)

    def parse(self, text: str) -> int:
        return actions.parse_action(text)

    def apply(self, action: int) -> None:
        if type(action) is not int:
            raise InvalidAction(f"{action!r} is no action of speak_easy; actions are ints")
        if self.placed < TO_PLACE:
            self._place(action)
            return
        seat, travel = self.to_act, TRAVEL.get(action)
        if seat is None or travel is None or action not in self.moves[seat][travel[0]]:
            raise IllegalAction(refusal.why_not(self, action))
        self._move(seat, action, *travel)

    def outcome(self) -> Outcome | None:
        return scoring.outcome(self.ending, self.winner)

    def observe(self, seat: int | None) -> Observation:
        return observation.observe(self, seat)

    def snapshot(self) -> Snapshot:
        return snapshots.snapshot(self)

    def copy(self) -> SpeakEasyState:
        twin = SpeakEasyState.__new__(SpeakEasyState)
        twin.seed = self.seed
        twin.first = self.first
        twin.to_act = self.to_act
        twin.placed = self.placed
        south_left, north_left = self.unplaced
        twin.unplaced = [south_left[:], north_left[:]]
        twin.kinds = self.kinds[:]
        twin.standing = self.standing[:]
        twin.pieces = self.pieces[:]
        twin.mobile = self.mobile[:]
        twin.kids = self.kids[:]
        twin.moved = self.moved
        twin.ran = self.ran
        twin.shown = self.shown
        twin.plies = self.plies
        twin.quiet = self.quiet
        twin.ending = self.ending
        twin.winner = self.winner
        twin.log = self.log
        south, north = self.moves
        twin.moves = [south[:], north[:]]
        twin.stale = self.stale
        twin.changed = self.changed
        twin.kid_view = self.kid_view[:]
        return twin

    def _place(self, action: int) -> None:
        if action not in self.legal_actions():
            raise IllegalAction(refusal.why_not(self, action))
        seat, order = divmod(self.placed, PIECES_A_SIDE)
        self.put(seat, PLACES[seat][order], PLACES[seat][order], action)
        self.unplaced[seat][action] -= 1
        self.log = (self.log, action)
        self.placed += 1
        if self.placed < TO_PLACE:
            self.to_act = self.placed // PIECES_A_SIDE
        else:
            self.begin_play(self.first)

    def put(self, seat: int, home: int, cell: int, kind: int) -> None:
        """Stand a piece on a cell."""
        self.kinds[home] = kind
        self.standing[cell] = home
        self.pieces[seat] |= BIT[cell]
        if MOBILE[kind]:
            self.mobile[seat] |= BIT[cell]
        if kind == KID:
            self.kids[seat] |= BIT[cell]

    def _move(self, seat: int, action: int, start: int, end: int) -> None:
        home, other = self.standing[start], self.standing[end]
        both = BIT[start] | BIT[end]
        is_kid = self.kinds[home] == KID
        if is_kid:
            self._note_run(home, start, end)
        self.moved |= BIT[home]
        self.plies += 1
        self.moves[seat][start] = ()
        self.standing[start] = NOBODY
        if other == NOBODY:
            self.standing[end] = home
            self.pieces[seat] ^= both
            self.mobile[seat] ^= both
            if is_kid:
                self.kids[seat] ^= both
            self.quiet += 1
            self.log = (self.log, action)
        else:
            self._confront(seat, action, home, other, start, end)
        if self.ending is None:
            self._note_changes(seat, start, end, both)
            self.begin_turn(1 - seat)

    def _note_run(self, home: int, start: int, end: int) -> None:
        """SE 7.4: remember a move that only a Kid can make."""
        occupied = self.pieces[0] | self.pieces[1]
        if not REACH[start][occupied & LINES[start]] & BIT[end]:
            self.ran |= BIT[home]

    def _confront(self, seat: int, action: int, home: int, other: int, start: int, end: int) -> None:
        """SE 5: both faces are shown, and one or both pieces leave the game."""
        mover, defender = self.kinds[home], self.kinds[other]
        result = RESULTS[mover][defender]
        self.shown |= BIT[home] | BIT[other]
        self.log = (self.log, (action, mover, defender))
        self.quiet = 0  # SE 6.3: any removal counts, also of the mover alone
        self._take_off(seat, start)
        if result == DEFENDER:
            return
        self._take_off(1 - seat, end)
        if result != BOTH:
            self.put(seat, home, end, mover)
        if result == WIN:  # SE 6.1
            self.finish("speakeasy", winner=seat)

    def _take_off(self, seat: int, cell: int) -> None:
        """Empty the cell of a seat's piece."""
        gone = ~BIT[cell]
        self.standing[cell] = NOBODY
        self.pieces[seat] &= gone
        self.mobile[seat] &= gone
        self.kids[seat] &= gone
        self.moves[seat][cell] = ()

    def _note_changes(self, seat: int, start: int, end: int, both: int) -> None:
        """Every piece that sees a cell that was left or entered has other moves at its next turn."""
        occupied = self.pieces[0] | self.pieces[1]
        seen = REACH[start][occupied & LINES[start]] | REACH[end][occupied & LINES[end]] | both
        self._refresh_moves(1 - seat, self.stale | seen, self.changed | both)
        self.stale = seen
        self.changed = both

    def begin_turn(self, seat: int) -> None:
        """Hand the turn to a seat whose moves are up to date, or end the game (SE 6.4)."""
        self.to_act = seat
        if not any(self.moves[seat]):
            self.finish("no_move", winner=1 - seat)  # SE 6.2
        elif self.quiet >= QUIET_LIMIT:
            self.finish("quiet", winner=None)  # SE 6.3
        elif self.plies >= PLY_LIMIT:
            self.finish("ply_limit", winner=None)

    def begin_play(self, seat: int) -> None:
        """Work out everything afresh, then hand the turn to a seat."""
        self.stale = self.changed = ALL_CELLS
        self._refresh_moves(seat, ALL_CELLS, ALL_CELLS)
        self.begin_turn(seat)

    def _refresh_moves(self, seat: int, stale: int, changed: int) -> None:
        """Work out again the moves of the seat's pieces on stale cells, and of its Kids if their streets changed."""
        own, enemy, kids = self.pieces[seat], self.pieces[1 - seat], self.kids[seat]
        occupied = own | enemy
        open_cells = ALL_CELLS & ~(own | enemy & BUILDINGS)  # SE 4.2, SE 4.7
        todo = stale & self.mobile[seat]
        if kids and (self.kid_view[seat] & changed or kids & todo):
            todo |= kids
            self.kid_view[seat] = 0
        moves = self.moves[seat]
        while todo:
            cell = todo.bit_length() - 1
            todo ^= BIT[cell]
            lines, reach, moves_from = AROUND[cell]
            reached = reach[occupied & lines]
            if kids and kids & STREETS & BIT[cell]:
                run = kid_run(cell, occupied)
                self.kid_view[seat] |= run
                reached |= run
            moves[cell] = moves_from[reached & open_cells]

    def finish(self, ending: str, winner: int | None) -> None:
        self.ending = ending
        self.winner = winner
        self.to_act = None


def new_state(seed: int) -> SpeakEasyState:
    return SpeakEasyState(seed, draw(seed, "first", 2))  # SE 3.1
