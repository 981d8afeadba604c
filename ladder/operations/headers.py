"""Requests as this service reads them: whatever their headers say, they can be answered."""

from __future__ import annotations

from typing import Any

from django.core.handlers.wsgi import WSGIRequest


class PlainRequest(WSGIRequest):
    """Django's request; addresses and forms are UTF-8, whichever encoding a header names.

    Django decodes them by any codec of Python's, and fails with one that is not for text. What follows a content type
    and can't be read is left out, and so is a cookie with a NUL, which PostgreSQL can't look for.
    """

    def __init__(self, environ: dict[str, Any]) -> None:
        super().__init__(environ)
        if "\\" in environ.get("HTTP_COOKIE", ""):  # an escape in quotes can stand for any character
            self.COOKIES = {name: value for name, value in self.COOKIES.items() if "\0" not in value}

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except (ValueError, LookupError):
            meta["CONTENT_TYPE"] = meta["CONTENT_TYPE"].partition(";")[0]
            super()._set_content_type_params(meta)  # type: ignore[misc]
        self._encoding = None
