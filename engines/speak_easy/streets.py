"""How far a piece gets: steps along lines, straight runs along streets, and the Kid's runs with turns.

Where a piece may go depends only on which cells are occupied, so each answer is worked out once and kept.
"""

from __future__ import annotations

from engines.speak_easy.tables import BIT, CELLS, STEPS, STREET_LINES, STREETS, mask_of

# every cell but itself on the street lines through a cell: what its straight runs depend on
LINES = tuple(mask_of({c for line in STREET_LINES if cell in line for c in line} - {cell}) for cell in CELLS)


class LineRuns(dict[int, int]):
    """From one cell along one street line: occupied cells of the line → cells a run can end on, or is stopped by."""

    __slots__ = ("_ways",)

    def __init__(self, cell: int, line: tuple[int, ...]) -> None:
        super().__init__()
        at = line.index(cell)
        self._ways = (line[at + 1 :], line[:at][::-1])

    def __missing__(self, occupied: int) -> int:
        reached = 0
        for way in self._ways:  # SE 4.4: on through empty streets; the first piece met ends the run
            for cell in way:
                reached |= BIT[cell]
                if occupied & BIT[cell]:
                    break
        self[occupied] = reached
        return reached


class Runs(dict[int, int]):
    """From one cell: occupied cells of all its street lines → cells a run or step can end on, or is stopped by."""

    __slots__ = ("_lines", "_steps")

    def __init__(self, cell: int) -> None:
        super().__init__()
        self._steps = STEPS[cell]
        self._lines = [(mask_of(line), LineRuns(cell, line)) for line in STREET_LINES if cell in line]

    def __missing__(self, occupied: int) -> int:
        reached = self._steps
        for line, runs in self._lines:
            reached |= runs[occupied & line]
        self[occupied] = reached
        return reached


REACH = tuple(Runs(cell) for cell in CELLS)  # SE 4.3 and SE 4.4
# SE 4.5: where a run can turn, a cell of two street lines
CORNERS = mask_of(cell for cell in CELLS if sum(cell in line for line in STREET_LINES) > 1)


def kid_run(cell: int, occupied: int) -> int:
    """SE 4.5: the streets a Kid can run to from a street, and the pieces that stop it (itself too, SE 4.1)."""
    reached = REACH[cell][occupied & LINES[cell]]
    corners = CORNERS & ~occupied
    todo = reached & corners
    while todo:
        corner = todo.bit_length() - 1
        corners ^= BIT[corner]
        reached |= REACH[corner][occupied & LINES[corner]]
        todo = reached & corners
    return reached & STREETS  # every line between two streets is a street


def could_travel(start: int, end: int) -> bool:
    """Whether some piece in some position could move from one cell to the other."""
    both_streets = STREETS & BIT[start] and STREETS & BIT[end]
    return start != end and bool(both_streets or STEPS[start] & BIT[end])
