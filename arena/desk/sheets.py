"""Tables for a terminal of 80 columns: only the names of bots give way, and they are folded, never cut."""

from __future__ import annotations

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from arena.desk.tally import EntrantResult


def plural(count: int, noun: str) -> str:
    """`1 match`, `2 matches`."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{count} {noun}{ending * (count != 1)}"


def result_sheet(lines: Sequence[EntrantResult], title: str) -> Table:
    """How each bot fared in a series."""
    table = sheet(title, ("bot",), ("matches", "score %", "95 % interval", "first", "faults", "cpu ms/act"))
    for line in lines:
        numbers = (str(line.firsts), str(line.faults), f"{line.cpu_ms_per_act:.2f}")
        table.add_row(escape(line.name), str(line.games), f"{100 * line.score:.1f}", _range(line), *numbers)
    return table


def crosstable(lines: Sequence[EntrantResult], duels: Sequence[Sequence[float | None]], title: str) -> Table:
    """A field in the order of its scores, each against each, in percent."""
    order = sorted(range(len(lines)), key=lambda place: -lines[place].score)
    table = sheet(title, ("bot",), ("#", "score", "95 %", *(str(rank + 1) for rank in range(len(order)))))
    for rank, one in enumerate(order):
        cells = ["·" if one == other else _percent(duels[one][other]) for other in order]
        line = lines[one]
        table.add_row(escape(line.name), str(rank + 1), f"{100 * line.score:.1f}", _range(line), *cells)
    return table


def sheet(title: str, names: Sequence[str], numbers: Sequence[str]) -> Table:
    """An empty table: columns of names, which fold, before columns of numbers, which never give way."""
    table = Table(title=escape(title), title_justify="left", box=None, padding=(0, 1), header_style="bold")
    for head in names:
        table.add_column(head, overflow="fold", min_width=8)
    for head in numbers:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _range(line: EntrantResult) -> str:
    return f"{100 * line.low:.0f}–{100 * line.high:.0f}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"
