"""Whoever is to blame is blamed, and nobody else: the blame matrix, a sample here and all of it in `make soak`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from arena import Limits
from tests.arena import blame_page
from tests.arena.blame import COLUMNS, ROWS, SMALL, Cell, Runner, play_cell

# Every row and every column once, with the pairs that used to go wrong.
SAMPLE = (
    ("stderr dripper", "quiet core"),
    ("never-stopped thinker", "quiet core"),
    ("quick bot", "ten burners"),
    ("fair threaded thinker", "ten burners"),
    ("sleeper", "ten burners"),
    ("quick bot", "frozen runner"),
    ("fair thinker", "frozen runner"),
    ("sleeper", "frozen runner"),
    ("burner with threads", "frozen runner"),
    ("bot that allocates", "memory pressure"),
    ("fair thinker", "memory pressure"),
    ("burner", "both the same"),
)
QUICK = replace(SMALL, idle_act_ms=1_000)


@pytest.mark.slow
@pytest.mark.parametrize(("row", "column"), SAMPLE)
def test_nobody_but_the_one_to_blame_is_blamed(row: str, column: str, tmp_path: Path) -> None:
    """A match is void only where the kernel itself shows that others had the core."""
    after_s = 0.0 if row == "quick bot" else 0.3
    with closing(Runner(column)) as runner:
        cell = play_cell(tmp_path, row, column, limits=QUICK, freeze_s=1.6, after_s=after_s, runner=runner)
    assert not cell.wrong or "the host was too busy" in cell.record.host.problem, cell.wrong


# As many matches a cell with a bank of 1 s, and with all limits as they are.
COUNTS = [int(word) for word in os.environ.get("RUMRUNNER_BLAME", "20 3").split()]


@pytest.mark.soak
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize(
    ("count", "limits", "freeze_s"),
    [(COUNTS[0], SMALL, 5.0), (COUNTS[1], Limits(), 25.0)],
    ids=["bank 1 s", "full limits"],
)
def test_every_cell_of_the_matrix_has_its_one_right_verdict(
    column: str,
    count: int,
    limits: Limits,
    freeze_s: float,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    """On a machine with nothing else to do; as many cells at once as it has cores."""

    def played(wanted: tuple[int, str]) -> Cell:
        number, row = wanted
        after_s = 0.05 * number  # frozen a little later each time
        with closing(Runner(column)) as runner:
            return play_cell(tmp_path, row, column, limits=limits, freeze_s=freeze_s, after_s=after_s, runner=runner)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        cells = list(pool.map(played, product(range(count), ROWS)))
    for row in ROWS:
        verdicts = Counter(cell.verdict for cell in cells if cell.row == row)
        record_property(row, ", ".join(f"{verdict} {times}" for verdict, times in verdicts.items()))
    blame_page.keep(cells, form="bank 1 s" if limits is SMALL else "full limits")
    blame_page.show_at_home()
    assert [(cell.row, cell.wrong) for cell in cells if cell.wrong] == []
