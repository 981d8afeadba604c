"""Refuses a body by its announced length, before a byte of it is read or written to disk."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse

from ladder.web.errors import bad_request

FORM_BYTES = 64 * 1024  # what a form adds around the file


class RefuseLargeBodies:
    """413 for more than an upload may have; a body without a length is never read by WSGI."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        limit = settings.UPLOAD_MIB * settings.MEBIBYTE + FORM_BYTES
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdecimal() and int(length) > limit:
            return bad_request(request, RequestDataTooBig())
        return self.get_response(request)
