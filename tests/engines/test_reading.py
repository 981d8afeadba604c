"""Values out of JSON that somebody else wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engines import GAMES, IllegalAction, InvalidSetup, InvalidSnapshot
from engines import reading as read
from engines.reading import Unreadable

COLOURS = {"red": 4, "blue": 5}
MANY = {f"card{n}": n for n in range(40)}


@pytest.mark.parametrize(
    ("reader", "given", "value"),
    [
        (lambda box: read.whole(box, "x", 0, 3), 3, 3),
        (lambda box: read.flag(box, "x"), False, False),
        (lambda box: read.text(box, "x"), "", ""),
        (lambda box: read.listed(box, "x"), [1, "a"], [1, "a"]),
        (lambda box: read.listed(box, "x", 2), [1, 2], [1, 2]),
        (lambda box: read.fields(box, "x", ("a", "b")), {"b": 1, "a": 2}, {"a": 2, "b": 1}),
        (lambda box: read.named(box, "x", COLOURS), "blue", 5),
        (lambda box: read.names(box, "x", COLOURS), ["blue", "red", "blue"], (5, 4, 5)),
        (lambda box: read.names(box, "x", COLOURS, length=1, once=True), ["red"], (4,)),
        (lambda box: read.seed(box, "x"), str((1 << 128) - 1), (1 << 128) - 1),
        (lambda box: read.seed(box, "x"), "0", 0),
        (lambda box: read.or_null(read.whole, box, "x", 0, 3), None, None),
        (lambda box: read.or_null(read.whole, box, "x", 0, 3), 2, 2),
    ],
)
def test_what_fits_is_read(reader: Callable[[Any], Any], given: Any, value: Any) -> None:
    assert reader({"x": given}) == value
    assert type(reader({"x": given})) is type(value)


@pytest.mark.parametrize(
    ("reader", "given", "message"),
    [
        (lambda box: read.whole(box, "x", 0, 3), 4, "x: expected a whole number from 0 to 3, not 4"),
        (lambda box: read.whole(box, "x", 0, 3), True, "x: expected a whole number from 0 to 3, not True"),
        (lambda box: read.whole(box, "x", 0, 3), 1.0, "x: expected a whole number from 0 to 3, not 1.0"),
        (lambda box: read.whole(box, "x", 0, 3), -1, "x: expected a whole number from 0 to 3, not -1"),
        (lambda box: read.flag(box, "x"), 1, "x: expected true or false, not 1"),
        (lambda box: read.text(box, "x"), None, "x: expected a string, not None"),
        (lambda box: read.listed(box, "x"), "ab", "x: expected a list, not 'ab'"),
        (lambda box: read.listed(box, "x", 2), [1], "x: expected 2 entries, not 1"),
        (lambda box: read.fields(box, "x", ("a", "b")), [], "x: expected an object, not []"),
        (lambda box: read.fields(box, "x", ("a", "b")), {"a": 1}, "x.b: is missing"),
        (lambda box: read.fields(box, "x", ("a",)), {"a": 1, "z": 2, 7: 3}, "x: has unknown fields: 'z', 7"),
        (lambda box: read.named(box, "x", COLOURS), "green", "x: expected one of red, blue, not 'green'"),
        (lambda box: read.named(box, "x", COLOURS), ["red"], "x: expected one of red, blue, not ['red']"),
        (lambda box: read.named(box, "x", MANY), 1, "x: expected a name such as card0, card1, card2, not 1"),
        (lambda box: read.names(box, "x", COLOURS), ["red", {}], "x[1]: expected one of red, blue, not {}"),
        (lambda box: read.names(box, "x", COLOURS, once=True), ["red", "red"], "x: names something twice: ["),
        (lambda box: read.or_null(read.flag, box, "x"), 0, "x: expected true or false, not 0"),
        (lambda box: read.at(box, "y"), 0, "y: is missing"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path_and_value(
    reader: Callable[[Any], Any], given: Any, message: str
) -> None:
    with pytest.raises(Unreadable, match=f"^{re.escape(message)}"):
        reader({"x": given})


@pytest.mark.parametrize("seed", [7, None, "", "-1", "+1", " 1", "01", "1.0", "٣", str(1 << 128), "9" * 5000])
def test_a_seed_is_a_decimal_string_spelled_the_one_way(seed: Any) -> None:
    with pytest.raises(Unreadable, match=r"^seed: expected an int below 2\*\*128 as a decimal string"):
        read.seed({"seed": seed}, "seed")


@pytest.mark.parametrize("box", [None, 3, "text", [], {}], ids=repr)
def test_a_value_in_a_box_that_is_none_is_missing(box: Any) -> None:
    with pytest.raises(Unreadable, match="cash: is missing"):
        read.whole(box, "cash", 0, 1)


def test_the_path_leads_through_everything_read_around_it() -> None:
    with pytest.raises(Unreadable, match=r"^families\[1\]\.prison\[0\]: expected one of red, blue"):  # noqa: SIM117
        with read.within("families", 1):
            read.names({"prison": ["green"]}, "prison", COLOURS)


def test_a_path_is_put_before_nothing_but_what_can_not_be_read() -> None:
    with pytest.raises(KeyError, match=r"^'other'$"), read.within("families"):
        raise KeyError("other")


@pytest.mark.parametrize(
    "reason", [Unreadable("is missing", "seats"), IllegalAction("M1: no"), InvalidSetup("no"), RecursionError("deep")]
)
def test_the_door_turns_every_refusal_into_the_error_of_the_contract(reason: Exception) -> None:
    with (
        pytest.raises(InvalidSnapshot, match=f"^no snapshot: {reason}$") as refusal,
        read.refused_as(InvalidSnapshot, "no snapshot"),
    ):
        raise reason
    assert refusal.value.__cause__ is reason


def test_the_door_lets_our_own_mistakes_through() -> None:
    with pytest.raises(ZeroDivisionError), read.refused_as(InvalidSnapshot, "no snapshot"):
        raise ZeroDivisionError


@pytest.mark.parametrize("value", ["x" * 10_000, 10**10_000, [[1] * 50] * 50, {"é": "\u202e"}], ids=lambda v: type(v))
def test_a_value_in_a_message_is_short_and_printable(value: object) -> None:
    assert len(read.short(value)) <= 60
    assert read.short(value).isascii()


def test_a_value_nested_too_deep_to_show_is_still_named() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert read.short(deep) == "list value that can't be shown"


def heading_of(**changes: Any) -> dict[str, Any]:
    return {"game": "capone", "rules_version": 1, "seats": 4, "options": {"income": "mixed"}} | changes


def test_a_heading_tells_seats_and_options() -> None:
    income = GAMES["capone"].options["income"][-1]
    assert read.heading(heading_of(options={"income": income}), GAMES["capone"]) == (4, {"income": income})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"game": "gatsby"}, "game: expected 'capone', not 'gatsby'"),
        ({"rules_version": True}, "rules_version: expected 1, not True"),
        ({"seats": 2}, "seats: expected a whole number from 3 to 6, not 2"),
        ({"options": {}}, "options.income: is missing"),
        ({"options": {"income": []}}, "option income of capone can't be"),
    ],
)
def test_a_heading_of_something_else_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises((Unreadable, InvalidSetup), match=message):
        read.heading(heading_of(**changes), GAMES["capone"])


def test_only_the_same_types_are_the_same_json() -> None:
    assert read.same({"a": [1, None, "x"]}, {"a": [1, None, "x"]})
    for one, other in [(1, True), (1, 1.0), ([1], [True]), ({"a": 0}, {"a": False}), ([1], [1, 1]), ({}, {"a": 1})]:
        assert not read.same(one, other)
        assert read.packed(one) != read.packed(other)


@pytest.mark.parametrize("value", [Random(0), {"a": object()}, [range(3)]], ids=lambda value: type(value).__name__)
def test_what_is_not_json_is_not_packed(value: object) -> None:
    with pytest.raises(Unreadable, match="is not JSON"):
        read.packed(value)


def test_a_name_among_many_that_no_table_has_is_told_with_its_place() -> None:
    for wrong in ("x", 1, None, ["a"]):
        with pytest.raises(Unreadable, match=r"^kinds\[1\]: expected one of a, b, not"):
            read.names({"kinds": ["a", wrong]}, "kinds", {"a": 1, "b": 2})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a": 1, "b": 2.0}, "b: 2.0 contradicts the rest, which makes it 2"),
        ({"a": 1}, "b: is missing"),
        ({"a": 1, "b": 2, "c": 3}, "unknown fields: 'c'"),
    ],
)
def test_what_a_state_would_not_show_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        read.compare(given, {"a": 1, "b": 2})


def test_what_a_state_would_show_is_accepted() -> None:
    read.compare({"b": [2], "a": 1}, {"a": 1, "b": [2]})
