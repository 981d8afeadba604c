"""The printed game, loaded once: cells and lines of the board, pieces, confrontations and limits.

A cell is an int (a1 = 0, b1 = 1, … e12 = 59), a set of cells an int with one bit for each cell,
a kind of piece an int (S = 0, 1 to 8 their value, K = 9, B = 10, F = 11).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from engines.printed import read_table

COLUMNS: Final = "abcde"
ROWS: Final = 12

rows = partial(read_table, "speak_easy")


# SE 1.1: the cells, row by row from South's rear row
CELL_NAMES: Final = tuple(row["cell"] for row in rows("cells"))
CELLS: Final = range(len(CELL_NAMES))
CELL_OF: Final = {name: cell for cell, name in enumerate(CELL_NAMES)}
BIT: Final = tuple(1 << cell for cell in CELLS)
ALL_CELLS: Final = (1 << len(CELL_NAMES)) - 1
GROUND: Final = tuple(row["ground"] for row in rows("cells"))


def mask_of(cells: Iterable[int]) -> int:
    """The set of some cells as bits."""
    mask = 0
    for cell in cells:
        mask |= BIT[cell]
    return mask


def cells_of(mask: int) -> list[int]:
    """The cells of a set, sorted."""
    return [cell for cell in CELLS if mask & BIT[cell]]


STREETS: Final = mask_of(cell for cell in CELLS if GROUND[cell] == "street")
BUILDINGS: Final = mask_of(cell for cell in CELLS if GROUND[cell] == "building")
BARS: Final = mask_of(cell for cell in CELLS if GROUND[cell] == "bar")


def column(cell: int) -> int:
    return COLUMNS.index(CELL_NAMES[cell][0])


def row(cell: int) -> int:
    return int(CELL_NAMES[cell][1:])


GAPS = {frozenset((CELL_OF[gap["a"]], CELL_OF[gap["b"]])) for gap in rows("gaps")}


def is_line(one: int, other: int) -> bool:
    """SE 1.2: orthogonal neighbours except across the gaps, and the diagonals of buildings."""
    across, up = abs(column(one) - column(other)), abs(row(one) - row(other))
    if (across, up) == (1, 1):
        return "building" in (GROUND[one], GROUND[other])
    return across + up == 1 and frozenset((one, other)) not in GAPS


NEIGHBOURS: Final = tuple(tuple(other for other in CELLS if is_line(cell, other)) for cell in CELLS)
STEPS: Final = tuple(mask_of(cells) for cells in NEIGHBOURS)


def between(first: int, last: int) -> tuple[int, ...]:
    """The cells of a straight line from one end to the other."""
    if row(first) == row(last):
        return tuple(range(first, last + 1))
    return tuple(range(first, last + 1, len(COLUMNS)))


# SE 1.3: the only lines along which a piece travels more than one cell
STREET_LINES: Final = tuple(between(CELL_OF[line["first"]], CELL_OF[line["last"]]) for line in rows("streets"))


def side(cell: int) -> int:
    """SE 1.1: the seat that owns the cell's half."""
    return 0 if row(cell) <= ROWS // 2 else 1


def depth(cell: int) -> int:
    """How many rows the cell lies in front of its owner's rear row."""
    return row(cell) - 1 if side(cell) == 0 else ROWS - row(cell)


# SE 3.6: where each seat places, in order: from its rear row to its front row, columns a to e, buildings skipped
PLACES: Final = tuple(
    tuple(
        sorted(
            (cell for cell in CELLS if side(cell) == seat and not BUILDINGS & BIT[cell]),
            key=lambda cell: (depth(cell), column(cell)),
        )
    )
    for seat in (0, 1)
)
HOMES: Final = (*PLACES[0], *PLACES[1])
PIECES_A_SIDE: Final = len(PLACES[0])
TO_PLACE: Final = 2 * PIECES_A_SIDE
REAR: Final = mask_of(cell for cell in CELLS if depth(cell) < 2)  # SE 3.4: the two rearmost rows of each seat
REAR_PLACES: Final = sum(1 for cell in PLACES[0] if REAR & BIT[cell])
BAR_PLACES: Final = tuple(order for order, cell in enumerate(PLACES[0]) if BARS & BIT[cell])

# SE 2: the pieces
PIECES = rows("pieces")
CODES: Final = tuple(piece["code"] for piece in PIECES)
KIND_OF: Final = {code: kind for kind, code in enumerate(CODES)}
KIND_NAMES: Final = tuple(piece["name"] for piece in PIECES)
KINDS: Final = range(len(CODES))
COUNTS: Final = tuple(int(piece["count"]) for piece in PIECES)
VALUES: Final = tuple(int(piece["value"] or 0) for piece in PIECES)
MOBILE: Final = tuple(piece["mobile"] == "yes" for piece in PIECES)
SPEAKEASY: Final = KIND_OF["S"]
KID: Final = KIND_OF["K"]
BABE: Final = KIND_OF["B"]
FBI: Final = KIND_OF["F"]

# SE 5: confrontations, result by mover's kind and the kind that stands there
ATTACKER: Final = "attacker"
DEFENDER: Final = "defender"
BOTH: Final = "both"
WIN: Final = "speakeasy"
SPECIAL = {SPEAKEASY: "speakeasy", KID: "kid", BABE: "babe", FBI: "fbi"}
CONFRONTATIONS = {(line["attacker"], line["defender"]): line["result"] for line in rows("confrontations")}


def result_of(mover: int, other: int) -> str | None:
    """What comes of a confrontation; None for a mover that never moves."""
    if not MOBILE[mover]:
        return None
    relation = SPECIAL.get(other)
    if relation is None:  # SE 5: to a Kid every value counts as higher
        ahead = VALUES[mover] - VALUES[other]
        relation = "lower" if ahead > 0 else "equal" if ahead == 0 else "higher"
    return CONFRONTATIONS[SPECIAL.get(mover, "value"), relation]


RESULTS: Final = tuple(tuple(result_of(mover, other) for other in KINDS) for mover in KINDS)

# SE 6.3: when a game is drawn
LIMITS = {line["limit"]: int(line["plies"]) for line in rows("limits")}
QUIET_LIMIT: Final = LIMITS["quiet"]
PLY_LIMIT: Final = LIMITS["ply_limit"]
