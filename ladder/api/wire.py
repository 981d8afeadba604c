"""JSON in and out through orjson, with a limit on what is read."""

from __future__ import annotations

from typing import IO, Any

import orjson
from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

ANYTHING = "*/*"
LARGEST_JSON = 1024 * 1024
OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS


class TooLarge(APIException):
    """A body larger than this place takes."""

    status_code = 413
    default_code = "upload_too_large"


class OrjsonRenderer(JSONRenderer):
    """DRF's JSON, faster; dataclasses and times are written as they are."""

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else orjson.dumps(data, default=str, option=OPTIONS)


class Negotiation(DefaultContentNegotiation):
    """The framework's; whoever asks for nothing in particular gets the first renderer, as there, without the search."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        if format_suffix or "format" in request.GET or request.META.get("HTTP_ACCEPT", ANYTHING) != ANYTHING:
            return super().select_renderer(request, renderers, format_suffix)
        return renderers[0], renderers[0].media_type


class OrjsonParser(BaseParser):
    """A JSON body of at most 1 MiB."""

    media_type = "application/json"
    renderer_class = OrjsonRenderer

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(LARGEST_JSON + 1)
        if len(body) > LARGEST_JSON:
            raise TooLarge(f"The JSON body is larger than {LARGEST_JSON} bytes.")
        try:
            told = orjson.loads(body)
        except orjson.JSONDecodeError as problem:
            raise ParseError(f"The body is not JSON: {problem}.") from None
        if b"\\u0000" in body and _has_nul(told):
            raise ParseError("The body contains a NUL character, which is not allowed in text.")
        return told


def _has_nul(told: Any) -> bool:
    """Whether any text in it has a NUL, which PostgreSQL can neither keep nor look for; however deep it lies."""
    parts = [told]
    while parts:
        part = parts.pop()
        if isinstance(part, str) and "\0" in part:
            return True
        if isinstance(part, dict):
            parts += [*part.keys(), *part.values()]
        elif isinstance(part, list):
            parts += part
    return False
