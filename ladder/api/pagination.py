"""Lists as ``{next, previous, results}``, cursor after cursor, so that page 1000 costs what page 1 costs."""

from __future__ import annotations

import re
from typing import Any

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request

from ladder.ratings.paging import InvalidCursor


class Pages(CursorPagination):
    """Newest first; subclasses say otherwise."""

    page_size = 50
    max_page_size = 100
    page_size_query_param = "limit"
    ordering = "-id"
    position = re.compile(r"[0-9]{1,18}")  # what the ordering column can hold

    def get_page_size(self, request: Request) -> int:
        text = request.query_params.get(self.page_size_query_param, str(self.page_size))
        return number_asked(text, self.page_size_query_param, 1, self.max_page_size)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        told = super().get_schema_operation_parameters(view)
        for parameter in told:
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] |= {"minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
        return told

    def decode_cursor(self, request: Request) -> Cursor | None:
        given = request.query_params.get(self.cursor_query_param, "")
        try:
            at = super().decode_cursor(request)
        except NotFound:
            raise InvalidCursor(given) from None
        if at is not None and at.position is not None and not self.position.fullmatch(str(at.position)):
            raise InvalidCursor(given)
        return at


def number_asked(text: str, name: str, low: int, high: int) -> int:
    """The number in a query; raises ValidationError with the value."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or not low <= int(text) <= high:
        raise ValidationError({name: [f"{text[:20]!r} is not a whole number from {low} to {high}."]})
    return int(text)


def whole(rows: list[Any]) -> dict[str, Any]:
    """A list that is always short enough for one page."""
    return {"next": None, "previous": None, "results": rows}
