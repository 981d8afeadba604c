"""ETags for what never changes: a finished record, a rules page, a version's source."""

from __future__ import annotations

from typing import TypeVar

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

FOREVER = 365 * 24 * 3600
AnyResponse = TypeVar("AnyResponse", bound=HttpResponse)


def unchanged(request: Request, tag: str, *, private: bool = False) -> Response | None:
    """304 when the visitor already has the thing this tag names."""
    asked = {part.strip().removeprefix("W/") for part in request.headers.get("If-None-Match", "").split(",")}
    if f'"{tag}"' not in asked and "*" not in asked:
        return None
    return tagged(Response(status=304), tag, private=private)


def tagged(response: AnyResponse, tag: str, *, private: bool = False) -> AnyResponse:
    """The same answer, marked as good for ever."""
    response["ETag"] = f'"{tag}"'
    response["Cache-Control"] = f"{'private' if private else 'public'}, max-age={FOREVER}, immutable"
    return response
