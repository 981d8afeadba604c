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
    ATTACKER,
    BIT,
    BUILDINGS,
    CELLS,
    COUNTS,
    DEFENDER,
    KID,
    MOBILE,
    PIECES_A_SIDE,
    PLACES,
    RESULTS,
    STREETS,
    TO_PLACE,
    WIN,
)

if TYPE_CHECKING:
    from engines.speak_easy.log import Log

NOBODY = -1


class SpeakEasyState(State):
    """Pieces are known by their home, the cell they were placed on (SE 7.2); sets of cells and homes are bits."""

    __slots__ = (
        "changed", "ending", "first", "kid_view", "kids", "kinds", "log", "mobile", "moved", "moves", "pieces",
        "placed", "plies", "quiet", "ran", "seed", "shown", "stale", "standing", "to_act", "winner",
    )  # fmt: skip

    def __init__(self, seed: int, first: int) -> None:
        self.seed = seed
        self.first = first  # SE 3.1
        self.to_act: int | None = 0  # SE 3.6: seat 0 places first
        self.placed = 0
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
        self.stale = [ALL_CELLS, ALL_CELLS]  # seat → cells whose moves must be worked out before its next turn
        self.changed = [ALL_CELLS, ALL_CELLS]  # seat → cells entered or left since its last turn
        self.kid_view = [0, 0]  # seat → streets its Kids' runs depend on

    def legal_actions(self) -> list[int]:
        if self.to_act is None:
            return []
        if self.placed < TO_PLACE:
            return placement.placeable(self.placed % PIECES_A_SIDE, self.unplaced(self.to_act))
        return list(chain.from_iterable(self.moves[self.to_act]))

    def format(self, action: int) -> str:
        return actions.format_action(action)

    def parse(self, text: str) -> int:
        return actions.parse_action(text)

    def apply(self, action: int) -> None:
        if type(action) is not int:
            raise InvalidAction(f"{action!r} is no action of speak_easy; actions are ints")
        if self.placed < TO_PLACE:
            self._place(action)
        else:
            self._move(action)

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
        twin.stale = self.stale[:]
        twin.changed = self.changed[:]
        twin.kid_view = self.kid_view[:]
        return twin

    def unplaced(self, seat: int) -> list[int]:
        """How many of each kind the seat has still to place."""
        left = list(COUNTS)
        for home in PLACES[seat]:
            if self.kinds[home] == NOBODY:
                break
            left[self.kinds[home]] -= 1
        return left

    def _place(self, action: int) -> None:
        if action not in self.legal_actions():
            raise IllegalAction(refusal.why_not(self, action))
        seat, order = divmod(self.placed, PIECES_A_SIDE)
        self.put(seat, PLACES[seat][order], PLACES[seat][order], action)
        self.log = (self.log, action)
        self.placed += 1
        if self.placed == TO_PLACE:
            self.begin_turn(self.first)
        else:
            self.to_act = self.placed // PIECES_A_SIDE

    def put(self, seat: int, home: int, cell: int, kind: int) -> None:
        """Stand a piece on a cell."""
        self.kinds[home] = kind
        self.standing[cell] = home
        self.pieces[seat] |= BIT[cell]
        if MOBILE[kind]:
            self.mobile[seat] |= BIT[cell]
        if kind == KID:
            self.kids[seat] |= BIT[cell]

    def _move(self, action: int) -> None:
        seat = self.to_act
        travel = TRAVEL.get(action)
        if seat is None or travel is None or action not in self.moves[seat][travel[0]]:
            raise IllegalAction(refusal.why_not(self, action))
        start, end = travel
        home, other = self.standing[start], self.standing[end]
        if self.kinds[home] == KID:
            self._note_run(home, start, end)
        self.moved |= BIT[home]
        self._lift(seat, start)
        self.plies += 1
        if other == NOBODY:
            self.quiet += 1
            self.log = (self.log, action)
            self._set_down(seat, home, end)
        else:
            self._confront(seat, home, other, action, end)
        self._mark_stale(seat, start, end)
        if self.ending is None:
            self.begin_turn(1 - seat)

    def _note_run(self, home: int, start: int, end: int) -> None:
        """SE 7.4: remember a move that only a Kid can make."""
        occupied = self.pieces[0] | self.pieces[1]
        if not REACH[start][occupied & LINES[start]] & BIT[end]:
            self.ran |= BIT[home]

    def _lift(self, seat: int, cell: int) -> None:
        """Take a piece off its cell."""
        gone = ~BIT[cell]
        self.standing[cell] = NOBODY
        self.pieces[seat] &= gone
        self.mobile[seat] &= gone
        self.kids[seat] &= gone
        self.moves[seat][cell] = ()

    def _set_down(self, seat: int, home: int, cell: int) -> None:
        """Stand a piece that just moved on its new cell."""
        here = BIT[cell]
        self.standing[cell] = home
        self.pieces[seat] |= here
        self.mobile[seat] |= here
        if self.kinds[home] == KID:
            self.kids[seat] |= here

    def _confront(self, seat: int, home: int, other: int, action: int, cell: int) -> None:
        """SE 5: both faces are shown, and one or both pieces leave the game."""
        mover, defender = self.kinds[home], self.kinds[other]
        result = RESULTS[mover][defender]
        self.shown |= BIT[home] | BIT[other]
        self.log = (self.log, (action, mover, defender))
        self.quiet = 0  # SE 6.3: any removal counts, also of the mover alone
        if result is DEFENDER:
            return
        self._lift(1 - seat, cell)
        if result is ATTACKER:
            self._set_down(seat, home, cell)
        elif result is WIN:  # SE 6.1
            self._set_down(seat, home, cell)
            self.finish("speakeasy", winner=seat)

    def _mark_stale(self, seat: int, start: int, end: int) -> None:
        """Every piece that sees one of the two cells has other moves now."""
        occupied = self.pieces[0] | self.pieces[1]
        here = BIT[start] | BIT[end]
        seen = REACH[start][occupied & LINES[start]] | REACH[end][occupied & LINES[end]] | here
        self.stale[seat] = seen
        self.stale[1 - seat] |= seen
        self.changed[seat] = here
        self.changed[1 - seat] |= here

    def begin_turn(self, seat: int) -> None:
        """Hand the turn to a seat, or end the game (SE 6.4)."""
        self.to_act = seat
        self._refresh_moves(seat)
        if not any(self.moves[seat]):
            self.finish("no_move", winner=1 - seat)
        else:
            drawn = scoring.drawn_by(self.quiet, self.plies)
            if drawn is not None:
                self.finish(drawn, winner=None)

    def finish(self, ending: str, winner: int | None) -> None:
        self.ending = ending
        self.winner = winner
        self.to_act = None

    def _refresh_moves(self, seat: int) -> None:
        """Work out again what the seat's pieces may do, for those whose surroundings changed since its last turn."""
        own, enemy, kids = self.pieces[seat], self.pieces[1 - seat], self.kids[seat]
        occupied = own | enemy
        open_cells = ALL_CELLS & ~own & ~(enemy & BUILDINGS)  # SE 4.2, SE 4.7
        todo = self.stale[seat] & self.mobile[seat]
        if kids and (self.kid_view[seat] & self.changed[seat] or kids & todo):
            todo |= kids
            self.kid_view[seat] = 0
        moves = self.moves[seat]
        while todo:
            lowest = todo & -todo
            todo ^= lowest
            cell = lowest.bit_length() - 1
            reached = REACH[cell][occupied & LINES[cell]]
            if lowest & kids & STREETS:
                run = kid_run(cell, occupied)
                self.kid_view[seat] |= run
                reached |= run
            moves[cell] = MOVES_FROM[cell][reached & open_cells]
        self.stale[seat] = self.changed[seat] = 0


def new_state(seed: int) -> SpeakEasyState:
    return SpeakEasyState(seed, draw(seed, "first", 2))  # SE 3.1
