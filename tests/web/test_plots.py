"""Geometry of the drawings: who shares a storey, and where bars stand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from ladder.web.plots import Scale, scale_for, shares, spark, storeys, turn_columns
from ladder.web.results import interval
from ladder.web.templatetags.look import rating_bar


@dataclass
class One:
    mu: float
    sigma: float

    @property
    def low(self) -> float:
        return self.mu - 1.96 * self.sigma

    @property
    def high(self) -> float:
        return self.mu + 1.96 * self.sigma


def ranks(rows: list[One], provisional: list[bool] | None = None) -> list[str]:
    places = count(1)
    given = [None if loose else next(places) for loose in provisional or [False] * len(rows)]
    return [storey.rank for storey in storeys(rows, scale=scale_for(rows), ranks=given, are_drawn=True)]


def test_bars_that_reach_the_leader_s_low_end_share_its_storey():
    assert ranks([One(38, 0.6), One(37.5, 0.6), One(34, 0.5), One(33.8, 0.5), One(15, 0.5)]) == ["1–2", "3–4", "5"]


def test_storeys_go_by_their_leader_and_are_not_transitive():
    # the second reaches the first, the third reaches the second but not the first
    assert ranks([One(30, 1), One(27, 1), One(24, 1)]) == ["1–2", "3"]


def test_a_provisional_row_never_leads_a_storey_and_has_no_rank():
    assert ranks([One(40, 6), One(38, 0.5), One(30, 0.5)], [True, False, False]) == ["1", "2"]


def test_a_table_of_provisional_rows_has_no_rank_at_all():
    assert ranks([One(25, 8), One(25, 8)], [True, True]) == ["–"]


def test_without_storeys_every_row_stands_alone_and_no_step_is_drawn():
    rows = [One(30, 1), One(29, 1)]
    found = storeys(rows, scale=scale_for(rows), ranks=[7, 8], are_drawn=False)
    assert [storey.rank for storey in found] == ["7", "8"]
    assert found[0].rows[0].bar.step is None


def test_the_step_of_a_storey_begins_where_the_one_above_stood():
    rows = [One(38, 0.5), One(30, 0.5)]
    first, second = storeys(rows, scale=Scale(20, 40), ranks=[1, 2], are_drawn=True)
    assert first.rows[0].bar.step_from is None
    assert second.rows[0].bar.step_from == first.rows[0].bar.step


def test_an_outlier_far_below_becomes_an_arrow_and_leaves_the_scale_to_the_many():
    rows = [One(40, 1), One(39, 1), One(38, 1), One(2, 1)]
    scale = scale_for(rows)
    assert scale.low > 10
    drawn = storeys(rows, scale=scale, ranks=[1, 2, 3, 4], are_drawn=True)
    assert drawn[-1].rows[0].bar.is_beyond


def test_an_interval_that_leaves_the_plot_is_marked_where_it_does_and_its_point_stays_inside():
    known, loose = [One(30, 1), One(28, 1)], One(33, 8)
    scale = scale_for(known, points=[loose.mu])
    assert 0 < scale.at(loose.mu) < 100
    (storey,) = storeys([loose], scale=scale, ranks=[None], are_drawn=False)
    bar = storey.rows[0].bar
    assert (bar.leaves_low, bar.leaves_high, bar.is_beyond) == (True, True, False)
    drawn = rating_bar(bar, loose, [])
    assert drawn.count('class="beyond"') == 2
    (storey,) = storeys([known[0]], scale=scale, ranks=[1], are_drawn=False)
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
    first, second = turn_columns([(0, 50.0), (1, 50.0)], limit_ms=100)
    assert float(first.y) + float(first.height) <= 50
    assert float(second.y) >= 52


def test_the_interval_of_a_score_narrows_with_matches_and_stays_inside():
    narrow, wide = interval(0.5, 400), interval(0.5, 4)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
    assert interval(1.0, 3)[1] == 1.0
    assert interval(0.0, 0) == (0.0, 1.0)
