"""One shape for every failure: ``{"error": {"code", "message", "fields"?}}``."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from engines.games import UnknownGame
from ladder.api.authentication import EXPECTED
from ladder.api.wire import TooLarge
from ladder.refusals import QuotaExceeded, Refused, game_missing

TOO_MUCH = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)
CODES = {
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "authentication_failed",
    exceptions.PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.ParseError: "parse_error",
    exceptions.ValidationError: "invalid",
    exceptions.Throttled: "throttled",
}


def error(code: str, message: str, status_code: int, fields: dict[str, list[str]] | None = None) -> Response:
    """The answer to a request that failed."""
    told: dict[str, Any] = {"code": code, "message": message}
    if fields:
        told["fields"] = fields
    return Response({"error": told}, status=status_code)


def handle(exception: Exception, context: dict[str, Any]) -> Response | None:
    """Turn what was raised into an answer; None leaves our own failures, and a database that is away, to the site."""
    set_rollback()
    if isinstance(exception, UnknownGame):
        exception = game_missing(exception)
    if isinstance(exception, Refused):
        return _refused(exception)
    if isinstance(exception, TOO_MUCH):
        exception = TooLarge(f"The request body is too large; a bundle may have at most {settings.UPLOAD_MIB} MiB.")
    if isinstance(exception, Http404):
        exception = exceptions.NotFound(*exception.args)
    if isinstance(exception, PermissionDenied):
        exception = exceptions.PermissionDenied(*exception.args)
    return _api_exception(exception) if isinstance(exception, exceptions.APIException) else None


def _refused(refused: Refused) -> Response:
    fields = {refused.field: [refused.message]} if refused.field else None
    answer = error(refused.code, refused.message, refused.status, fields)
    if isinstance(refused, QuotaExceeded) and refused.retry_after_s is not None:
        answer["Retry-After"] = str(refused.retry_after_s)
    return answer


def _api_exception(exception: exceptions.APIException) -> Response:
    fields = None
    message = str(exception.detail)
    if isinstance(exception, exceptions.ValidationError):
        fields = _fields(exception.detail)
        message = " ".join(f"{name}: {texts[0]}" for name, texts in fields.items())
    elif isinstance(exception, exceptions.Throttled):
        message = f"Too many requests. Try again in {_seconds(exception)} s."
    elif isinstance(exception, exceptions.NotAuthenticated):
        message = f"You are not signed in. Send `{EXPECTED}` with a token from auth/login/ or from your account page."
    elif isinstance(exception, exceptions.MethodNotAllowed):
        message = f"{exception.detail} See /api/docs/ for what this path accepts."
    answer = error(CODES.get(type(exception), str(exception.default_code)), message, exception.status_code, fields)
    if header := getattr(exception, "auth_header", None):
        answer["WWW-Authenticate"] = header
    if isinstance(exception, exceptions.Throttled):
        answer["Retry-After"] = str(_seconds(exception))
    return answer


def _seconds(throttled: exceptions.Throttled) -> int:
    return max(1, int(getattr(throttled, "wait", None) or 1))


def _fields(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """Every complaint under the dotted name of its field."""
    if isinstance(detail, dict):
        pairs = [(f"{prefix}.{key}" if prefix else str(key), part) for key, part in detail.items()]
    elif any(isinstance(part, dict | list) for part in detail):
        pairs = [(f"{prefix}.{index}" if prefix else str(index), part) for index, part in enumerate(detail)]
    else:
        return {prefix or "body": [str(text) for text in detail]}
    found: dict[str, list[str]] = {}
    for name, part in pairs:
        found |= _fields(part, name) if part else {}
    return found
