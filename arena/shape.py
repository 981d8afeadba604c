"""Takes typed values out of JSON that somebody else wrote, with a message that shows what was wrong and where."""

from __future__ import annotations

from collections.abc import Mapping

from engines.api import Json
from engines.api import short as shown


class Fields:
    """The members of one JSON object; every getter raises the error it was made with when a value does not fit."""

    __slots__ = ("_data", "_error", "_where")

    def __init__(self, data: Json, where: str, error: type[ValueError]) -> None:
        if not isinstance(data, Mapping):
            raise error(f"{where} must be an object, not {shown(data)}")
        self._data, self._where, self._error = data, where, error

    def any(self, name: str) -> Json:
        if name not in self._data:
            raise self._error(f"{self._where} has no {name!r}")
        return self._data[name]

    def int(self, name: str, *, low: int = 0, high: int = 1 << 53) -> int:
        value = self.any(name)
        if type(value) is not int or not low <= value <= high:
            raise self._error(f"{self._where}.{name} must be a whole number from {low} to {high}, not {shown(value)}")
        return value

    def number(self, name: str) -> float:
        value = self.any(name)
        if type(value) not in (int, float) or not abs(value) < 1e15:
            raise self._error(f"{self._where}.{name} must be a number, not {shown(value)}")
        return float(value)

    def text(self, name: str, *, choices: tuple[str, ...] | None = None) -> str:
        value = self.any(name)
        if not isinstance(value, str):
            raise self._error(f"{self._where}.{name} must be a string, not {shown(value)}")
        if choices is not None and value not in choices:
            raise self._error(f"{self._where}.{name} must be one of {', '.join(choices)}, not {shown(value)}")
        return value

    def list(self, name: str) -> list[Json]:
        value = self.any(name)
        if not isinstance(value, list):
            raise self._error(f"{self._where}.{name} must be a list, not {shown(value)}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        values = self.list(name)
        for value in values:
            if not isinstance(value, str):
                raise self._error(f"{self._where}.{name} must hold strings, not {shown(value)}")
        return tuple(values)
