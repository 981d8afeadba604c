"""Reading JSON values that others wrote: each check shows the value and says what is expected there."""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import repr as short

from engines.api import Json
from engines.gatsby.tables import NONE


class Unreadable(Exception):
    """A value that can't stand where it stands; the door turns it into the contract's own error."""


def whole(value: Json, low: int, high: int, what: str) -> int:
    """An int of this range; a bool is none."""
    if type(value) is not int or not low <= value <= high:
        raise Unreadable(f"{what} is an int from {low} to {high}, not {short(value)}")
    return value


def flag(value: Json, what: str) -> bool:
    """True or False."""
    if type(value) is not bool:
        raise Unreadable(f"{what} is true or false, not {short(value)}")
    return value


def listed(value: Json, what: str, length: int | None = None) -> list[Json]:
    """A list, of this length if one is given."""
    if type(value) is not list or (length is not None and len(value) != length):
        raise Unreadable(f"{what} is a list{'' if length is None else f' of {length}'}, not {short(value)}")
    return value


def keyed(value: Json, what: str, keys: tuple[str, ...]) -> dict[str, Json]:
    """An object with exactly these keys."""
    if type(value) is not dict:
        raise Unreadable(f"{what} is an object, not {short(value)}")
    for key in keys:
        if key not in value:
            raise Unreadable(f"{what} has no {key!r}")
    for key in value:
        if key not in keys:
            raise Unreadable(f"{what} has no room for {short(key)}")
    return value


def named(value: Json, numbers: Mapping[str, int], what: str) -> int:
    """The number of one of these names."""
    if type(value) is not str or value not in numbers:
        raise Unreadable(f"{what} is one of {', '.join(numbers)}, not {short(value)}")
    return numbers[value]


def named_or_null(value: Json, numbers: Mapping[str, int], what: str) -> int:
    """The number of one of these names, or NONE for null."""
    return NONE if value is None else named(value, numbers, what)


def names(value: Json, numbers: Mapping[str, int], what: str) -> tuple[int, ...]:
    """The numbers of a list of these names, each at most once."""
    found = tuple(named(entry, numbers, what) for entry in listed(value, what))
    if len(set(found)) != len(found):
        raise Unreadable(f"{what} names something twice: {short(value)}")
    return found


def require(holds: bool, message: str) -> None:
    """What must hold for a position to be one of this game."""
    if not holds:
        raise Unreadable(message)


def same(one: Json, other: Json) -> bool:
    """Are these the same JSON value, with no mixing up of 1, 1.0 and true?"""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if type(one) is list:
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
