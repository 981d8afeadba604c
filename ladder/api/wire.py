"""JSON in and out through orjson, with a limit on what is read."""

from __future__ import annotations

from typing import IO, Any

import orjson
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer

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
    """Whether any text in it has a NUL, which PostgreSQL can neither keep nor look for."""
    if isinstance(told, str):
        return "\0" in told
    if isinstance(told, dict):
        return any(_has_nul(part) for pair in told.items() for part in pair)
    return isinstance(told, list) and any(map(_has_nul, told))
