"""Who reads a page, and how."""

from __future__ import annotations

from django.http import HttpRequest


def wants_fragment(request: HttpRequest) -> bool:
    """Whether a page asks for a part of itself again."""
    return request.headers.get("HX-Request") == "true"
