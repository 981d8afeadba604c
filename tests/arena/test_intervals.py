"""Intervals at 95 %."""

from __future__ import annotations

from statistics import NormalDist

from arena.intervals import Z95, wilson


def test_the_one_number_is_that_of_the_normal_distribution() -> None:
    assert abs(NormalDist().inv_cdf(0.975) - Z95) < 1e-6


def test_the_interval_of_a_share_narrows_with_matches_and_stays_inside() -> None:
    narrow, wide = wilson(0.5, 400), wilson(0.5, 4)
    assert wide[0] < narrow[0] < 0.5 < narrow[1] < wide[1]
    assert wilson(1.0, 3)[1] == 1.0
    assert wilson(0.0, 0) == (0.0, 1.0)
