"""The tables of a printed game, as its folder data/ has them."""

from __future__ import annotations

import csv
import os

from engines.compiled import SOURCE

PrintedRow = dict[str, str]  # cells by the names of their columns


def read_table(game: str, table: str) -> list[PrintedRow]:
    """All rows of one table of a game."""
    with open(os.path.join(SOURCE, game, "data", f"{table}.csv"), encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
