"""Who reads a page, and how."""

from __future__ import annotations

from django.http import HttpRequest


def wants_fragment(request: HttpRequest) -> bool:
    """Whether a page asks for a part of itself again."""
    return request.headers.get("HX-Request") == "true"


def wants_json(request: HttpRequest) -> bool:
    """Whether a program asks: one that uses the API, or a script of a page."""
    return request.path_info.startswith("/api/") or request.headers.get("Accept", "").startswith("application/json")
