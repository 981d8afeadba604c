"""Speak Easy once more, as plainly as it can be written and without regard to speed, to check the engine against.

Cells are their names, pieces stand in a list, an action is the text that names it, and nothing is kept that can be
worked out again.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

COLUMNS = "abcde"
HALF = [  # SE 1.1: from a rear row to a front row
    "ABABA",
    "SSSSS",
    "SHAHS",
    "SAHAS",
    "SHAHS",
    "SSSSS",
]
MAP = HALF + HALF[::-1]
GROUND = {f"{column}{row}": MAP[row - 1][i] for row in range(1, 13) for i, column in enumerate(COLUMNS)}
STREET_LINES = [  # SE 1.3
    *([f"{column}{row}" for column in COLUMNS] for row in (2, 6, 7, 11)),
    *([f"{column}{row}" for row in range(2, 12)] for column in "ae"),
    ["c6", "c7"],
]
SEGMENTS = [pair for line in STREET_LINES for pair in pairwise(line)]
PIECES = {"8": 1, "7": 1, "6": 2, "5": 2, "4": 2, "3": 2, "2": 3, "1": 3, "K": 3, "B": 3, "F": 2, "S": 1}  # SE 2
REAR_TO_FRONT = [range(1, 7), range(12, 6, -1)]
PLACES = [[f"{c}{r}" for r in rows for c in COLUMNS if GROUND[f"{c}{r}"] != "H"] for rows in REAR_TO_FRONT]  # SE 3.6
REAR = [{f"{c}{r}" for r in rows[:2] for c in COLUMNS} for rows in REAR_TO_FRONT]  # SE 3.4


def is_line(one: str, other: str) -> bool:
    """SE 1.2"""
    across, up = abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:]))
    if {one, other} in ({"b6", "b7"}, {"d6", "d7"}):
        return False
    return across + up == 1 or (across == up == 1 and "H" in (GROUND[one], GROUND[other]))


NEAR = {cell: {other for other in GROUND if is_line(cell, other)} for cell in GROUND}
STREETS_NEAR = {cell: {street for pair in SEGMENTS if cell in pair for street in pair} - {cell} for cell in GROUND}


def result_of(mover: str, other: str) -> str:
    """SE 5: who stands after a piece has entered the cell of an enemy."""
    if other == "S":
        return "speakeasy"
    if "F" in (mover, other):
        return "both"
    if other == "B":
        return "attacker" if mover == "K" else "both"
    strength, resistance = (0 if kind == "K" else int(kind) for kind in (mover, other))
    return "attacker" if strength > resistance else "defender" if strength < resistance else "both"


@dataclass
class Piece:
    """A piece and what was ever seen of it; seat and home are its name (SE 7.2)."""

    seat: int
    home: str
    kind: str
    cell: str | None
    moved: bool = False
    ran: bool = False
    shown: bool = False


def plain_ends(cell: str, board: dict[str, Piece]) -> set[str]:
    """Where any piece gets, or is stopped: a step (SE 4.3) or a run along one street line (SE 4.4)."""
    ends = set(NEAR[cell])
    for line in STREET_LINES:
        if cell in line:
            at = line.index(cell)
            for way in (line[at + 1 :], line[:at][::-1]):
                for other in way:
                    ends.add(other)
                    if other in board:
                        break
    return ends


def kid_ends(cell: str, board: dict[str, Piece]) -> set[str]:
    """SE 4.5: every street that a chain of segments over empty streets leads to, but the first (SE 4.1)."""
    ends: set[str] = set()
    todo = [cell]
    while todo:
        for other in STREETS_NEAR[todo.pop()] - ends - {cell}:
            ends.add(other)
            if other not in board:
                todo.append(other)
    return ends


class Reference:
    """A whole game that is told its actions one after the other."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.pieces: list[Piece] = []
        self.log: list[str] = []
        self.confrontations: list[str] = []
        self.quiet = 0
        self.ending: str | None = None
        self.winner: int | None = None

    @property
    def moves(self) -> int:
        return max(0, len(self.log) - 50)

    @property
    def seat(self) -> int | None:
        """The seat to act."""
        if self.ending:
            return None
        return len(self.pieces) // 25 if len(self.pieces) < 50 else (self.first + self.moves) % 2

    @property
    def phase(self) -> str:
        return "over" if self.ending else "setup" if len(self.pieces) < 50 else "play"

    def legal(self) -> set[str]:
        if self.seat is None:
            return set()
        return self.placements(self.seat) if self.phase == "setup" else self.moves_of(self.seat)

    def take(self, text: str) -> None:
        if self.phase == "setup":
            self.place(text)
        else:
            self.move(*text.split("-"))

    # SE 3: setup

    def unplaced(self, seat: int) -> dict[str, int]:
        placed = [piece.kind for piece in self.pieces if piece.seat == seat]
        left = {kind: count - placed.count(kind) for kind, count in PIECES.items()}
        return {kind: count for kind, count in left.items() if count}

    def next_cell(self) -> str:
        return PLACES[len(self.pieces) // 25][len(self.pieces) % 25]

    def placements(self, seat: int) -> set[str]:
        """SE 3.6: the kinds after which the rest can still be placed."""
        cell, left = self.next_cell(), self.unplaced(seat)
        later = PLACES[seat][PLACES[seat].index(cell) + 1 :]
        found = set()
        for kind in left:
            if kind == "S" and GROUND[cell] != "B":  # SE 3.3
                continue
            if kind == "B" and cell not in REAR[seat]:  # SE 3.4
                continue
            dens = left.get("S", 0) - (kind == "S")
            babes = left.get("B", 0) - (kind == "B")
            bars = [place for place in later if GROUND[place] == "B"]
            rear = [place for place in later if place in REAR[seat]]
            if dens <= len(bars) and dens + babes <= len(rear):
                found.add(kind)
        return found

    def place(self, kind: str) -> None:
        seat, cell = len(self.pieces) // 25, self.next_cell()
        self.pieces.append(Piece(seat, cell, kind, cell))
        self.log.append(f"{seat} {kind}")

    # SE 4: movement

    def board(self) -> dict[str, Piece]:
        return {piece.cell: piece for piece in self.pieces if piece.cell}

    def moves_of(self, seat: int) -> set[str]:
        found = set()
        board = self.board()
        for cell, piece in board.items():
            if piece.seat != seat or piece.kind in "BS":  # SE 4.9
                continue
            ends = plain_ends(cell, board) | (kid_ends(cell, board) if piece.kind == "K" else set())
            for end in ends:
                other = board.get(end)
                if other is None or (other.seat != seat and GROUND[end] != "H"):  # SE 4.2, SE 4.7
                    found.add(f"{cell}-{end}")
        return found

    def move(self, start: str, end: str) -> None:
        board = self.board()
        mover, other = board[start], board.get(end)
        seat, ply, entry = mover.seat, len(self.log), f"{start}-{end}"
        mover.moved = True
        mover.ran = mover.ran or end not in plain_ends(start, board)  # SE 7.4
        result = "" if other is None else result_of(mover.kind, other.kind)
        mover.cell = None if result in ("defender", "both") else end
        self.quiet += 1
        if other is not None:  # SE 5
            mover.shown = other.shown = True
            other.cell = end if result == "defender" else None
            self.quiet = 0
            entry += f" {mover.kind}x{other.kind}"
            self.confrontations.append(f"{ply} {entry} {result}")
        self.log.append(f"{seat} {entry}")
        self.look_for_the_end(seat, result)

    # SE 6: end

    def look_for_the_end(self, seat: int, result: str) -> None:
        """SE 6.4: in this order."""
        if result == "speakeasy":
            self.ending, self.winner = "speakeasy", seat
        elif not self.moves_of(1 - seat):
            self.ending, self.winner = "no_move", seat
        elif self.quiet == 100:
            self.ending = "quiet"
        elif self.moves == 1000:
            self.ending = "ply_limit"

    def outcome(self) -> dict[str, Any] | None:
        if self.ending is None:
            return None
        ranks = [1 if self.winner in (seat, None) else 2 for seat in (0, 1)]
        scores = [0.5, 0.5] if self.winner is None else [2.0 - rank for rank in ranks]
        return {"ranks": ranks, "scores": scores, "ending": self.ending}

    # SE 7: what a seat sees

    def view(self, seat: int | None) -> dict[str, Any]:
        """The observation of a seat; None sees everything."""
        return {
            "game": "speak_easy",
            "rules_version": 1,
            "seat": seat,
            "seats": 2,
            "options": {},
            "phase": self.phase,
            "pending": {"place": self.next_cell()} if self.phase == "setup" else None,
            "to_act": self.seat,
            "ply": len(self.log),
            "outcome": self.outcome(),
            "log": [self.entry_seen(ply, seat) for ply in range(len(self.log))],
            "first": self.first,
            "moves": self.moves,
            "quiet": self.quiet,
            "unplaced": [self.unplaced(owner) if seat in (owner, None) else None for owner in (0, 1)],
            "pieces": [self.piece_seen(piece, seat) for piece in self.pieces],
            "confrontations": self.confrontations,
        }

    def entry_seen(self, ply: int, seat: int | None) -> str:
        """SE 7.3: placements of the enemy are hidden."""
        is_hidden = ply < 50 and seat not in (ply // 25, None)
        return f"{ply // 25} ?" if is_hidden else self.log[ply]

    def piece_seen(self, piece: Piece, seat: int | None) -> dict[str, Any]:
        """SE 7.1"""
        is_known = piece.shown or seat in (piece.seat, None)
        return {**vars(piece), "kind": piece.kind if is_known else None}
