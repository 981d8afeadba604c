"""Typed values out of JSON that somebody else wrote: each reader takes the value at a key, or raises Unreadable.

``restore`` and ``imagine`` read inside ``refused_as``, which turns what is raised there into the contract's own error::

    with refused_as(InvalidSnapshot, "no snapshot of gatsby"):
        given = fields({"snapshot": snapshot}, "snapshot", FIELDS)
        seats, options = heading(given, game)
        for seat in range(seats):
            with within("families", seat):  # only for the path in the message
                cash = whole(given["families"][seat], "cash", 0, MOST_CASH)
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Concatenate, ParamSpec, TypeVar

from engines.api import EngineError, Game, Json
from engines.api import short as short

Key = str | int
P = ParamSpec("P")
T = TypeVar("T")

SEED_DIGITS = len(str(1 << 128))


class Unreadable(ValueError):
    """A value that can't stand where it stands; the path leads to it from what was being read."""

    def __init__(self, reason: str, *path: Key) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path

    def __str__(self) -> str:
        place = "".join(f"[{key}]" if type(key) is int else f".{key}" for key in self.path).removeprefix(".")
        return f"{place}: {self.reason}" if place else self.reason


class within:  # noqa: N801 (it reads like a keyword)
    """Puts keys before the path of what can't be read inside."""

    __slots__ = ("path",)

    def __init__(self, *path: Key) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is not None and isinstance(error, Unreadable):
            error.path = (*self.path, *error.path)


@contextmanager
def refused_as(error: type[EngineError], what: str) -> Iterator[None]:
    """The door: whatever is wrong with what is read inside becomes this error, `what` before the reason."""
    try:
        yield
    except (Unreadable, EngineError, RecursionError) as reason:
        refused = error(f"{what}: {reason}")
        refused.__cause__ = reason  # compiled code forgets what an error is raised from
        raise refused from reason


def require(holds: bool, reason: str) -> None:
    """What must hold for what was read to be possible."""
    if not holds:
        raise Unreadable(reason)


def at(box: Json, key: Key) -> Json:
    """The value at a key of an object or a list."""
    try:
        return box[key]
    except (KeyError, IndexError, TypeError):
        raise Unreadable("is missing", key) from None


def fields(box: Json, key: Key, names: Collection[str]) -> dict[str, Json]:
    """An object with exactly these fields."""
    value = at(box, key)
    if type(value) is not dict:
        raise Unreadable(f"expected an object, not {short(value)}", key)
    for name in names:
        if name not in value:
            raise Unreadable("is missing", key, name)
    if len(value) != len(names):
        unknown = [name for name in value if name not in names]
        raise Unreadable(f"has unknown fields: {', '.join(map(short, unknown[:8]))}", key)
    return value


def listed(box: Json, key: Key, length: int | None = None) -> list[Json]:
    """A list, of this length if one is given."""
    try:
        value = box[key]
    except (KeyError, IndexError, TypeError):
        raise Unreadable("is missing", key) from None
    if type(value) is not list:
        raise Unreadable(f"expected a list, not {short(value)}", key)
    if length is not None and len(value) != length:
        raise Unreadable(f"expected {length} entries, not {len(value)}", key)
    return value


def whole(box: Json, key: Key, low: int, high: int) -> int:
    """An int from low to high; True and 1.0 are none."""
    try:
        value = box[key]
    except (KeyError, IndexError, TypeError):
        raise Unreadable("is missing", key) from None
    if type(value) is not int or not low <= value <= high:
        raise Unreadable(f"expected a whole number from {low} to {high}, not {short(value)}", key)
    return value


def flag(box: Json, key: Key) -> bool:
    """True or False."""
    value = at(box, key)
    if type(value) is not bool:
        raise Unreadable(f"expected true or false, not {short(value)}", key)
    return value


def text(box: Json, key: Key) -> str:
    """A string."""
    value = at(box, key)
    if type(value) is not str:
        raise Unreadable(f"expected a string, not {short(value)}", key)
    return value


def named(box: Json, key: Key, table: Mapping[str, T]) -> T:
    """What a table has under the name that stands there."""
    try:
        value = box[key]
    except (KeyError, IndexError, TypeError):
        raise Unreadable("is missing", key) from None
    if type(value) is not str or value not in table:
        raise Unreadable(f"expected {_one_of(table)}, not {short(value)}", key)
    return table[value]


def _one_of(table: Mapping[str, T]) -> str:
    names = list(table)
    return f"one of {', '.join(names)}" if len(names) <= 12 else f"a name such as {', '.join(names[:3])}"


def names(
    box: Json, key: Key, table: Mapping[str, T], *, length: int | None = None, once: bool = False
) -> tuple[T, ...]:
    """What a table has under a list of names; with once, none may stand there twice."""
    values = listed(box, key, length)
    try:
        found = tuple([table[value] for value in values])
    except (KeyError, TypeError):
        with within(key):
            found = tuple([named(values, place, table) for place in range(len(values))])  # says which of them it is
    if once and len(values) > 1 and len(set(values)) != len(values):
        raise Unreadable(f"names something twice: {short(values)}", key)
    return found


def seed(box: Json, key: Key) -> int:
    """A seed: an int of up to 128 bits as a decimal string, spelled the one way."""
    value = at(box, key)
    if type(value) is str and value.isascii() and value.isdigit() and len(value) <= SEED_DIGITS:
        number = int(value)
        if number < 1 << 128 and str(number) == value:
            return number
    raise Unreadable(f"expected an int below 2**128 as a decimal string, not {short(value)}", key)


def or_null(
    read: Callable[Concatenate[Json, Key, P], T], box: Json, key: Key, *args: P.args, **kwargs: P.kwargs
) -> T | None:
    """None for null, otherwise what the reader makes of the value."""
    return None if at(box, key) is None else read(box, key, *args, **kwargs)


def heading(given: Json, game: Game) -> tuple[int, dict[str, Json]]:
    """The seats and the options of a snapshot or an observation of this game; raises InvalidSetup as well."""
    for key, own in (("game", game.name), ("rules_version", game.rules_version)):
        value = at(given, key)
        if type(value) is not type(own) or value != own:
            raise Unreadable(f"expected {own!r}, not {short(value)}", key)
    seats = whole(given, "seats", game.seats[0], game.seats[-1])
    options = fields(given, "options", game.options)
    return seats, game.check_setup(seats=seats, seed=0, options=options)


def packed(value: Json) -> bytes:
    """The value as bytes that tell True from 1 and 1.0, in a fraction of the time of its text; keys stay in order."""
    try:
        return marshal.dumps(value, 0)
    except ValueError as reason:
        raise Unreadable(f"{short(value)} is not JSON: {reason}") from reason


def same(one: Json, other: Json) -> bool:
    """Whether both are the same JSON value, with no mixing up of 1, 1.0 and true."""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if type(one) is list:
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def compare(given: Mapping[str, Json], shown: Mapping[str, Json]) -> None:
    """Refuse what was given unless it is, field for field, what the state made of it would show."""
    if packed(given) == packed(shown):  # nearly always: it differs, or only the order of its keys does
        return
    for field, value in shown.items():
        if field not in given:
            raise Unreadable("is missing", field)
        if not same(given[field], value):
            raise Unreadable(f"{short(given[field])} contradicts the rest, which makes it {short(value)}", field)
    if len(given) != len(shown):
        raise Unreadable(f"unknown fields: {', '.join(short(key) for key in given if key not in shown)}")
