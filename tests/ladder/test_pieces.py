"""Long writing in pieces that hold nobody else up."""

from __future__ import annotations

import pytest
from django.db import connection

from ladder import pieces
from ladder.pieces import LEAST, MOST, Pieces, fitting


def test_a_piece_that_held_the_database_too_long_is_followed_by_one_as_much_smaller() -> None:
    assert fitting(200, pieces.AIM_S * 4) == 50


def test_a_quick_piece_is_followed_by_one_at_most_twice_as_large() -> None:
    assert fitting(50, pieces.AIM_S / 10) == 100
    assert fitting(50, 0.0) == 100


def test_a_piece_has_its_bounds() -> None:
    assert fitting(LEAST, 60.0) == LEAST
    assert fitting(MOST, 0.001) == MOST


@pytest.mark.django_db
def test_others_have_a_one_writer_database_for_as_long_as_a_piece_held_it(monkeypatch: pytest.MonkeyPatch) -> None:
    moments, slept = iter([1.0, 1.08]), list[float]()
    monkeypatch.setattr(pieces.time, "perf_counter", lambda: next(moments))
    monkeypatch.setattr(pieces.time, "sleep", slept.append)
    ours = Pieces()
    with ours.write():
        pass
    assert ours.size == 31
    assert slept == ([pytest.approx(0.08)] if connection.vendor == "sqlite" else [])
