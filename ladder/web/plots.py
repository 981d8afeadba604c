"""Geometry of the pages' drawings, in per cent of their width: rating plots with storeys, sparklines, small charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, zip_longest
from math import ceil, floor
from typing import Generic, Protocol, TypeVar

from arena.intervals import Z95

STEPS = ((6, 1), (14, 2), (30, 5))  # how wide a scale may be to have a tick at every so many points
WIDEST_STEP = 10
NO_RANK = "–"
FARTHEST_BELOW = 20  # what lies farther below the middle is drawn as an arrow, so that the scale serves the many


class Rated(Protocol):
    """Something with a rating and its 95 % interval."""

    @property
    def rating(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


class Ranked(Rated, Protocol):
    """A line of a leaderboard; one without a rank is provisional."""

    @property
    def rank(self) -> int | None: ...
    @property
    def storey(self) -> int | None: ...


T = TypeVar("T", bound=Ranked)


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
        share = 100 * (value - self.low) / (self.high - self.low)
        return 0.0 if share <= 0 else 100.0 if share > 100 else share

    def x(self, value: float) -> str:
        return f"{self.at(value):.2f}%"

    def ticks(self, every: int = 0) -> list[Tick]:
        """Round numbers inside the scale, not too many, and none so near its ends that the label would stick out."""
        every = every or next((step for width, step in STEPS if self.high - self.low <= width), WIDEST_STEP)
        first, last = ceil(self.low / every) * every, floor(self.high / every) * every
        return [Tick(self.x(v), str(v)) for v in range(first, last + 1, every) if 2 < self.at(v) < 98]


def scale_for(rated: Sequence[Rated], *, points: Sequence[float] = ()) -> Scale:
    """A scale that holds every interval and these points too, but for outliers far below."""
    if not rated:
        return Scale(0, 50)
    middle = sorted(one.rating for one in rated)[len(rated) // 2]
    low = max(min([*(one.low for one in rated), *points]), middle - FARTHEST_BELOW)
    high = max([*(one.high for one in rated), *points])
    pad = max(0.04 * (high - low), 0.5)
    return Scale(low - pad, high + pad)


@dataclass(slots=True)  # not frozen: fifty are made for a page, and that would be half of what they cost
class Bar:
    """One row of a rating plot: interval, point, and the step line of its storey if storeys are drawn."""

    low: str
    high: str
    rating: str
    is_provisional: bool
    is_beyond: bool  # the point lies below the plot
    leaves_low: bool  # the interval goes on beyond the plot's edge
    leaves_high: bool
    step: str | None = None
    step_width: str | None = None
    step_from: str | None = None  # where the line of the storey above stands, on the first row of a storey


@dataclass(slots=True)
class PlotRow(Generic[T]):
    """What a row is about, with its bar; the first of a storey tells its rank for so many rows."""

    of: T
    bar: Bar
    rank: str
    span: int


@dataclass(frozen=True, slots=True)
class Storey(Generic[T]):
    """Rows that can't be told apart from their first, or that are provisional."""

    rank: str
    rows: tuple[PlotRow[T], ...]
    is_provisional: bool = False


def storeys(rows: Sequence[T], *, scale: Scale, are_drawn: bool) -> list[Storey[T]]:
    """Group rows under the step line, which stands left of every point of its storey; provisional rows have none."""
    if not are_drawn:
        return [_storey([row], scale) for row in rows]
    groups = [list(group) for _, group in groupby(rows, key=_group)]
    found: list[Storey[T]] = []
    above: float | None = None
    for group, below in zip_longest(groups, groups[1:]):
        line = _line(group, below)
        found.append(_storey(group, scale, step=line, above=above))
        above = line
    return found


def _group(row: Ranked) -> tuple[bool, int | None]:
    return row.rank is None, None if row.rank is None else row.storey


def _line(group: Sequence[Ranked], below: Sequence[Ranked] | None) -> float | None:
    """Half way from the last point of a storey to the first of the next; under the last one below its intervals."""
    if group[0].rank is None:
        return None
    if not below or below[0].rank is None:
        return min(row.low for row in group)
    return (group[-1].rating + below[0].rating) / 2


def _storey(group: Sequence[T], scale: Scale, *, step: float | None = None, above: float | None = None) -> Storey[T]:
    rank = _rank_range([row.rank for row in group])
    bars = [_bar(row, scale, step=step, above=None if at else above) for at, row in enumerate(group)]
    spans = [len(group), *[0] * (len(group) - 1)]
    rows = [PlotRow(row, bar, rank, span) for row, bar, span in zip(group, bars, spans, strict=True)]
    return Storey(rank, tuple(rows), is_provisional=group[0].rank is None)


