"""A tournament's results as its page draws them: standings with intervals, the heat map, rounds and brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.intervals import wilson
from ladder.tournaments.models import SheetRow, Table, Tournament
from ladder.tournaments.queries import CrossCell, Crosstable, RoundView, entrants_of, rounds_of, sheet_of
from ladder.tournaments.schedule import format_of, points_of
from ladder.web.plots import percent
from ladder.web.templatetags.look import points

HEATS = 7
MOST_ROWS = 200
FEWEST_TABLES = 4  # tables drawn anew from fewer always come out the same, and luck would seem to have no part


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of the standings with its score and interval in per cent; nobody has a score before a match."""

    row: SheetRow
    share: float | None
    low: str
    high: str
    mu: str
    label: str


def standing_rows(tournament: Tournament) -> list[StandingRow]:
    """The standings, best first; none before something has come out."""
    win = points_of(tournament)[0]
    bye = win * tournament.matches_a_table if format_of(tournament).byes_win else 0.0
    rows = list(sheet_of(tournament).defer("cells")[:MOST_ROWS])
    has_come_out = any(row.matches or row.voids for row in rows)
    return [_standing(row, win, row.points - bye * row.byes) for row in rows] if has_come_out else []


def _standing(row: SheetRow, win: float, played_for: float) -> StandingRow:
    if not row.matches:
        return StandingRow(row, None, "", "", "", "no match played")
    share = played_for / (win * row.matches)
    low, high = _luck_of(row, min(share, 1.0))
    label = f"{100 * share:.0f} %, interval {100 * low:.0f} to {100 * high:.0f}"
    return StandingRow(row, 100 * share, percent(100 * low), percent(100 * high), percent(min(100, 100 * share)), label)


def _luck_of(row: SheetRow, share: float) -> tuple[float, float]:
    """What luck allows of the share; older draws did not look at sets."""
    if row.share_low is None or row.share_high is None:
        return wilson(share, row.matches)
    return row.share_low, row.share_high


def how_sure(tournament: Tournament, rows: Sequence[StandingRow]) -> str:
    """How sure the winner is, as a sentence; nothing for a knockout, older draws, and a winner of hardly any tables."""
    if not rows or rows[0].row.p_first is None or rows[0].row.matches < FEWEST_TABLES * tournament.matches_a_table:
        return ""
    name, chance = rows[0].row.entrant.bot.name, round(100 * rows[0].row.p_first)
    often = "more than 99" if chance > 99 else "fewer than one" if chance < 1 else f"about {chance}"
    return f"With the same bots and different deals, {name} would come first in {often} of 100 such tournaments."


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One cell of the crosstable: its heat, its points, and whether all of its matches are played."""

    kind: str  # self, none, or played
    heat: int = 0
    points: float = 0.0
    matches: int = 0
    is_part: bool = False
    other: str = ""
    pair: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One line of the crosstable."""

    row: SheetRow
    number: int
    cells: tuple[HeatCell, ...]


def heat_rows(tournament: Tournament, cross: Crosstable) -> list[HeatRow]:
    """The crosstable as a heat map; a pair that met less often than the others is marked."""
    most = max((cell.matches for line in cross.rows for cell in line.cells if cell), default=0)
    full = most if format_of(tournament).all_meet else 0
    rows = []
    for place, line in enumerate(cross.rows, start=1):
        pairs = zip(cross.columns, line.cells, strict=True)
        rows.append(HeatRow(line.row, place, tuple(_heat(line.row, column, cell, full) for column, cell in pairs)))
    return rows


def _heat(row: SheetRow, column: SheetRow, cell: CrossCell | None, most: int) -> HeatCell:
    other = column.entrant.bot.name
    if row.entrant_id == column.entrant_id:
        return HeatCell("self")
    if cell is None or not cell.matches:
        return HeatCell("none", other=other)
    pair = (row.entrant.number or 0, column.entrant.number or 0)
    heat = min(HEATS - 1, max(0, round(cell.share / cell.matches * (HEATS - 1))))
    return HeatCell("played", heat, cell.share, cell.matches, cell.matches < most, other, pair)


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One entrant of an encounter and what it won."""

    name: str
    wins: str
    is_through: bool


@dataclass(frozen=True, slots=True)
class BracketTable:
    """An encounter of a round."""

    sides: tuple[BracketSide, ...]
    is_settled: bool


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round with its tables and who sat out."""

    number: int
    tables: tuple[BracketTable, ...]
    byes: tuple[str, ...]


def brackets(tournament: Tournament) -> list[BracketRound]:
    """The rounds drawn so far, of formats that have rounds."""
    if not format_of(tournament).has_rounds:
        return []
    names = {one.number: one.bot.name for one in entrants_of(tournament)}
    views = rounds_of(tournament)
    through = _through(tournament, views) if format_of(tournament).sends_home else [None] * len(views)
    return [
        BracketRound(
            number=view.number + 1,
            tables=tuple(_met(tables, names, went_on) for tables in _by_company(view.tables)),
            byes=tuple(names[number] for number in view.byes),
        )
        for view, went_on in zip(views, through, strict=True)
    ]


def _through(tournament: Tournament, views: Sequence[RoundView]) -> list[set[int | None]]:
    """Who went on from each round of a knockout: whoever is in the next one, and from the last the winner alone."""
    present: list[set[int | None]] = [
        {number for table in view.tables for number in table.entrants} | set(view.byes) for view in views
    ]
    winner = sheet_of(tournament).first() if tournament.status == Tournament.Status.FINISHED else None
    last: set[int | None] = {winner.entrant.number} if winner else set()
    return [*present, last][1:]


def _by_company(tables: Sequence[Table]) -> list[list[Table]]:
    """Tables of one round at which the same entrants sat: the games of one encounter."""
    found: dict[frozenset[int], list[Table]] = {}
    for table in tables:
        found.setdefault(frozenset(table.entrants), []).append(table)
    return list(found.values())


def _met(tables: list[Table], names: dict[int | None, str], went_on: set[int | None] | None) -> BracketTable:
    """One encounter: what each won over all of its games; first places that are shared count in parts.

    Marked is who went on, or, where nobody is sent home, who won most.
    """
    seated = tables[0].entrants
    won: dict[int, float] = dict.fromkeys(seated, 0.0)
    for match in (match for table in tables for match in table.results):
        firsts = [line[0] for line in match if line[1] == 1]
        for number in firsts:
            won[number] += 1 / len(firsts)
    is_settled = all(table.is_settled for table in tables)
    best = max(won.values(), default=0.0)
    marked = {n for n in seated if won[n] == best > 0} if went_on is None else went_on
    sides = tuple(BracketSide(names[n], _won(won[n]), is_settled and n in marked) for n in seated)
    return BracketTable(sides, is_settled)


def _won(share: float) -> str:
    """First places as players write them; at larger tables they are shared by more than two."""
    return points(share) if (2 * share).is_integer() else f"{share:.1f}"
