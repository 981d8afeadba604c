"""Cursors of a leaderboard: they come back as they went, fit their own list only, and nothing else is one."""

from __future__ import annotations

import base64
import json

import pytest

from ladder.ratings.paging import LONGEST, Cursor, InvalidCursor, Listing

BEST = Listing("-rating")


def forged(*parts: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


@pytest.mark.parametrize("at", [Cursor(25.0, 7), Cursor(-3.25, 1, above=12), Cursor(0.0, 9, above=3, backwards=True)])
def test_a_cursor_comes_back_from_its_text(at: Cursor) -> None:
    assert Cursor.read(at.text(BEST), BEST) == at


def test_a_cursor_of_a_list_by_name_holds_a_name() -> None:
    names = Listing("name")
    assert Cursor.read(Cursor("Zoë", 3).text(names), names, kind=str).value == "Zoë"


@pytest.mark.parametrize("name", ["half a letter \ud800", "nul \0", "x" * LONGEST])
def test_a_name_that_no_database_can_look_for_is_in_no_cursor(name: str) -> None:
    names = Listing("name")
    with pytest.raises(InvalidCursor):
        Cursor.read(forged(names.mark(), name, 1, 0, 0), names, kind=str)


@pytest.mark.parametrize("nothing", [None, ""])
def test_without_a_cursor_the_list_begins(nothing: str | None) -> None:
    assert Cursor.read(nothing, BEST).is_start


@pytest.mark.parametrize(
    "other", [Listing("rating"), Listing("-rating", search="gin"), Listing("-rating", owner="remus")]
)
def test_a_cursor_is_good_for_its_own_list_only(other: Listing) -> None:
    with pytest.raises(InvalidCursor):
        Cursor.read(Cursor(25.0, 7).text(BEST), other)


def test_search_and_owner_can_not_be_taken_for_each_other() -> None:
    assert Listing("x", search="ann").mark() != Listing("x", owner="ann").mark()


@pytest.mark.parametrize(
    "text",
    [
        "?",
        "gin and tonic",
        "AAAA",
        forged(),
        forged(1, 2, 3),
        forged("mark of no list", 1.0, 1, 0, 0),
        forged(BEST.mark(), "no number", 1, 0, 0),
        forged(BEST.mark(), 1.0, 0, 0, 0),
        forged(BEST.mark(), 1.0, -1, 0, 0),
        forged(BEST.mark(), 1.0, 1 << 62, 0, 0),
        forged(BEST.mark(), 1.0, 1, -1, 0),
        forged(BEST.mark(), 1e300, 1, 0, 0),
        forged(BEST.mark(), float("nan"), 1, 0, 0),
        forged(BEST.mark(), float("inf"), 1, 0, 0),
        forged(BEST.mark(), None, 1, 0, 0),
        forged(BEST.mark(), 1.0, [1], 0, 0),
        "[" * 5000,
    ],
)
def test_what_no_page_gave_out_is_refused_with_the_text(text: str) -> None:
    with pytest.raises(InvalidCursor) as refused:
        Cursor.read(text, BEST)
    assert text[:20] in refused.value.message
    assert len(refused.value.message) < 200


def test_a_name_of_endless_length_is_no_place_in_a_list() -> None:
    with pytest.raises(InvalidCursor):
        Cursor.read(forged(BEST.mark(), "x" * LONGEST, 1, 0, 0), BEST, kind=str)
