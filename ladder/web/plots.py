"""Geometry of the pages' drawings, in per cent of their width: rating plots with storeys, sparklines, small charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil, floor
from typing import Generic, Protocol, TypeVar

TICK = 5
NO_RANK = "–"
Z = 1.96  # standard deviations to either end of a 95 % interval
FARTHEST_BELOW = 20  # what lies farther below the middle is drawn as an arrow, so that the scale serves the many


class Rated(Protocol):
    """Something with a rating and its 95 % interval."""

    @property
    def mu(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


T = TypeVar("T", bound=Rated)


def percent(value: float) -> str:
    return f"{value:.2f}%"


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on a scale."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From ratings to per cent of the plot's width."""

    low: float
    high: float

    def at(self, value: float) -> float:
        return min(100.0, max(0.0, 100 * (value - self.low) / (self.high - self.low)))

    def x(self, value: float) -> str:
        return percent(self.at(value))

    def ticks(self, every: int = TICK) -> list[Tick]:
        """Round numbers inside the scale, none so near its ends that the label would stick out."""
        first, last = ceil(self.low / every) * every, floor(self.high / every) * every
        return [Tick(self.x(v), str(v)) for v in range(first, last + 1, every) if 2 < self.at(v) < 98]


def scale_for(rated: Sequence[Rated], *, points: Sequence[float] = ()) -> Scale:
    """A scale that holds every interval and these points too, but for outliers far below."""
    if not rated:
        return Scale(0, 50)
    middle = sorted(one.mu for one in rated)[len(rated) // 2]
    low = max(min([*(one.low for one in rated), *points]), middle - FARTHEST_BELOW)
    high = max([*(one.high for one in rated), *points])
    pad = max(0.04 * (high - low), 0.5)
    return Scale(low - pad, high + pad)


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a rating plot: interval, point, and the step line of its storey if storeys are drawn."""

    low: str
    high: str
    mu: str
    is_provisional: bool
    is_beyond: bool  # the point lies below the plot
    leaves_low: bool  # the interval goes on beyond the plot's edge
    leaves_high: bool
    step: str | None = None
    step_width: str | None = None
    step_from: str | None = None  # where the line of the storey above stands, on the first row of a storey


@dataclass(frozen=True, slots=True)
class PlotRow(Generic[T]):
    """What a row is about, with its bar; the first of those that have a rank in common tells it for so many rows."""

    of: T
    bar: Bar
    rank: str
    span: int


@dataclass(frozen=True, slots=True)
class Storey(Generic[T]):
    """Rows that can't be told apart from their first."""

    rank: str
    rows: tuple[PlotRow[T], ...]


def storeys(rows: Sequence[T], *, scale: Scale, ranks: Sequence[int | None], are_drawn: bool) -> list[Storey[T]]:
    """Group rows under the step line: every bar that reaches the low end of its storey's first is in the storey.

    A row without a rank is provisional and never leads one: its wide bar would swallow the table.
    """
    provisional = [rank is None for rank in ranks]
    if not are_drawn:
        bars = [_bar(row, scale, is_provisional=p) for row, p in zip(rows, provisional, strict=True)]
        alone = [PlotRow(*each, 1) for each in zip(rows, bars, [_rank_range([rank]) for rank in ranks], strict=True)]
        return [Storey(row.rank, (row,)) for row in alone]
    found: list[Storey[T]] = []
    above: float | None = None
    for group in _groups(rows, provisional):
        line = _line(rows, group, provisional)
        rank = _rank_range([ranks[i] for i in group])
        drawn = []
        for i, span in zip(group, _spans([provisional[i] for i in group]), strict=True):
            start = above if i == group[0] else None
            bar = _bar(rows[i], scale, is_provisional=provisional[i], step=line, above=start)
            drawn.append(PlotRow(rows[i], bar, NO_RANK if provisional[i] else rank, span))
        found.append(Storey(rank, tuple(drawn)))
        above = line
    return found


def _spans(provisional: Sequence[bool]) -> list[int]:
    """For the first of each run of ranked or of provisional rows how long the run is, and 0 for the others."""
    runs = [len(list(run)) for _, run in groupby(provisional)]
    return [span for length in runs for span in (length, *[0] * (length - 1))]


def _groups(rows: Sequence[Rated], provisional: Sequence[bool]) -> list[list[int]]:
    groups: list[list[int]] = []
    line: float | None = None
    for index, row in enumerate(rows):
        starts = not groups or (not provisional[index] and line is not None and row.high < line)
        if starts:
            groups.append([])
            line = None
        groups[-1].append(index)
        if line is None and not provisional[index]:
            line = row.low
    return groups


def _line(rows: Sequence[Rated], group: list[int], provisional: Sequence[bool]) -> float | None:
    """The low end of the first ranked row of a storey; None where all are provisional."""
    return next((rows[i].low for i in group if not provisional[i]), None)


def _rank_range(ranks: Sequence[int | None]) -> str:
    given = [rank for rank in ranks if rank is not None]
    if not given:
        return NO_RANK
    return str(given[0]) if len(given) == 1 else f"{given[0]}–{given[-1]}"


def _bar(
    row: Rated, scale: Scale, *, is_provisional: bool, step: float | None = None, above: float | None = None
) -> Bar:
    return Bar(
        low=scale.x(row.low),
        high=scale.x(row.high),
        mu=scale.x(row.mu),
        is_provisional=is_provisional,
        is_beyond=row.mu < scale.low,
        leaves_low=row.low < scale.low,
        leaves_high=row.high > scale.high,
        step=None if step is None else scale.x(step),
        step_width=None if step is None else percent(100 - scale.at(step)),
        step_from=None if above is None or step is None else scale.x(above),
    )


def spark(values: Sequence[float], width: int = 88, height: int = 24) -> str:
    """Points of a polyline with no axis; a flat line when nothing changed."""
    if len(values) < 2:
        return ""
    low, high = min(values), max(values)
    spread = max(high - low, 0.01)
    step = (width - 7) / (len(values) - 1)
    places = [(2 + i * step, height - 3 - (value - low) / spread * (height - 6)) for i, value in enumerate(values)]
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in places)


