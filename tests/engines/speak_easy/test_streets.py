"""The tables of straight runs, against a walk from cell to cell."""

from __future__ import annotations

from random import Random

import pytest

from engines.speak_easy.streets import FOLDS, LINES, REACH, reach
from engines.speak_easy.tables import BIT, CELLS, STEPS, STREET_LINES, cells_of


def walked(cell: int, occupied: int) -> int:
    """SE 4.3 and SE 4.4, one cell at a time."""
    reached = STEPS[cell]
    for line in STREET_LINES:
        if cell in line:
            at = line.index(cell)
            for way in (line[at + 1 :], line[:at][::-1]):
                for other in way:
                    reached |= BIT[other]
                    if occupied & BIT[other]:
                        break
    return reached


def test_a_run_reaches_what_a_walk_along_the_streets_does() -> None:
    rng = Random(4)
    for cell in CELLS:
        for occupied in (0, *(rng.getrandbits(len(CELLS)) & rng.getrandbits(len(CELLS)) for _ in range(40))):
            assert reach(cell, occupied) == walked(cell, occupied)


@pytest.mark.parametrize("cell", [cell for cell in CELLS if LINES[cell]])
def test_no_two_ways_to_occupy_the_lines_of_a_cell_share_a_place_in_its_table(cell: int) -> None:
    ways = [0]
    for other in cells_of(LINES[cell]):
        ways += [way | BIT[other] for way in ways]
    assert len({way % FOLDS[cell] for way in ways}) == len(ways) == sum(map(bool, REACH[cell]))
