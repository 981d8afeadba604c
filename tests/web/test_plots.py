"""Geometry of the drawings: who shares a storey, and where bars stand."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.web.plots import Scale, scale_for, shares, spark, storeys, turn_paths
from ladder.web.templatetags.look import rating_bar


@dataclass
class One:
    rating: float
    sd: float = 0.5
    rank: int | None = None
    storey: int | None = None

    @property
    def low(self) -> float:
        return self.rating - 1.96 * self.sd

    @property
    def high(self) -> float:
        return self.rating + 1.96 * self.sd


def test_a_storey_has_the_ranks_of_its_rows_and_provisional_ones_stand_apart():
    rows = [One(38, 0.6, 1, 1), One(37, 0.6, 2, 1), One(34, 0.5, 3, 2), One(40, 8)]
    found = storeys(rows, scale=scale_for(rows[:3]), are_drawn=True)
    assert [(storey.rank, storey.is_provisional) for storey in found] == [("1–2", False), ("3", False), ("–", True)]
    assert [row.span for storey in found for row in storey.rows] == [2, 0, 1, 1]


def test_the_step_line_has_all_points_of_its_storey_on_its_right_and_all_others_on_its_left():
    rows = [One(38, 2, 1, 1), One(36, 2, 2, 1), One(35.5, 2, 3, 2), One(20, 1, 4, 3)]
    scale = Scale(0, 100)
    lines = [float(storey.rows[0].bar.step.rstrip("%")) for storey in storeys(rows, scale=scale, are_drawn=True)]
    assert 35.5 < lines[0] < 36
    assert 20 < lines[1] < 35.5
    assert lines[2] < 20


def test_provisional_rows_have_no_step():
    (storey,) = storeys([One(25, 8), One(25, 8)], scale=Scale(0, 50), are_drawn=True)
    assert storey.rank == "–"
    assert storey.rows[0].bar.step is None


def test_without_storeys_every_row_stands_alone_and_no_step_is_drawn():
    rows = [One(30, 1, 7, 3), One(29, 1, 8, 3)]
    found = storeys(rows, scale=scale_for(rows), are_drawn=False)
    assert [storey.rank for storey in found] == ["7", "8"]
    assert found[0].rows[0].bar.step is None


def test_the_step_of_a_storey_begins_where_the_one_above_stood():
    rows = [One(38, 0.5, 1, 1), One(30, 0.5, 2, 2)]
    first, second = storeys(rows, scale=Scale(20, 40), are_drawn=True)
    assert first.rows[0].bar.step_from is None
    assert second.rows[0].bar.step_from == first.rows[0].bar.step


def test_an_outlier_far_below_becomes_an_arrow_and_leaves_the_scale_to_the_many():
    rows = [One(40, 1, 1, 1), One(39, 1, 2, 1), One(38, 1, 3, 1), One(2, 1, 4, 2)]
    scale = scale_for(rows)
    assert scale.low > 10
    drawn = storeys(rows, scale=scale, are_drawn=True)
    assert drawn[-1].rows[0].bar.is_beyond


def test_an_interval_that_leaves_the_plot_is_marked_where_it_does_and_its_point_stays_inside():
    known, loose = [One(30, 1), One(28, 1)], One(33, 8)
    scale = scale_for(known, points=[loose.rating])
    assert 0 < scale.at(loose.rating) < 100
    (storey,) = storeys([loose], scale=scale, are_drawn=False)
    bar = storey.rows[0].bar
    assert (bar.leaves_low, bar.leaves_high, bar.is_beyond) == (True, True, False)
    drawn = rating_bar(bar, loose, [])
    assert drawn.count('class="beyond"') == 2
    (storey,) = storeys([known[0]], scale=scale, are_drawn=False)
    assert 'class="beyond"' not in rating_bar(storey.rows[0].bar, known[0], [])


def test_ticks_are_round_and_inside():
    assert [tick.label for tick in Scale(13, 41).ticks()] == ["15", "20", "25", "30", "35", "40"]


def test_shares_fill_the_bar_and_nothing_played_draws_nothing():
    share = shares(3, 1, 0)
    assert share is not None
    assert float(share.won) > float(share.drawn) > 0
    assert shares(0, 0, 0) is None


def test_a_spark_needs_two_values_and_survives_a_flat_line():
    assert spark([25.0]) == ""
    assert len(spark([25.0, 25.0, 25.0]).split()) == 3


def test_the_first_seat_s_columns_stand_above_the_axis():
    first, second = turn_paths([(0, 50.0), (1, 50.0)], limit_ms=100)
    assert (first.seat, first.d) == (0, "M0 50v-22.5h.8V50")
    assert (second.seat, second.d) == (1, "M1 54v22.5h.8V54")


def test_however_long_a_match_the_chart_of_time_is_one_path_for_each_seat():
    paths = turn_paths([(turn % 4, 10.0) for turn in range(600)], limit_ms=100)
    assert [path.seat for path in paths] == [0, 1, 2, 3]
    assert all(path.d.count("M") == 150 for path in paths)