@dataclass(frozen=True, slots=True)
class Share:
    """Widths of won, drawn and lost in a bar of 112 units."""

    won: str
    drawn_at: str
    drawn: str
    lost_at: str
    lost: str


def shares(wins: int, draws: int, losses: int) -> Share | None:
    """The bar of results; None when nothing was played."""
    total = wins + draws + losses
    if not total:
        return None
    won, drawn = 110.5 * wins / total, 110.5 * draws / total
    lost = max(0.0, 110.5 - won - drawn - 1)
    return Share(
        f"{won:.1f}", f"{won + 0.5:.1f}", f"{max(drawn - 0.5, 0):.1f}", f"{won + drawn + 0.5:.1f}", f"{lost:.1f}"
    )


@dataclass(frozen=True, slots=True)
class Column:
    """One turn in the chart of time: how tall, and on which side of the axis."""

    x: str
    width: str
    y: str
    height: str
    seat: int


def turn_columns(times: Iterable[tuple[int, float]], *, limit_ms: float) -> list[Column]:
    """A column for each turn in 104 units of height, the first seat above the axis and the others below."""
    turns = list(times)
    most = max([limit_ms, *(ms for _, ms in turns)], default=1.0) or 1.0
    step = 100 / max(len(turns), 1)
    columns = []
    for index, (seat, ms) in enumerate(turns):
        tall = max(0.8, 45 * ms / most)
        y = 50 - tall if seat == 0 else 54
        columns.append(Column(percent(index * step), percent(max(step * 0.8, 0.05)), f"{y:.1f}", f"{tall:.1f}", seat))
    return columns


class Change(Protocol):
    """A rating before and after a match."""

    mu_before: float
    sigma_before: float
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Moved:
    """Before and after on one scale."""

    before_low: str
    before_high: str
    before: str
    low: str
    high: str
    after: str
    ticks: list[Tick]


def moved(change: Change, scale: Scale) -> Moved:
    """Where the two bars and points of a change stand."""
    every = 2 if scale.high - scale.low < 14 else 5
    return Moved(
        before_low=scale.x(change.mu_before - Z * change.sigma_before),
        before_high=scale.x(change.mu_before + Z * change.sigma_before),
        before=scale.x(change.mu_before),
        low=scale.x(change.mu - Z * change.sigma),
        high=scale.x(change.mu + Z * change.sigma),
        after=scale.x(change.mu),
        ticks=scale.ticks(every),
    )
