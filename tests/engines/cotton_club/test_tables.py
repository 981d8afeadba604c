"""The printed data, and the page that repeats it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.cotton_club.tables import (
    BONUSES,
    CARDS,
    EVENTS,
    NUMBERS,
    SALVATORE_STARTS,
    SCHEDULES,
    SIDES,
    TYPES,
    rows,
)

PAGE = (Path(__file__).parents[3] / "engines" / "cotton_club" / "RULES.md").read_text()


@pytest.mark.parametrize("name", [*TYPES, "events", "spaces"])
def test_the_page_repeats_every_row_of_the_table(name: str) -> None:
    lines = [line.strip("| ").replace(" | ", "|").split("|") for line in PAGE.splitlines() if line.startswith("| ")]
    cells = [[cell.strip().rstrip("*") for cell in line] for line in lines]
    for row in rows(name):
        key = [row["id"], row["name"]] if "id" in row else [row["side"], row["action"], row["space"]]
        found = [line for line in cells if line[: len(key)] == key]
        assert len(found) == 1, key
        numbers = [v for k, v in row.items() if k not in ("id", "name", "initial", "tucked", "note")]
        assert sorted(found[0][len(key) :]) == sorted(numbers if "id" in row else numbers[3:])


def test_there_are_seventeen_cards_of_each_type_and_six_are_initial() -> None:
    for card_type in range(len(TYPES)):
        cards = [card for card in CARDS if card.type == card_type]
        assert (len(cards), sum(card.is_initial for card in cards)) == (17, 6)


def test_a_column_that_a_table_lacks_is_zero() -> None:
    smuggling = next(card for card in CARDS if card.id == "S01")
    assert smuggling.options[0] == (-1, 0, 0, 1)
    assert (smuggling.weapons, smuggling.politicians, smuggling.price) == (0, 0, 0)


def test_numbers_that_the_rulebook_prints() -> None:
    assert [(bonus.level, bonus.usd, bonus.influence, bonus.reputation) for bonus in BONUSES] == [
        (4, 1, 0, 0),
        (6, 0, 1, 0),
        (8, 0, 0, 1),
    ]
    assert sum(event.copies for event in EVENTS) == 25
    assert (NUMBERS["rounds"], NUMBERS["pawns"], NUMBERS["bribe_usd"]) == (6, 3, 3)
    assert sorted(SALVATORE_STARTS) == [1, 2, 3, 4, 5, 6]
    assert len(SCHEDULES[2]) == 8
    assert [len(spaces) for spaces in SIDES[4]] == [4, 4, 4, 4, 4, 4, 1]


def test_what_the_rulebook_states_of_luciano_and_swanson() -> None:
    luciano = next(card for card in CARDS if card.name == 'Charles "Lucky" Luciano')
    assert (luciano.options[0], luciano.end_reputation) == ((-8, 0, 2, 2), 2)
    swanson = next(card for card in CARDS if card.name == "Gloria Swanson")
    assert (swanson.price, swanson.preferences) == (12, (0, 2, 0, 0, 1, 1))
