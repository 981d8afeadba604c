"""The public course of a game, followed from a log as one seat read it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.log import Log
from engines.reading import Unreadable, short
from engines.speak_easy.actions import TEXTS, TRAVEL
from engines.speak_easy.position import NOBODY, LoggedMove, ToldLog
from engines.speak_easy.streets import kid_run, reach
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
    QUIET_LIMIT,
    REAR,
    REAR_PLACES,
    RESULTS,
    SPEAKEASY,
    STREETS,
    TO_PLACE,
    WIN,
)

UNKNOWN = -1
PLACEMENTS = tuple({f"{seat} {code}": kind for kind, code in enumerate(CODES)} for seat in (0, 1))
QUIET_MOVES = tuple({f"{seat} {TEXTS[action]}": action for action in TRAVEL} for seat in (0, 1))


class History:
    """Where every piece went and whose face is known, as far as a log tells."""

    __slots__ = (
        "first", "kinds", "log", "moved", "pieces", "placed", "plies", "quiet", "ran", "shown", "standing", "told",
        "winner",
    )  # fmt: skip

    def __init__(self, first: int) -> None:
        self.first = first
        self.kinds = [UNKNOWN] * len(CELLS)  # home → kind
        self.standing = [NOBODY] * len(CELLS)  # cell → home
        self.pieces = [0, 0]  # seat → cells
        self.moved = self.ran = self.shown = 0  # homes
        self.quiet = 0
        self.winner: int | None = None
        self.placed = self.plies = 0
        self.log: Log[LoggedMove] = None
        self.told: ToldLog = (None, [], [])

    def copy(self) -> History:
        twin = History(self.first)
        twin.kinds, twin.standing, twin.pieces = self.kinds[:], self.standing[:], self.pieces[:]
        twin.moved, twin.ran, twin.shown = self.moved, self.ran, self.shown
        twin.quiet, twin.winner, twin.placed, twin.plies = self.quiet, self.winner, self.placed, self.plies
        twin.log, twin.told = self.log, self.told
        return twin

    @property
    def next_seat(self) -> int:
        """The seat whose move it is, or would be if the game went on."""
        return (self.first + self.plies) % 2

    def follow(self, log: Sequence[str], seat: int) -> None:
        """Take in a whole log as that seat read it; raises Unreadable."""
        for order, text in enumerate(log[:TO_PLACE]):
            self._place(text, *divmod(order, PIECES_A_SIDE), observer=seat)
        self._check_own_placement(seat)
        mover = self.first
        for text in log[TO_PLACE:]:
            if self.quiet >= QUIET_LIMIT or self.winner is not None:
                raise self._wrong(text, "the game was over by then")
            action = QUIET_MOVES[mover].get(text)
            if action is None:
                self._confront(text, mover)
            else:
                self._move(text, mover, action)
            mover = 1 - mover
        self._check_kinds()

    def _place(self, text: str, seat: int, order: int, *, observer: int) -> None:
        home = PLACES[seat][order]
        is_own = seat == observer
        kind = PLACEMENTS[seat].get(text) if is_own else UNKNOWN if text == f"{seat} ?" else None
        if kind is None:
            expected = f"'{seat} ' and a kind" if is_own else f"'{seat} ?'"
            raise self._wrong(text, f"the placement on {CELL_NAMES[home]} reads {expected}")
        self.kinds[home] = kind
        self.standing[home] = home
        self.pieces[seat] |= BIT[home]
        self.placed += 1

    def _check_own_placement(self, seat: int) -> None:
        """SE 3.2 to SE 3.4, also for a placement under way: the rest must still have a place."""
        homes = [home for home in PLACES[seat] if self.kinds[home] != UNKNOWN]
        left = list(COUNTS)
        for home in homes:
            left[self.kinds[home]] -= 1
            if not self._could_be(home, self.kinds[home]):
                raise Unreadable(f"{CODES[self.kinds[home]]} can't have been placed on {CELL_NAMES[home]}", "log")
        rear_left = max(0, REAR_PLACES - len(homes)) - left[SPEAKEASY]
        lost_speakeasy = left[SPEAKEASY] and len(homes) > BAR_PLACES[-1]
        if min(left) < 0 or left[BABE] > rear_left or lost_speakeasy:
            raise Unreadable(f"seat {seat} can't have placed its pieces so", "log")

    def _could_be(self, home: int, kind: int) -> bool:
        """SE 7.4: whether a piece of that home can be of that kind, as far as it was seen to move."""
        bit = BIT[home]
        if not {SPEAKEASY: BARS, BABE: REAR}.get(kind, bit) & bit:
            return False
        if self.ran & bit:
            return kind == KID
        return MOBILE[kind] or not self.moved & bit

    def _check_kinds(self) -> None:
        """Every known piece must have moved as its kind may."""
        for home, kind in enumerate(self.kinds):
            if kind != UNKNOWN and not self._could_be(home, kind):
                raise Unreadable(f"the piece from {CELL_NAMES[home]} did what {CODES[kind]} can't", "log")

    def _move(self, text: str, seat: int, action: int) -> None:
        start, end = TRAVEL[action]
        own = self.pieces[seat]
        occupied = own | self.pieces[1 - seat]
        if not own & BIT[start] or occupied & BIT[end]:
            raise self._wrong(
                text, f"{CELL_NAMES[start]} holds no piece of seat {seat}, or {CELL_NAMES[end]} holds one"
            )
        home = self.standing[start]
        if not reach(start, occupied) & BIT[end]:
            self._note_run(text, home, start, end, occupied)
        self.moved |= BIT[home]
        self.standing[start] = NOBODY
        self.standing[end] = home
        self.pieces[seat] = own ^ (BIT[start] | BIT[end])
        self.quiet += 1
        self._note(action)

    def _note_run(self, text: str, home: int, start: int, end: int, occupied: int) -> None:
        """Only a Kid can have gone there, if anyone can."""
        if not STREETS & BIT[start] or not kid_run(start, occupied) & BIT[end]:
            raise self._wrong(text, "the way was blocked")
        self.ran |= BIT[home]

    def _confront(self, text: str, seat: int) -> None:
        action, mover, defender = self._read(text, seat)
        start, end = TRAVEL[action]
        own, enemy = self.pieces[seat], self.pieces[1 - seat]
        if not own & BIT[start] or not enemy & BIT[end] & ~BUILDINGS:
            raise self._wrong(text, f"no such pieces met on {CELL_NAMES[end]}")
        home, other = self.standing[start], self.standing[end]
        if not reach(start, own | enemy) & BIT[end]:
            self._note_run(text, home, start, end, own | enemy)
        self.moved |= BIT[home]
        self._show(text, home, mover)
        self._show(text, other, defender)
        self.quiet = 0
        self._note((action, mover, defender))
        self._resolve(seat, home, start, end, str(RESULTS[mover][defender]))

    def _read(self, text: str, seat: int) -> tuple[int, int, int]:
        """The action of an entry and the two kinds that met; raises Unreadable."""
        head, _, kinds = text.rpartition(" ")
        action = QUIET_MOVES[seat].get(head)
        mover, _, defender = kinds.partition("x")
        if action is None or mover not in KIND_OF or defender not in KIND_OF:
            raise self._wrong(text, f"a move of seat {seat} reads '{seat} a6-a7' or '{seat} a6-a7 8x3'")
        return action, KIND_OF[mover], KIND_OF[defender]

    def _show(self, text: str, home: int, kind: int) -> None:
        if self.kinds[home] not in (UNKNOWN, kind) or not self._could_be(home, kind):
            raise self._wrong(text, f"the piece from {CELL_NAMES[home]} can't be {CODES[kind]}")
        self.kinds[home] = kind
        self.shown |= BIT[home]

    def _note(self, entry: LoggedMove) -> None:
        self.log = (self.log, entry)
        self.plies += 1

    def _resolve(self, seat: int, home: int, start: int, end: int, result: str) -> None:
        self.standing[start] = NOBODY
        self.pieces[seat] ^= BIT[start]
        if result != DEFENDER:
            self.standing[end] = NOBODY
            self.pieces[1 - seat] ^= BIT[end]
        if result in (ATTACKER, WIN):
            self.standing[end] = home
            self.pieces[seat] |= BIT[end]
        if result == WIN:
            self.winner = seat

    def _wrong(self, text: str, reason: str) -> Unreadable:
        return Unreadable(f"{short(text)}: {reason}", "log", self.placed + self.plies)
