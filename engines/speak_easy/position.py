"""Everything on the table of Speak Easy, and whose choice it is; the rules read and change it."""

from __future__ import annotations

from typing import Any, Final

from engines.api import State
from engines.log import Log
from engines.speak_easy.tables import ALL_CELLS, BIT, CELLS, COUNTS, KID, MOBILE

# The kinds of choice; choices.py has a row for each.
PLACE: Final = 0
MOVE: Final = 1
OVER: Final = 2

# What happened: a quiet move's action, or a confrontation's (action, mover's kind, other's kind).
LoggedMove = int | tuple[int, int, int]
# A log and its moves and confrontations in words, as they were last told.
ToldLog = tuple[Any, list[str], list[str]]

NOBODY: Final = -1


class Position(State):
    """Pieces are known by their home, the cell they were placed on (SE 7.2); sets of cells and homes are bits.

    It is kept so that a move touches only what it changes.
    """

    __slots__ = (
        "changed", "choice", "ending", "first", "kid_view", "kids", "kinds", "legal", "log", "loose", "moved", "moves",
        "pieces", "placed", "plies", "quiet", "ran", "seed", "shown", "stale", "standing", "to_act", "told", "unplaced",
        "winner",
    )  # fmt: skip

    def set_up(self, *, seed: int, first: int) -> None:
        """An empty board (SE 3.1)."""
        self.seed = seed
        self.first = first  # SE 3.1
        self.choice = PLACE
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
        self.log: Log[LoggedMove] = None  # moves; what was placed is known by its home
        self.told: ToldLog = (None, [], [])  # replaced, never changed: shared by copies
        self.legal: list[int] = []  # worked out once a ply, shared by copies
        # what each seat may do, kept up to date cell by cell: cell → moves of its piece there, if there is one
        self.moves: list[list[tuple[int, ...] | None]] = [[None] * len(CELLS), [None] * len(CELLS)]
        self.stale = self.changed = 0  # by the last move: cells whose moves it changed; cells it left or entered
        self.kid_view = [0, 0]  # seat → streets its Kids' runs depend on

    def put(self, seat: int, home: int, cell: int, kind: int) -> None:
        """Stand a piece on a cell."""
        self.kinds[home] = kind
        self.standing[cell] = home
        self.pieces[seat] |= BIT[cell]
        if not MOBILE[kind]:
            self.loose &= ~BIT[cell]
        if kind == KID:
            self.kids[seat] |= BIT[cell]

    def take_off(self, seat: int, cell: int) -> None:
        """Empty the cell of a seat's piece."""
        gone = ~BIT[cell]
        self.standing[cell] = NOBODY
        self.pieces[seat] &= gone
        self.loose |= BIT[cell]
        self.kids[seat] &= gone
        self.moves[seat][cell] = None
