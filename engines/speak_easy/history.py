"""The public course of a game, followed from a log as one seat read it."""

from __future__ import annotations

from engines.api import InvalidObservation
from engines.speak_easy import scoring
from engines.speak_easy.actions import TRAVEL
from engines.speak_easy.log import QUIET_TEXTS, Entry
from engines.speak_easy.streets import LINES, REACH, kid_run
from engines.speak_easy.tables import (
    ATTACKER,
    BABE,
    BAR_PLACES,
    BARS,
    BIT,
    BUILDINGS,
    CELL_NAMES,
    CELLS,
    CODES,
    COUNTS,
    DEFENDER,
    KID,
    KIND_OF,
    MOBILE,
    PIECES_A_SIDE,
    PLACES,
    REAR,
    REAR_PLACES,
    RESULTS,
    SPEAKEASY,
    STREETS,
    TO_PLACE,
    WIN,
)

UNKNOWN = -1
NOBODY = -1
PLACEMENTS = tuple({f"{seat} {code}": kind for kind, code in enumerate(CODES)} for seat in (0, 1))
QUIET_MOVES = tuple({text: action for action, text in texts.items()} for texts in QUIET_TEXTS)


class History:
    """Where every piece went and whose face is known, as far as a log tells."""

    __slots__ = ("first", "happened", "kinds", "moved", "pieces", "quiet", "ran", "shown", "standing", "winner")

    def __init__(self, first: int) -> None:
        self.first = first
        self.kinds = [UNKNOWN] * len(CELLS)  # home → kind
        self.standing = [NOBODY] * len(CELLS)  # cell → home
        self.pieces = [0, 0]  # seat → cells
        self.moved = self.ran = self.shown = 0  # homes
        self.quiet = 0
        self.winner: int | None = None
        self.happened: list[Entry] = []

    @property
    def placed(self) -> int:
        return min(len(self.happened), TO_PLACE)

    @property
    def plies(self) -> int:
        return len(self.happened) - self.placed

    @property
    def next_seat(self) -> int:
        """The seat whose turn it is, or would be if the game went on."""
        return self.placed // PIECES_A_SIDE if self.placed < TO_PLACE else (self.first + self.plies) % 2

    def follow(self, log: list[str], seat: int) -> None:
        """Take in a whole log as that seat read it; raises InvalidObservation."""
        for text in log[:TO_PLACE]:
            self._place(text, is_own=self.placed // PIECES_A_SIDE == seat)
        self._check_own_placement(seat)
        for text in log[TO_PLACE:]:
            self._move(text, self.next_seat)

    def _place(self, text: str, *, is_own: bool) -> None:
        seat, order = divmod(self.placed, PIECES_A_SIDE)
        home = PLACES[seat][order]
        kind = PLACEMENTS[seat].get(text) if is_own else UNKNOWN if text == f"{seat} ?" else None
        if kind is None:
            expected = f"'{seat} ' and a kind" if is_own else f"'{seat} ?'"
            raise self._wrong(text, f"the placement on {CELL_NAMES[home]} reads {expected}")
        self.kinds[home] = kind
        self.standing[home] = home
        self.pieces[seat] |= BIT[home]
        self.happened.append(kind)

    def _check_own_placement(self, seat: int) -> None:
        """SE 3.2 to SE 3.4, also for a placement under way: the rest must still have a place."""
        homes = [home for home in PLACES[seat] if self.kinds[home] != UNKNOWN]
        left = list(COUNTS)
        for home in homes:
            left[self.kinds[home]] -= 1
            if not self._could_be(home, self.kinds[home]):
                raise InvalidObservation(f"the log places {CODES[self.kinds[home]]} on {CELL_NAMES[home]}")
        rear_left = max(0, REAR_PLACES - len(homes)) - left[SPEAKEASY]
        lost_speakeasy = left[SPEAKEASY] and len(homes) > BAR_PLACES[-1]
        if min(left) < 0 or left[BABE] > rear_left or lost_speakeasy:
            raise InvalidObservation(f"seat {seat} can't have placed its pieces as the log says")

    def _could_be(self, home: int, kind: int) -> bool:
        """SE 7.4: whether a piece of that home can be of that kind, as far as it was seen to move."""
        bit = BIT[home]
        if not {SPEAKEASY: BARS, BABE: REAR}.get(kind, bit) & bit:
            return False
        if self.ran & bit:
            return kind == KID
        return MOBILE[kind] or not self.moved & bit

    def _move(self, text: str, seat: int) -> None:
        if self.winner is not None or scoring.drawn_by(self.quiet, self.plies):
            raise self._wrong(text, "the game was over by then")
        action, kinds = self._read(text, seat)
        start, end = TRAVEL[action]
        own, enemy = self.pieces[seat], self.pieces[1 - seat]
        if not own & BIT[start] or own & BIT[end]:
            raise self._wrong(text, f"seat {seat} can't leave {CELL_NAMES[start]} or can't enter {CELL_NAMES[end]}")
        if bool(enemy & BIT[end]) != (kinds is not None) or enemy & BIT[end] & BUILDINGS:
            raise self._wrong(text, f"this is not what stood on {CELL_NAMES[end]}")
        home, other = self.standing[start], self.standing[end]
        self._note_travel(text, home, start, end)
        self._lift(seat, start)
        if kinds is None:
            self.quiet += 1
            self.happened.append(action)
            self._set_down(seat, home, end)
        else:
            self.happened.append((action, *kinds))
            self._confront(text, seat, home, other, end, *kinds)
        if self.kinds[home] != UNKNOWN and not self._could_be(home, self.kinds[home]):
            raise self._wrong(text, f"{CODES[self.kinds[home]]} does not move so")

    def _read(self, text: str, seat: int) -> tuple[int, tuple[int, int] | None]:
        """The action of an entry and the two kinds that met; raises InvalidObservation."""
        action = QUIET_MOVES[seat].get(text)
        if action is not None:
            return action, None
        head, _, kinds = text.rpartition(" ")
        action = QUIET_MOVES[seat].get(head)
        mover, _, defender = kinds.partition("x")
        if action is None or mover not in KIND_OF or defender not in KIND_OF:
            raise self._wrong(text, f"a move of seat {seat} reads '{seat} a6-a7' or '{seat} a6-a7 8x3'")
        return action, (KIND_OF[mover], KIND_OF[defender])

    def _note_travel(self, text: str, home: int, start: int, end: int) -> None:
        occupied = self.pieces[0] | self.pieces[1]
        self.moved |= BIT[home]
        if not REACH[start][occupied & LINES[start]] & BIT[end]:
            if not STREETS & BIT[start] or not kid_run(start, occupied) & BIT[end]:
                raise self._wrong(text, "the way was blocked")
            self.ran |= BIT[home]

    def _confront(self, text: str, seat: int, home: int, other: int, cell: int, mover: int, defender: int) -> None:
        for piece, kind in ((home, mover), (other, defender)):
            if self.kinds[piece] not in (UNKNOWN, kind) or not self._could_be(piece, kind):
                raise self._wrong(text, f"the piece from {CELL_NAMES[piece]} can't be {CODES[kind]}")
            self.kinds[piece] = kind
        self.shown |= BIT[home] | BIT[other]
        self.quiet = 0
        result = RESULTS[mover][defender]
        if result != DEFENDER:
            self._lift(1 - seat, cell)
        if result in (ATTACKER, WIN):
            self._set_down(seat, home, cell)
        if result == WIN:
            self.winner = seat

    def _lift(self, seat: int, cell: int) -> None:
        self.standing[cell] = NOBODY
        self.pieces[seat] ^= BIT[cell]

    def _set_down(self, seat: int, home: int, cell: int) -> None:
        self.standing[cell] = home
        self.pieces[seat] |= BIT[cell]

    def _wrong(self, text: str, reason: str) -> InvalidObservation:
        return InvalidObservation(f"log entry {len(self.happened)} ({text!r:.40}): {reason}")
