"""Error pages in the site's own look, and the API's error shape for programs and for scripts of pages."""

from __future__ import annotations

import sys
from collections.abc import Callable

import structlog
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import get_script_prefix

from engines.games import UnknownGame
from ladder import outages
from ladder.outages import is_away
from ladder.refusals import QuotaExceeded, Refused, game_missing
from ladder.web.context import games_in_order, theme_of
from ladder.web.reader import wants_json

log = structlog.get_logger("ladder.web")
TITLES = {
    400: "This request can’t be read",
    403: "Not allowed",
    404: "Page not found",
    409: "Not now",
    413: "Too large",
    429: "Too many attempts",
    500: "Server error",
    503: "Back soon",
}
NEXT = {
    404: "It may have been removed, or the address may be mistyped. Start from the home page.",
    409: "Wait until its status changes, then try again. Nothing was changed.",
    429: "Wait a while and try again. Nothing was changed.",
}
CODES = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    409: "conflict",
    413: "upload_too_large",
    429: "too_many_requests",
    500: "server_error",
    503: "unavailable",
}


def error_page(request: HttpRequest, status: int, what: str, next: str, *, asks_who: bool = True) -> HttpResponse:
    """A page, or JSON for a program: what was wrong, and what to do now; asks_who offers strangers to sign in."""
    if wants_json(request):
        return _told(status, f"{what} {next}".strip())
    return render(
        request,
        "web/error.html",
        {"status": status, "title": TITLES[status], "what": what, "next": next, "asks_who": asks_who},
        status=status,
    )


def _told(status: int, message: str) -> JsonResponse:
    return JsonResponse({"error": {"code": CODES[status], "message": message}}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own refusals: too much data is 413, the rest 400."""
    if isinstance(exception, RequestDataTooBig | TooManyFilesSent | TooManyFieldsSent):
        what = f"Your request is too large; a bundle may have at most {settings.UPLOAD_MIB} MiB."
        return error_page(request, 413, what, "Make it smaller and send it again. Nothing was changed.")
    what = "The server could not understand the request."
    return error_page(request, 400, what, "Go back, reload the page and try again. Nothing was changed.")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """The reader is known and may not."""
    said = str(exception) if exception and str(exception) else "This belongs to someone else, or needs another role."
    next = "Sign in with the account that owns it." if request.user.is_authenticated else "Sign in and try again."
    return error_page(request, 403, said, f"{next} Nothing was changed.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form whose secret did not match, mostly because it was open for too long."""
    what = "The form’s security token was missing or expired."
    next = "Allow cookies for this site, go back, reload the page and submit the form again. Nothing was changed."
    return error_page(request, 403, what, next, asks_who=False)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """No page at this address."""
    what = f"There is no page at {request.path[:200]}."
    return error_page(request, 404, what, NEXT[404])


def server_error(request: HttpRequest) -> HttpResponse:
    """What no view answered for: the database is away, or the failure is ours."""
    if is_away(failure := sys.exc_info()[1]):
        return unavailable(request, failure)
    what = "Something failed on our side, and it has been logged."
    next = "Try again in a minute. Matches and ratings are not affected."
    return _bare_page(request, 500, what, next)


def unavailable(request: HttpRequest, failure: BaseException | None) -> HttpResponse:
    """The database is away: the log has one line, and whoever asked is told when to ask again."""
    log.error("database away", path=request.path, error=str(failure).strip())
    request.user = AnonymousUser()  # who it was is in the database; nobody on the way out should ask again
    answer = _bare_page(request, 503, outages.WHAT, outages.NEXT)
    answer["Retry-After"] = str(outages.RETRY_AFTER_S)
    return answer


def _bare_page(request: HttpRequest, status: int, what: str, next: str) -> HttpResponse:
    """An error page made without the database, sessions or anything else that may be what failed."""
    if wants_json(request):
        return _told(status, f"{what} {next}")
    context = {
        "status": status,
        "title": TITLES[status],
        "what": what,
        "next": next,
        "prefix": get_script_prefix(),
        "again": request.get_full_path() if request.method == "GET" else "",
        "nav_games": games_in_order(),
        "theme": theme_of(request),
    }
    return HttpResponse(render_to_string("web/error.html", context), status=status)


class TellRefusals:
    """Middleware: what the service says no to, or can't do just now, becomes a page with its own status."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if is_away(exception):
            return unavailable(request, exception)
        if isinstance(exception, UnknownGame):
            exception = game_missing(exception)
        if not isinstance(exception, Refused) or request.path_info.startswith("/api/"):
            return None
        status = exception.status if exception.status in TITLES else 400
        next = "" if wants_json(request) else NEXT.get(status, "Nothing was changed.")
        answer = error_page(request, status, exception.message, next)
        if isinstance(exception, QuotaExceeded) and exception.retry_after_s is not None:
            answer["Retry-After"] = str(exception.retry_after_s)
        return answer
