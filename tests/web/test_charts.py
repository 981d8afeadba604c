"""Charts with two axes: where points stand, what is labelled, and that nothing leaves the drawing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ladder.web.charts import SPANS, Axes, calibration_chart, drift_chart, ratio_chart, share_bars, tallest
from ladder.web.plots import Scale, moved, percent, scale_for
from ladder.web.templatetags import look

BOUND = 2.94


@dataclass(frozen=True)
class Bin:
    expected: float
    observed: float
    observed_low: float
    observed_high: float


@dataclass(frozen=True)
class Window:
    residual: float
    low: float
    high: float


@dataclass(frozen=True)
class Points:
    points: float
    points_low: float
    points_high: float


@dataclass(frozen=True)
class Line:
    rating: float
    low: float
    high: float


@dataclass
class Change:
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float


def number(text: str) -> float:
    return float(text.removesuffix("%"))


def test_more_is_to_the_right_and_upwards() -> None:
    axes = Axes(Scale(0, 10), Scale(0, 4))
    assert (axes.x(2.5), axes.y(1), axes.y(3)) == ("25.00%", "75.00%", "25.00%")
    assert axes.line([(0, 0), (10, 4)]) == "0.00,100.00 100.00,0.00"


def test_what_lies_outside_is_drawn_at_the_edge() -> None:
    axes = Axes(Scale(0, 10), Scale(0, 4))
    assert (axes.x(-3), axes.x(99), axes.y(-1), axes.y(9)) == ("0.00%", "100.00%", "100.00%", "0.00%")


@pytest.mark.parametrize(
    ("low", "high", "ends"), [(1, 3, ("75.00%", "25.00%")), (None, 3, ("", "")), (1, None, ("", ""))]
)
def test_a_point_has_an_interval_if_both_ends_are_known(low: float | None, high: float | None, ends: tuple) -> None:
    dot = Axes(Scale(0, 10), Scale(0, 4)).dot(5, 2, low=low, high=high)
    assert (dot.low, dot.high) == ends


@pytest.mark.parametrize(("sets", "span"), [(0, 20), (1, 20), (20, 20), (21, 50), (800, 800), (1234, 1234)])
def test_the_chart_of_a_duel_has_room_for_all_its_sets(sets: int, span: int) -> None:
    path = [(sets, 0.0)] if sets else []
    chart = ratio_chart(path, bound=BOUND)
    assert chart.end is not None
    assert number(chart.end.x) == pytest.approx(100 * sets / span, abs=0.01)


@pytest.mark.parametrize("span", SPANS)
def test_ticks_of_a_duel_are_whole_sets_inside_the_chart(span: int) -> None:
    ticks = ratio_chart([(span, 1.0)], bound=BOUND).ticks
    assert 2 < len(ticks) < 6
    assert all(tick.label.isdecimal() and 0 < int(tick.label) < span for tick in ticks)


@pytest.mark.parametrize("ratio", [0.0, 2.5, -2.5, 7.0, -40.0])
def test_both_bounds_and_the_line_are_in_sight(ratio: float) -> None:
    chart = ratio_chart([(10, ratio)], bound=BOUND)
    upper, middle, lower = chart.levels
    assert 0 < number(upper.y) < number(middle.y) == 50 < number(lower.y) < 100
    assert chart.end is not None
    assert 0 < number(chart.end.y) < 100
    assert (upper.label, lower.label) == ("better at +2.94", "not better at −2.94")


def test_a_duel_that_has_not_begun_stands_in_the_middle() -> None:
    chart = ratio_chart([], bound=BOUND)
    assert chart.line == "0.00,50.00"


def test_a_true_prediction_stands_on_the_diagonal() -> None:
    chart = calibration_chart([Bin(0.3, 0.3, 0.2, 0.4), Bin(0.8, 0.6, 0.5, 0.7)])
    first, second = chart.dots
    assert number(first.x) + number(first.y) == pytest.approx(100)
    assert number(second.x) + number(second.y) > 100
    assert second.told == "predicted 80 %, observed 60 %"


def test_a_calibration_without_bins_has_axes_all_the_same() -> None:
    chart = calibration_chart([])
    assert chart.dots == ()
    assert [level.label for level in chart.levels] == [tick.label for tick in chart.ticks] == ["25 %", "50 %", "75 %"]


def test_windows_of_time_stand_in_the_middle_of_their_stretch() -> None:
    chart = drift_chart([Window(0.05, -0.01, 0.1), Window(-0.05, -0.1, 0.0)], tall=0.2)
    assert [dot.x for dot in chart.dots] == ["25.00%", "75.00%"]
    assert [dot.told for dot in chart.dots] == ["+5.0 points", "-5.0 points"]
    assert number(chart.dots[0].y) < 50 < number(chart.dots[1].y)


def test_an_anchor_without_windows_has_a_chart_without_points() -> None:
    assert drift_chart([], tall=0.1).dots == ()


@pytest.mark.parametrize(("ends", "tall"), [([], 0.1), ([(-0.02, 0.03)], 0.1), ([(-0.4, 0.1), (0.0, 0.2)], 0.44)])
def test_all_anchors_share_one_height(ends: list[tuple[float, float]], tall: float) -> None:
    assert tallest([Window(0.0, low, high) for low, high in ends]) == pytest.approx(tall)


def test_an_even_share_stands_in_the_middle_and_every_interval_inside() -> None:
    even, ahead = share_bars([Points(0.5, 0.45, 0.55), Points(0.7, 0.6, 0.8)])
    assert even.x == "50.00%"
    assert 0 < number(ahead.low) < number(ahead.x) < number(ahead.high) < 100


def test_nearly_even_shares_are_not_blown_up() -> None:
    (bar,) = share_bars([Points(0.501, 0.500, 0.502)])
    assert number(bar.x) == pytest.approx(51)
    assert share_bars([]) == []


@pytest.mark.parametrize(("value", "told"), [(0, "0.00%"), (33.333, "33.33%"), (100, "100.00%")])
def test_per_cents_have_two_digits(value: float, told: str) -> None:
    assert percent(value) == told


def test_an_empty_board_has_a_scale() -> None:
    assert scale_for([]) == Scale(0, 50)


def test_a_scale_holds_every_interval_and_the_points_beside_them() -> None:
    scale = scale_for([Line(25, 20, 30), Line(27, 26, 28)], points=[33.0, 19.0])
    assert scale.low < 19
    assert scale.high > 33


def test_equal_ratings_have_room_around_them() -> None:
    scale = scale_for([Line(25, 25, 25)])
    assert scale.high - scale.low == pytest.approx(1)


def test_a_change_is_shown_before_and_after_on_one_scale() -> None:
    change = moved(Change(25, 1, 27, 0.5), Scale(20, 30))
    assert (change.before, change.after) == ("50.00%", "70.00%")
    assert number(change.before_low) < number(change.before) < number(change.before_high)
    assert number(change.high) - number(change.low) < number(change.before_high) - number(change.before_low)
    assert [tick.label for tick in change.ticks] == ["22", "24", "26", "28"]


def test_a_wide_scale_has_fewer_ticks() -> None:
    assert [tick.label for tick in moved(Change(25, 8, 27, 8), Scale(4, 46)).ticks] == [
        "5", "10", "15", "20", "25", "30", "35", "40", "45",
    ]  # fmt: skip


def test_the_tag_for_a_change_is_the_same_drawing() -> None:
    change = Change(25, 1, 27, 0.5)
    assert look.before_after(change, Scale(20, 30)) == moved(change, Scale(20, 30))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (22.5, 27, ["23", "24", "25", "26"]),
        (18, 29.5, ["20", "22", "24", "26", "28"]),
        (4, 46, ["10", "20", "30", "40"]),
    ],
)
def test_a_narrow_scale_of_a_ladder_has_several_ticks_too(low: float, high: float, labels: list[str]) -> None:
    assert [tick.label for tick in Scale(low, high).ticks()] == labels
