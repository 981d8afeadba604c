"""Lists as ``{next, previous, results}``, cursor after cursor, so that page 1000 costs what page 1 costs."""

from __future__ import annotations

import re
from typing import Any

from rest_framework.exceptions import NotFound
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

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            at = super().decode_cursor(request)
        except NotFound:
            at = Cursor(0, False, "\0")
        if at is not None and at.position is not None and not self.position.fullmatch(str(at.position)):
            given = request.query_params.get(self.cursor_query_param, "")
            raise InvalidCursor(given)
        return at


def whole(rows: list[Any]) -> dict[str, Any]:
    """A list that is always short enough for one page."""
    return {"next": None, "previous": None, "results": rows}
