"""Values out of somebody else's JSON: what fits comes through, all else is named with its place and shown in short."""

from __future__ import annotations

from typing import Any

import pytest

from arena.shape import Fields
from engines.api import short as shown


class Unfit(ValueError):
    pass


def fields(**values: Any) -> Fields:
    return Fields(values, "order", Unfit)


def test_what_fits_comes_through() -> None:
    read = fields(plies=3, score=-1.5, name="gin", seats=["a", "b"], whole=2)
    assert (read.int("plies"), read.number("score"), read.number("whole")) == (3, -1.5, 2.0)
    assert (read.text("name"), read.texts("seats"), read.list("seats")) == ("gin", ("a", "b"), ["a", "b"])


@pytest.mark.parametrize("value", [None, [], "x", 3, True])
def test_only_an_object_has_members(value: Any) -> None:
    with pytest.raises(Unfit, match="record must be an object, not "):
        Fields(value, "record", Unfit)


@pytest.mark.parametrize("ask", ["any", "int", "number", "text", "list", "texts"])
def test_a_member_that_is_missing_is_named(ask: str) -> None:
    with pytest.raises(Unfit, match="order has no 'plies'"):
        getattr(fields(), ask)("plies")


@pytest.mark.parametrize("value", [-1, 11, 1.0, True, "3", None, [3], 10**30])
def test_a_whole_number_is_an_int_within_its_bounds(value: Any) -> None:
    with pytest.raises(Unfit, match=r"order\.plies must be a whole number from 0 to 10, not "):
        fields(plies=value).int("plies", high=10)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1e15, True, "1", None])
def test_a_number_is_finite_and_not_a_bool(value: Any) -> None:
    with pytest.raises(Unfit, match=r"order\.score must be a number, not "):
        fields(score=value).number("score")


def test_a_text_may_have_to_be_one_of_some() -> None:
    assert fields(kind="crash").text("kind", choices=("crash", "timeout")) == "crash"
    with pytest.raises(Unfit, match=r"order\.kind must be one of crash, timeout, not 'gin'"):
        fields(kind="gin").text("kind", choices=("crash", "timeout"))
    with pytest.raises(Unfit, match=r"order\.kind must be a string, not 3"):
        fields(kind=3).text("kind", choices=("3",))


@pytest.mark.parametrize("value", [["a", 1], [None], [["a"]]])
def test_a_list_of_texts_holds_nothing_else(value: Any) -> None:
    with pytest.raises(Unfit, match=r"order\.seats must hold strings, not "):
        fields(seats=value).texts("seats")


@pytest.mark.parametrize("value", ["ab", {"a": 1}, ("a",), None])
def test_a_list_is_a_list(value: Any) -> None:
    with pytest.raises(Unfit, match=r"order\.seats must be a list, not "):
        fields(seats=value).list("seats")


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


HUGE = {"text": "x" * 10_000, "digits": 10**10_000, "depth": nested(100_000), "escapes": {"k": "\x1b[2J\u202e" * 99}}


@pytest.mark.parametrize("name", HUGE)
def test_what_is_huge_or_hostile_is_shown_short_and_printable(name: str) -> None:
    text = shown(HUGE[name])
    assert len(text) <= 60
    assert text.isprintable()
    assert text.isascii()
