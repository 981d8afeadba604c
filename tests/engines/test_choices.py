"""Rows of choices."""

from __future__ import annotations

from typing import Any

import pytest

from engines.choices import Choice, by_number, over


def row(number: int, name: str) -> Choice[Any]:
    return Choice(number, name, "play", f"a {name}", legal=lambda _: [1], take=lambda _state, _action: None)


def test_rows_stand_at_the_index_of_their_number_in_whatever_order_they_are_written() -> None:
    rows = by_number(over(2), row(1, "card"), row(0, "place"))
    assert [choice.name for choice in rows] == ["place", "card", "over"]
    assert [choice.number for choice in rows] == [0, 1, 2]


@pytest.mark.parametrize("numbers", [(0, 0), (1, 2), (0, 2), (-1, 0)], ids=str)
def test_a_number_that_is_missing_or_taken_twice_is_refused(numbers: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="each of 0 to 1 once"):
        by_number(*(row(number, f"choice{at}") for at, number in enumerate(numbers)))


def test_a_name_taken_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="card, card"):
        by_number(row(0, "card"), row(1, "card"))


def test_nothing_is_legal_when_a_game_is_over() -> None:
    assert list(over(0).legal(None)) == []
    with pytest.raises(AssertionError, match="17"):
        over(0).take(None, 17)
