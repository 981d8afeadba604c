"""What serializers describe, written quickly: their read fields are looked at once, not for every answer and row.

``writer_of(MatchLine)`` gives a function of an object and ``home_of(request)`` that returns what the serializer's own
``data`` has. It knows the kinds of fields that ours read; one it does not know is asked for its own representation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from django.urls import get_script_prefix, reverse
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response

Writer = Callable[[Any, str], Any]
AS_THEY_ARE = (
    serializers.CharField, serializers.IntegerField, serializers.FloatField, serializers.BooleanField,
    serializers.ChoiceField, serializers.DateTimeField,
)  # fmt: skip
MARK = "987654321012345"


WRITERS: dict[Any, Writer] = {}


def writer_of(kind: type[serializers.BaseSerializer[Any]]) -> Writer:
    """What writes an object as this serializer describes it."""
    if kind not in WRITERS:
        WRITERS[kind] = _writer(kind())
    return WRITERS[kind]


def _writer(serializer: Any) -> Writer:
    parts = [(name, _part(field)) for name, field in serializer.fields.items() if not field.write_only]

    def write(one: Any, home: str) -> dict[str, Any]:
        return {name: part(one, home) for name, part in parts}

    return write


def _part(field: Any) -> Writer:
    if isinstance(field, serializers.HyperlinkedIdentityField):
        return _address(field)
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


def _address(field: Any) -> Writer:
    """Its address, from the scheme on."""

    def address(one: Any, home: str) -> str:
        before, after = _around(field.view_name, field.lookup_url_kwarg, get_script_prefix())
        return f"{home}{before}{one.pk}{after}"

    return address


@lru_cache(maxsize=64)
def _around(name: str, keyword: str, prefix: str) -> tuple[str, str]:
    """What stands in an address before and after its number."""
    before, _, after = reverse(name, kwargs={keyword: MARK}).partition(MARK)
    return before, after


def home_of(request: Request) -> str:
    """Scheme and host, as whoever asks knows this service."""
    return request.build_absolute_uri("/")[:-1]


class Listed(generics.ListAPIView[Any]):
    """A list whose rows are written quickly."""

    def in_full(self, page: Sequence[Any]) -> Sequence[Any]:
        """The rows of a page with everything that is written of them."""
        return page

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        write, home = writer_of(self.get_serializer_class()), home_of(request)
        return self.get_paginated_response([write(one, home) for one in self.in_full(page or ())])
