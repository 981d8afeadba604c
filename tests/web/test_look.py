"""Small drawings and wordings: numbers as people write them, and drawings that a screen reader can tell."""

from __future__ import annotations

import re

import pytest
from django.urls import set_script_prefix

from ladder.tournaments.formats import FORMATS
from ladder.web.templatetags import look


@pytest.mark.parametrize(
    ("value", "told"), [(0, "0"), (0.5, "½"), (1, "1"), (5.5, "5½"), (12.0, "12"), (2.49, "2½"), (0.2, "0")]
)
def test_points_are_written_in_halves(value: float, told: str) -> None:
    assert look.points(value) == told


@pytest.mark.parametrize(
    ("share", "told", "short"),
    [
        (0.0, "under 0.1 %", "< 1 %"),
        (0.0009, "under 0.1 %", "< 1 %"),
        (0.01, "1.0 %", "1 %"),
        (0.5, "50.0 %", "50 %"),
        (0.99, "99.0 %", "99 %"),
        (0.9995, "over 99.9 %", "> 99 %"),
        (1.0, "over 99.9 %", "> 99 %"),
    ],
)
def test_nothing_that_was_measured_is_certain(share: float, told: str, short: str) -> None:
    assert (look.chance(share), look.chance_short(share)) == (told, short)


@pytest.mark.parametrize(("number", "told"), [(1.25, "+1.2"), (-1.0, "−1.0"), (0, "+0.0")])
def test_a_signed_number_has_a_real_minus(number: float, told: str) -> None:
    assert look.signed(number) == told


def test_a_key_is_told_as_words() -> None:
    assert look.words("three_of_a_family") == "three of a family"


def test_a_game_has_its_printed_name_and_one_that_is_gone_its_own() -> None:
    assert look.game_title("cotton_club") == "1923 Cotton Club"
    assert look.game_title("nickel_dice") == "nickel_dice"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_words(name: str) -> None:
    assert look.format_name(name) == FORMATS[name].words
    assert look.format_name(name)


@pytest.mark.parametrize(
    ("game", "seat", "told"), [("speak_easy", 0, "South"), ("capone", 0, "Armaretto"), ("nickel_dice", 1, "Seat 1")]
)
def test_a_seat_is_called_as_its_game_does(game: str, seat: int, told: str) -> None:
    assert look.seat_name(game, seat) == told


def test_products_and_differences() -> None:
    assert (look.times(0.25, 100), look.minus(7, 3)) == (25, 4)


@pytest.mark.parametrize(
    ("prefix", "path", "shown"),
    [
        ("/", "/bots/1/", "/bots/1/"),
        ("/rum/", "/bots/1/", "/rum/bots/1/"),
        ("/rum/", "elsewhere", "elsewhere"),
        ("/rum/", "", ""),
    ],
)
def test_a_stored_path_leads_under_the_prefix_of_the_site(prefix: str, path: str, shown: str) -> None:
    set_script_prefix(prefix)
    try:
        assert look.under_prefix(path) == shown
    finally:
        set_script_prefix("/")


def test_every_seat_of_the_largest_table_has_a_mark_of_its_own() -> None:
    marks = [look.seat_mark(seat) for seat in range(6)]
    assert len(set(marks)) == 6
    assert all('aria-hidden="true"' in mark for mark in marks)


def test_no_match_is_told_in_words_and_not_as_an_empty_bar() -> None:
    assert "none yet" in look.results_bar(0, 0, 0)
    assert "<svg" not in look.results_bar(0, 0, 0)


def test_the_bar_of_results_tells_its_numbers_and_fills_its_width() -> None:
    bar = look.results_bar(3, 1, 4)
    assert 'aria-label="3 won, 1 drawn, 4 lost"' in bar
    widths = [float(width) for width in re.findall(r'width="([\d.]+)"', bar)]
    assert 100 <= sum(widths) <= 112


@pytest.mark.parametrize(
    ("trend", "told"), [(1.25, "rising by 1.2"), (-0.75, "falling by 0.8"), (0.3, "steady"), (-0.1, "steady")]
)
def test_a_trend_is_told_in_words(trend: float, told: str) -> None:
    assert f"{told} over the last 3 matches" in look.trend_drawing([25.0, 25.5, 26.0], trend)


@pytest.mark.parametrize("values", [[], [25.0]])
def test_too_few_ratings_make_no_line(values: list[float]) -> None:
    assert "<svg" not in look.trend_drawing(values, 0.0)