def _rank_range(ranks: Sequence[int | None]) -> str:
    given = [rank for rank in ranks if rank is not None]
    if not given:
        return NO_RANK
    return str(given[0]) if len(given) == 1 else f"{given[0]}–{given[-1]}"


def _bar(row: Ranked, scale: Scale, *, step: float | None = None, above: float | None = None) -> Bar:
    return bar_of(row, scale, is_provisional=row.rank is None, step=step, above=above)


def bar_of(
    row: Rated, scale: Scale, *, is_provisional: bool, step: float | None = None, above: float | None = None
) -> Bar:
    """The bar of one row, with the step line at these ratings if there is one."""
    return Bar(
        low=scale.x(row.low),
        high=scale.x(row.high),
        rating=scale.x(row.rating),
        is_provisional=is_provisional,
        is_beyond=row.rating < scale.low,
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
    spread, foot, rise = max(high - low, 0.01), height - 3, height - 6
    columns = _columns(len(values), width)
    return " ".join([f"{x},{foot - (y - low) / spread * rise:.0f}" for x, y in zip(columns, values, strict=True)])


@lru_cache(maxsize=64)
def _columns(count: int, width: int) -> list[str]:
    """Where the points of a line stand from left to right."""
    step = (width - 7) / (count - 1)
    return [f"{2 + number * step:.0f}" for number in range(count)]


@dataclass(frozen=True, slots=True)
class ResultBar:
    """Widths of won, drawn and lost in a bar of 112 units."""

    won: str
    drawn_at: str
    drawn: str
    lost_at: str
    lost: str


def shares(wins: int, draws: int, losses: int) -> ResultBar | None:
    """The bar of results; None when nothing was played."""
    total = wins + draws + losses
    if not total:
        return None
    won, drawn = 110.5 * wins / total, 110.5 * draws / total
    lost = max(0.0, 110.5 - won - drawn - 1)
    return ResultBar(
        f"{won:.1f}", f"{won + 0.5:.1f}", f"{max(drawn - 0.5, 0):.1f}", f"{won + drawn + 0.5:.1f}", f"{lost:.1f}"
    )


@dataclass(frozen=True, slots=True)
class TurnPath:
    """The columns of one seat in the chart of time, as one path: a match has hundreds of them."""

    seat: int
    d: str


AXIS, REACH = (50, 54), 45  # columns stand above the one or hang below the other, and are at most so tall


def turn_paths(times: Iterable[tuple[int, float]], *, limit_ms: float) -> list[TurnPath]:
    """A column for each turn, one unit apart and in 104 units of height: the first seat above, the others below."""
    turns = list(times)
    most = max([limit_ms, *(ms for _, ms in turns)], default=1.0) or 1.0
    drawn: dict[int, list[str]] = {}
    for index, (seat, ms) in enumerate(turns):
        tall = max(0.8, REACH * ms / most)
        column = (
            f"M{index} {AXIS[0]}v{-tall:.1f}h.8V{AXIS[0]}"
            if seat == 0
            else f"M{index} {AXIS[1]}v{tall:.1f}h.8V{AXIS[1]}"
        )
        drawn.setdefault(seat, []).append(column)
    return [TurnPath(seat, "".join(columns)) for seat, columns in sorted(drawn.items())]


class RatedSeat(Protocol):
    """A rating before and after a match."""

    mu_before: float
    sigma_before: float
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class BeforeAndAfter:
    """Before and after on one scale."""

    before_low: str
    before_high: str
    before: str
    low: str
    high: str
    after: str
    ticks: list[Tick]


def moved(seat: RatedSeat, scale: Scale) -> BeforeAndAfter:
    """Where the two bars and points of a change stand."""
    every = 2 if scale.high - scale.low < 14 else 5
    return BeforeAndAfter(
        before_low=scale.x(seat.mu_before - Z95 * seat.sigma_before),
        before_high=scale.x(seat.mu_before + Z95 * seat.sigma_before),
        before=scale.x(seat.mu_before),
        low=scale.x(seat.mu - Z95 * seat.sigma),
        high=scale.x(seat.mu + Z95 * seat.sigma),
        after=scale.x(seat.mu),
        ticks=scale.ticks(every),
    )
