"""How far a piece gets: steps along lines, straight runs along streets, and the Kid's runs with turns.

Where a piece may go depends only on which cells are occupied, so each answer is worked out once, when this is loaded,
and stands in a table: ``REACH[cell][(occupied & LINES[cell]) % FOLDS[cell]]``.
"""

from __future__ import annotations

from typing import Final

from engines.speak_easy.tables import BIT, CELL_NAMES, CELLS, STEPS, STREET_LINES, STREETS, mask_of

# Occupied cells of street lines, and the cells a run can end on then, or is stopped by.
Runs = list[tuple[int, int]]

# Where the search for a fold begins: the least that do for the cells where long lines cross.
_FIRST_TRIED = {
    "a2": 7905, "a6": 3649, "a7": 3521, "a11": 7905, "e2": 5643, "e6": 2295, "e7": 2295, "e11": 5643,
}  # fmt: skip


def _rays(cell: int) -> list[tuple[int, ...]]:
    """The ways that lead from a cell along streets, each from its nearest cell to its last."""
    rays: list[tuple[int, ...]] = []
    for line in STREET_LINES:
        if cell in line:
            at = line.index(cell)
            rays += [line[at + 1 :], line[:at][::-1]]
    return [ray for ray in rays if ray]


def _runs_along(ray: tuple[int, ...]) -> Runs:
    """SE 4.4: on through empty streets; the first piece met ends a run. At its last cell it ends anyway."""
    runs: Runs = [(0, BIT[ray[-1]])]
    for cell in ray[-2::-1]:
        here = BIT[cell]
        runs = [(occupied, reached | here) for occupied, reached in runs] + [
            (occupied | here, here) for occupied, _ in runs
        ]
    return runs


def _runs_from(cell: int) -> Runs:
    """SE 4.3 and SE 4.4: a step to every neighbour, and runs along all streets."""
    runs: Runs = [(0, STEPS[cell])]
    for ray in _rays(cell):
        along = _runs_along(ray)
        runs = [(held | more, reached | further) for held, reached in runs for more, further in along]
    return runs


def _folded(runs: Runs, fold: int) -> tuple[int, ...]:
    """What is reached, by the remainder of what is occupied; nothing if two share a remainder."""
    table = [0] * fold
    for occupied, reached in runs:
        if table[occupied % fold]:
            return ()
        table[occupied % fold] = reached
    return tuple(table)


def _reach_of(cell: int) -> tuple[int, ...]:
    runs = _runs_from(cell)
    fold = _FIRST_TRIED.get(CELL_NAMES[cell], 2 * len(runs) - 1)
    while not (table := _folded(runs, fold)):
        fold += 1
    return table


# what a cell's straight runs depend on: the street lines through it, but neither itself nor their last cells
LINES: Final = tuple(mask_of({c for ray in _rays(cell) for c in ray[:-1]}) for cell in CELLS)
REACH: Final = tuple(_reach_of(cell) for cell in CELLS)
# a number for each cell that leaves another remainder for each way in which its lines can be occupied
FOLDS: Final = tuple(len(table) for table in REACH)
SIGHTS: Final = tuple(zip(LINES, FOLDS, REACH, strict=True))
# SE 4.5: where a run can turn, a cell of two street lines
CORNERS: Final = mask_of(cell for cell in CELLS if sum(cell in line for line in STREET_LINES) > 1)


def reach(cell: int, occupied: int) -> int:
    """The cells a step or a straight run can end on, or is stopped by."""
    return REACH[cell][(occupied & LINES[cell]) % FOLDS[cell]]


def kid_run(cell: int, occupied: int) -> int:
    """SE 4.5: the streets a Kid can run to from a street, and the pieces that stop it (itself too, SE 4.1)."""
    reached, todo = 0, BIT[cell]
    corners = CORNERS & ~occupied | todo
    while todo:
        corner = todo.bit_length() - 1
        corners ^= BIT[corner]
        lines, fold, table = SIGHTS[corner]
        reached |= table[(occupied & lines) % fold]
        todo = reached & corners
    return reached & STREETS  # every line between two streets is a street


def could_travel(start: int, end: int) -> bool:
    """Whether some piece in some position could move from one cell to the other."""
    both_streets = STREETS & BIT[start] and STREETS & BIT[end]
    return start != end and bool(both_streets or STEPS[start] & BIT[end])
