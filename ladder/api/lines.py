"""What serializers describe, written quickly: their read fields are looked at once, not for every answer and row.

``writer_of(MatchLine)`` gives a function of an object and ``home_of(request)`` that returns what the serializer's own
``data`` has. It knows the kinds of fields that ours read; one it does not know is asked for its own representation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from django.http import HttpRequest
from django.urls import get_script_prefix, reverse
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

Writer = Callable[[Any, str], Any]
AS_THEY_ARE = (
    serializers.CharField, serializers.IntegerField, serializers.FloatField, serializers.BooleanField,
    serializers.ChoiceField, serializers.DateTimeField,
)  # fmt: skip
LINKS = serializers.HyperlinkedIdentityField
MARK = "987654321012345"


WRITERS: dict[Any, Writer] = {}


def writer_of(kind: type[serializers.BaseSerializer[Any]]) -> Writer:
    """What writes an object as this serializer describes it."""
    if kind not in WRITERS:
        WRITERS[kind] = _writer(kind())
    return WRITERS[kind]


def _writer(serializer: Any) -> Writer:
    parts = [(name, _part(field)) for name, field in _read_fields(serializer)]

    def write(one: Any, home: str) -> dict[str, Any]:
        return {name: part(one, home) for name, part in parts}

    return write


def _read_fields(serializer: Any) -> list[tuple[str, Any]]:
    return [(name, field) for name, field in serializer.fields.items() if not field.write_only]


def _part(field: Any) -> Writer:
    if isinstance(field, LINKS):
        address = _address(field)
        return lambda one, home: address(one.pk, home)
    if isinstance(field, serializers.SerializerMethodField):
        return lambda one, home: getattr(field.parent, str(field.method_name))(one)
    if isinstance(field, serializers.ListSerializer):
        return _many(_got(field), _writer(field.child))
    if isinstance(field, serializers.Serializer):
        return _one(_got(field), _writer(field))
    get = _got(field)
    if isinstance(field, AS_THEY_ARE):
        return lambda one, home: get(one)
    return lambda one, home: None if (value := get(one)) is None else field.to_representation(value)


class Columns:
    """The fields of a serializer as columns of a statement: what is read for them, and the line that such a row makes.

    No object is made on the way. Fields that are no columns are left out, and added to the line by whoever asks.
    """

    def __init__(self, kind: type[serializers.BaseSerializer[Any]], *, without: Sequence[str] = ()) -> None:
        fields = {name: field for name, field in _read_fields(kind()) if name not in without}
        linked = {name: field for name, field in fields.items() if isinstance(field, LINKS)}
        if others := [name for name, field in fields.items() if not isinstance(field, (*AS_THEY_ARE, LINKS))]:
            raise TypeError(f"{kind.__name__}: {', '.join(others)} can't be read as columns")
        self.names = tuple(fields)
        self.read = tuple("pk" if name in linked else fields[name].source.replace(".", "__") for name in fields)
        self._addresses = [(name, _address(field)) for name, field in linked.items()]

    def line(self, row: Sequence[Any], home: str) -> dict[str, Any]:
        """What is told of a row of these columns; what it has beyond them is not told."""
        told = dict(zip(self.names, row, strict=False))
        for name, address in self._addresses:
            told[name] = address(told[name], home)
        return told


def teller_of(kind: type[serializers.Serializer[Any]]) -> Callable[[Any], dict[str, Any]]:
    """What tells of an object whose attributes have the names that this serializer gives them."""
    names = tuple(kind().fields)
    values = attrgetter(*names)
    return lambda one: dict(zip(names, values(one), strict=True))


def _got(field: Any) -> Callable[[Any], Any]:
    """What reads the field's value; where something on the way to it is missing, the field's default."""
    if field.source == "*":
        return lambda one: one
    get = attrgetter(field.source)
    if field.default is serializers.empty:
        return get

    def or_default(one: Any) -> Any:
        try:
            return get(one)
        except AttributeError:
            return field.default

    return or_default


def _one(get: Callable[[Any], Any], write: Writer) -> Writer:
    return lambda one, home: None if (value := get(one)) is None else write(value, home)


def _many(get: Callable[[Any], Any], write: Writer) -> Writer:
    def rows(one: Any, home: str) -> list[Any]:
        found = get(one)
        return [write(each, home) for each in (found.all() if hasattr(found, "all") else found)]

    return rows


def _address(field: Any) -> Callable[[int, str], str]:
    """The address of what has a number, from the scheme on."""

    def address(number: int, home: str) -> str:
        before, after = _around(field.view_name, field.lookup_url_kwarg, get_script_prefix())
        return f"{home}{before}{number}{after}"

    return address


@lru_cache(maxsize=64)
def _around(name: str, keyword: str, prefix: str) -> tuple[str, str]:
    """What stands in an address before and after its number."""
    before, _, after = reverse(name, kwargs={keyword: MARK}).partition(MARK)
    return before, after


def home_of(request: HttpRequest | Request) -> str:
    """Scheme and host, as whoever asks knows this service."""
    return f"{request.scheme}://{request.get_host()}"


class Listed(generics.ListAPIView[Any]):
    """A list whose rows are written quickly."""

    def lines(self, page: Sequence[Any], home: str) -> list[dict[str, Any]]:
        """What is told of the rows of a page."""
        write = writer_of(self.get_serializer_class())
        return [write(one, home) for one in page]

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.lines(page or (), home_of(request)))
