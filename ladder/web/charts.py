"""Geometry of small charts with two axes, in per cent of their width and height."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ladder.web.plots import Scale, Tick, percent

SPANS = (20, 50, 100, 200, 400, 800)  # sets that the chart of a duel has room for


@dataclass(frozen=True, slots=True)
class Level:
    """A labelled height."""

    y: str
    label: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Dot:
    """A point, with the interval above and below it where it has one."""

    x: str
    y: str
    low: str = ""
    high: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Axes:
    """From values to places in a chart; upwards is more."""

    across: Scale
    up: Scale

    def x(self, value: float) -> str:
        return self.across.x(value)

    def y(self, value: float) -> str:
        return percent(100 - self.up.at(value))

    def line(self, points: Iterable[tuple[float, float]]) -> str:
        """The points of a polyline in a square of 100 units that is stretched to the chart."""
        return " ".join(f"{self.across.at(x):.2f},{100 - self.up.at(y):.2f}" for x, y in points)

    def level(self, value: float, label: str, name: str = "") -> Level:
        return Level(self.y(value), label, name)

    def dot(self, x: float, y: float, *, low: float | None = None, high: float | None = None, told: str = "") -> Dot:
        ends = ("", "") if low is None or high is None else (self.y(low), self.y(high))
        return Dot(self.x(x), self.y(y), *ends, told)


@dataclass(frozen=True, slots=True)
class RatioChart:
    """The way of a log likelihood ratio between its two bounds."""

    line: str
    end: Dot | None
    levels: tuple[Level, ...]
    ticks: tuple[Tick, ...]


def ratio_chart(path: Sequence[tuple[int, float]], *, bound: float) -> RatioChart:
    """Sets from left to right, the ratio upwards; the bounds are always in sight."""
    last = path[-1][0] if path else 0
    span = next((each for each in SPANS if each >= last), last)
    tall = max([bound * 1.25, *(abs(ratio) * 1.05 for _, ratio in path)])
    axes = Axes(Scale(0, span), Scale(-tall, tall))
    levels = (
        axes.level(bound, f"better at {bound:+.2f}", "bound"),
        axes.level(0, "0", "middle"),
        axes.level(-bound, f"not better at −{bound:.2f}", "bound"),
    )
    every = span // 5 if span % 4 else max(span // 4, 1)
    ticks = tuple(Tick(axes.x(value), str(value)) for value in range(every, span, every))
    points: list[tuple[float, float]] = [(0, 0.0), *path]
    return RatioChart(axes.line(points), axes.dot(*points[-1]), levels, ticks)


@dataclass(frozen=True, slots=True)
class DotChart:
    """Points with intervals between two axes."""

    dots: tuple[Dot, ...]
    levels: tuple[Level, ...]
    ticks: tuple[Tick, ...]


class Binned(Protocol):
    """A prediction and what came of it."""

    @property
    def expected(self) -> float: ...
    @property
    def observed(self) -> float: ...
    @property
    def observed_low(self) -> float: ...
    @property
    def observed_high(self) -> float: ...


def calibration_chart(bins: Sequence[Binned]) -> DotChart:
    """Predicted shares from left to right, observed ones upwards: a true prediction stands on the diagonal."""
    axes = Axes(Scale(0, 1), Scale(0, 1))
    shares = (0.25, 0.5, 0.75)
    return DotChart(
        tuple(
            axes.dot(
                each.expected,
                each.observed,
                low=each.observed_low,
                high=each.observed_high,
                told=f"predicted {100 * each.expected:.0f} %, observed {100 * each.observed:.0f} %",
            )
            for each in bins
        ),
        tuple(axes.level(share, f"{100 * share:.0f} %", "tick") for share in shares),
        tuple(Tick(axes.x(share), f"{100 * share:.0f} %") for share in shares),
    )


class Windowed(Protocol):
    """A stretch of time and what was off in it."""

    @property
    def residual(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


def drift_chart(windows: Sequence[Windowed], *, tall: float) -> DotChart:
    """Windows of time from left to right, what was got beyond the promise upwards, in points of a hundred."""
    axes = Axes(Scale(0, len(windows)), Scale(-tall, tall))
    dots = tuple(
        axes.dot(at + 0.5, each.residual, low=each.low, high=each.high, told=f"{100 * each.residual:+.1f} points")
        for at, each in enumerate(windows)
    )
    half = tall / 2
    levels = [axes.level(value, f"{100 * value:+.0f}", "tick") for value in (half, -half)]
    return DotChart(dots, (axes.level(0, "0", "middle"), *levels), ())


def tallest(windows: Sequence[Windowed]) -> float:
    """One height for the charts of all anchors, so that they can be compared."""
    return max([0.1, *(abs(end) * 1.1 for each in windows for end in (each.low, each.high))])


def share_bars(shares: Sequence[SharedPoints]) -> list[Dot]:
    """The points of seats or turns on one scale from left to right; even is in the middle."""
    even = 0.5
    wide = max([0.05, *(abs(end - even) * 1.15 for each in shares for end in (each.points_low, each.points_high))])
    scale = Scale(even - wide, even + wide)
    return [Dot(scale.x(each.points), "50%", scale.x(each.points_low), scale.x(each.points_high)) for each in shares]


class SharedPoints(Protocol):
    """A share of points with its interval."""

    @property
    def points(self) -> float: ...
    @property
    def points_low(self) -> float: ...
    @property
    def points_high(self) -> float: ...
