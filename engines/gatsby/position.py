"""Everything on the table of Gatsby, and where in the turn we are; the rules read and change it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.api import Outcome, State
from engines.gatsby.deal import Deal
from engines.gatsby.tables import ALL_TRACKS, DRAWN_AT_SETUP, NONE
from engines.log import Log

# The kinds of choice; choices.py has a row for each.
KINDS = 21
(
    SETUP_PICK,
    SETUP_CIRCLE,
    ACTION,
    CABARET,
    CABARET_NEXT,
    CABARET_ANY,
    TRACK,
    TRACK_CELL,
    INFLUENCE,
    OFFER,
    X_FIRST,
    X_SECOND,
    X_SWAP,
    EXCHANGE_FIRST,
    EXCHANGE_SECOND,
    SWAP_OWN,
    SWAP_OTHER,
    PICK,
    KEEP,
    FORCE,
    OVER,
) = range(KINDS)


class Position(State):
    """The table in the middle of a game; characters, cells, places, tracks and actions are the numbers of tables.py."""

    __slots__ = (
        "action", "aside", "at", "choice", "claimed", "deal", "drawn", "filled", "first", "floors", "forced", "forcing",
        "full", "known", "last", "left_out", "legal", "log", "marker", "offers", "open", "pile", "ply", "result",
        "rim", "second", "slots", "step", "to_act", "tokens", "tracks", "turn", "used",
    )  # fmt: skip

    deal: Deal
    to_act: int | None
    turn: int  # the seat whose turn it is, or was when the game ended
    choice: int  # the kind of choice that is asked for
    legal: Sequence[int]
    ply: int
    log: Log[int]  # action << 2 | seat << 1 | secret
    result: Outcome | None

    # the table
    tokens: list[int]  # of each seat, a mask of cells
    filled: int  # cells with a token
    rim: int  # empty cabaret cells next to a token
    open: int  # tracks that can take a token
    full: int  # tracks that will be claimed at the end of the turn
    floors: list[int]
    at: tuple[int, ...]  # the character of each place
    claimed: list[int]  # of each seat, a mask of characters
    known: list[int]  # of each seat, a mask of the characters whose place or owner it knows
    slots: tuple[int, int]
    aside: tuple[tuple[int, ...], tuple[int, ...]]
    left_out: tuple[tuple[int, ...], tuple[int, ...]]
    used: tuple[int, ...]
    pile: tuple[int, ...]
    drawn: tuple[int, ...]
    marker: int
    forced: int

    # the turn
    action: int
    step: int
    last: int  # the cabaret cell filled by the latest own step (GA 4.7)
    tracks: int  # the tracks filled by own steps (GA 4.7)
    offers: tuple[int, ...]  # bonuses still to be offered, the next one first (GA 5.1)
    first: int  # what was chosen first for this X, swap or D: a place, a cell or a special
    second: int
    forcing: bool

    def set_up(self, *, deal: Deal, at: tuple[int, ...], specials: tuple[int, ...]) -> None:
        """The table before the first choice: the seat that doesn't start has two specials in hand (GA 3.3)."""
        self.deal = deal
        self.to_act = self.turn = 1 - deal.starter
        self.choice, self.legal = SETUP_PICK, ()
        self.ply, self.log, self.result = 0, None, None
        self.tokens, self.filled, self.rim, self.open, self.full = [0, 0], 0, 0, ALL_TRACKS, 0
        self.floors, self.at, self.claimed, self.known = [0, 0], at, [0, 0], [deal.up, deal.up]
        self.slots, self.aside, self.left_out, self.used = (NONE, NONE), ((), ()), ((), ()), ()
        self.pile, self.drawn = specials[DRAWN_AT_SETUP:], specials[:DRAWN_AT_SETUP]
        self.marker = self.forced = self.action = self.last = self.first = self.second = NONE
        self.step, self.tracks, self.offers, self.forcing = 0, 0, (), False
