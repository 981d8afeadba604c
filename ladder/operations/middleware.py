"""Refuses what can't be taken in, before a view sees it: too large a body, text with a NUL in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse

from ladder.web.errors import bad_request, error_page, not_found

FORM_BYTES = 64 * 1024  # what a form adds around the file


class RefuseLargeBodies:
    """413 for more than an upload may have, before a byte is read or written; WSGI reads no body without a length."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        limit = settings.UPLOAD_MIB * settings.MEBIBYTE + FORM_BYTES
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > limit:
            return bad_request(request, RequestDataTooBig())
        return self.get_response(request)


class RefuseNul:
    """400 for a NUL in a query or a form, 404 for one in a path.

    No text here has one, and PostgreSQL can neither keep nor look for it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info:
            return not_found(request)
        return _nul_refused(request) if "%00" in request.META.get("QUERY_STRING", "") else self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, _args: Any, _kwargs: Any) -> HttpResponse | None:
        if getattr(view, "csrf_exempt", False):  # the API's bodies are read and looked through by its own parsers
            return None
        has_nul = any("\0" in text for _, texts in request.POST.lists() for text in texts)
        return _nul_refused(request) if has_nul else None


def _nul_refused(request: HttpRequest) -> HttpResponse:
    what = "The request contains a NUL character, which is not allowed in text."
    return error_page(request, 400, what, "Remove it and try again. Nothing was changed.")
