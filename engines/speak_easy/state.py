"""A position of Speak Easy, kept so that a move touches only what it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.api import IllegalAction, InvalidAction, Observation, Outcome, Snapshot, State
from engines.chance import draw
from engines.speak_easy import actions, observation, placement, refusal, scoring, snapshots
from engines.speak_easy.actions import MOVES_FROM, TRAVEL
from engines.speak_easy.streets import LINES, REACH, Runs, kid_run
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
    STEPS,
    STREETS,
    TO_PLACE,
    WIN,
)

if TYPE_CHECKING:
    from engines.speak_easy.log import Log

NOBODY = -1
# from, to, the two as a set, and what a piece on either of them sees: street lines, and their occupation → cells
Way = tuple[int, int, int, int, Runs, int, Runs]
WAYS: dict[int, Way] = {
    action: (start, end, BIT[start] | BIT[end], LINES[start], REACH[start], LINES[end], REACH[end])
    for action, (start, end) in TRAVEL.items()
}
# what the moves from each cell are worked out from
AROUND = tuple(zip(LINES, REACH, MOVES_FROM, strict=True))


class SpeakEasyState(State):
    """Pieces are known by their home, the cell they were placed on (SE 7.2); sets of cells and homes are bits."""

    __slots__ = (
        "changed", "ending", "first", "kid_view", "kids", "kinds", "legal", "log", "loose", "moved", "moves", "pieces",
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
        self.loose = ALL_CELLS  # cells without a Babe or a Speakeasy on them
        self.kids = [0, 0]  # seat → cells of its Kids
        self.moved = self.ran = self.shown = 0  # homes
        self.plies = self.quiet = 0
        self.ending: str | None = None
        self.winner: int | None = None
        self.log: Log = None
        self.legal: list[int] = placement.placeable(0, COUNTS)  # worked out once a ply, shared by copies
        # what each seat may do, kept up to date cell by cell: cell → moves of its piece there
        self.moves: list[list[tuple[int, ...]]] = [[()] * len(CELLS), [()] * len(CELLS)]
        self.stale = self.changed = 0  # by the last move: cells whose moves it changed; cells it left or entered
        self.kid_view = [0, 0]  # seat → streets its Kids' runs depend on

    def legal_actions(self) -> list[int]:
        return self.legal[:]

    def format(self, action: int) -> str:
        return actions.format_action(action)

    def parse(self, text: str) -> int:
        return actions.parse_action(text)

    def apply(self, action: int) -> None:
        if type(action) is not int:
            raise InvalidAction(f"{action!r} is no action of speak_easy; actions are ints")
        seat, travel = self.to_act, WAYS.get(action)
        if self.placed < TO_PLACE:
            self._place(action)
        elif seat is None or travel is None or action not in self.moves[seat][travel[0]]:
            raise IllegalAction(refusal.why_not(self, action))
        else:
            self._move(seat, action, travel)

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
        twin.loose = self.loose
        twin.kids = self.kids[:]
        twin.moved = self.moved
        twin.ran = self.ran
        twin.shown = self.shown
        twin.plies = self.plies
        twin.quiet = self.quiet
        twin.ending = self.ending
        twin.winner = self.winner
        twin.log = self.log
        twin.legal = self.legal
        south, north = self.moves
        twin.moves = [south[:], north[:]]
        twin.stale = self.stale
        twin.changed = self.changed
        twin.kid_view = self.kid_view[:]
        return twin

    def _place(self, action: int) -> None:
        if action not in self.legal:
            raise IllegalAction(refusal.why_not(self, action))
        seat, order = divmod(self.placed, PIECES_A_SIDE)
        self.put(seat, PLACES[seat][order], PLACES[seat][order], action)
        self.unplaced[seat][action] -= 1
        self.log = (self.log, action)
        self.placed += 1
        if self.placed < TO_PLACE:
            self.begin_placement()
        else:
            self.begin_play(self.first)

    def begin_placement(self) -> None:
        """Ask for the next piece (SE 3.6)."""
        seat, order = divmod(self.placed, PIECES_A_SIDE)
        self.to_act = seat
        self.legal = placement.placeable(order, self.unplaced[seat])

    def put(self, seat: int, home: int, cell: int, kind: int) -> None:
        """Stand a piece on a cell."""
        self.kinds[home] = kind
        self.standing[cell] = home
        self.pieces[seat] |= BIT[cell]
        if not MOBILE[kind]:
            self.loose &= ~BIT[cell]
        if kind == KID:
            self.kids[seat] |= BIT[cell]

    def _move(self, seat: int, action: int, way: Way) -> None:
        """Move a piece, work out what the other seat may do now, and hand it the turn; all in one place for speed."""
        start, end, both, lines, reach, end_lines, end_reach = way
        standing, pieces = self.standing, self.pieces
        home, other = standing[start], standing[end]
        is_kid = self.kinds[home] == KID
        if is_kid and not reach[(pieces[0] | pieces[1]) & lines] & both:
            self.ran |= BIT[home]  # SE 7.4: only a Kid gets there
        if start == home:  # elsewhere it has moved before
            self.moved |= BIT[home]
        self.plies += 1
        self.moves[seat][start] = ()
        standing[start] = NOBODY
        if other == NOBODY:
            standing[end] = home
            pieces[seat] ^= both
            if is_kid:
                self.kids[seat] ^= both
            self.quiet += 1
            self.log = (self.log, action)
        elif self._confront(seat, action, home, other, start, end):
            return
        occupied = pieces[0] | pieces[1]
        # every piece that sees one of the two cells has other moves now
        seen = reach[occupied & lines] | end_reach[occupied & end_lines] | both
        self._refresh_moves(1 - seat, occupied, self.stale | seen, both)
        self.stale = seen
        self.changed = both
        self._begin_turn(1 - seat)

    def _confront(self, seat: int, action: int, home: int, other: int, start: int, end: int) -> bool:
        """SE 5: both faces are shown, and one or both pieces leave the game; True if it is won."""
        mover, defender = self.kinds[home], self.kinds[other]
        result = RESULTS[mover][defender]
        self.shown |= BIT[home] | BIT[other]
        self.log = (self.log, (action, mover, defender))
        self.quiet = 0  # SE 6.3: any removal counts, also of the mover alone
        self._take_off(seat, start)
        if result != DEFENDER:
            self._take_off(1 - seat, end)
            if result != BOTH:
                self.put(seat, home, end, mover)
        if result == WIN:
            self.finish("speakeasy", winner=seat)  # SE 6.1
        return result == WIN

    def _take_off(self, seat: int, cell: int) -> None:
        """Empty the cell of a seat's piece."""
        gone = ~BIT[cell]
        self.standing[cell] = NOBODY
        self.pieces[seat] &= gone
        self.loose |= BIT[cell]
        self.kids[seat] &= gone
        self.moves[seat][cell] = ()

    def begin_play(self, seat: int) -> None:
        """Work out everything afresh, then hand the turn to a seat."""
        self.stale = self.changed = ALL_CELLS
        self._refresh_moves(seat, self.pieces[0] | self.pieces[1], ALL_CELLS, ALL_CELLS)
        self._begin_turn(seat)

    def _refresh_moves(self, seat: int, occupied: int, stale: int, changed: int) -> None:
        """Work out again the moves of the seat's pieces on stale cells, and of its Kids if their streets changed."""
        own, moves = self.pieces[seat], self.moves[seat]
        open_cells = ALL_CELLS ^ (own | occupied & BUILDINGS)  # SE 4.2, SE 4.7
        todo = stale & own & self.loose
        if self.kids[seat]:
            runners = self.kids[seat] & STREETS
            if self.kid_view[seat] & (self.changed | changed) or runners & todo:
                self._refresh_runs(seat, occupied, open_cells, runners)
                todo &= ~runners
        while todo:
            cell = todo.bit_length() - 1
            todo ^= BIT[cell]
            lines, reach, moves_from = AROUND[cell]
            moves[cell] = moves_from[reach[occupied & lines] & open_cells]

    def _refresh_runs(self, seat: int, occupied: int, open_cells: int, runners: int) -> None:
        """Work out the moves of the seat's Kids on streets (SE 4.5)."""
        view = 0
        while runners:
            cell = runners.bit_length() - 1
            runners ^= BIT[cell]
            run = kid_run(cell, occupied)
            view |= run
            self.moves[seat][cell] = MOVES_FROM[cell][(run | STEPS[cell]) & open_cells]
        self.kid_view[seat] = view

    def _begin_turn(self, seat: int) -> None:
        """Hand the turn to a seat whose moves are up to date, or end the game (SE 6.4)."""
        self.to_act = seat
        legal: list[int] = []
        for moves in filter(None, self.moves[seat]):
            legal += moves
        self.legal = legal
        if not legal:
            self.finish("no_move", winner=1 - seat)  # SE 6.2
        elif self.quiet >= QUIET_LIMIT:
            self.finish("quiet", winner=None)  # SE 6.3
        elif self.plies >= PLY_LIMIT:
            self.finish("ply_limit", winner=None)

    def finish(self, ending: str, winner: int | None) -> None:
        self.ending = ending
        self.winner = winner
        self.to_act = None
        self.legal = []


def new_state(seed: int) -> SpeakEasyState:
    return SpeakEasyState(seed, draw(seed, "first", 2))  # SE 3.1
