"""Reads that everybody asks for, answered past what the framework prepares for those who ask with a name or a wish."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api.wire import ANYTHING, OrjsonRenderer

RENDERER = OrjsonRenderer()
MOST_QUERY = 1000  # a longer one may have more fields than Django reads, which is refused by the framework


class QuickReads(APIView):
    """A view whose plain reads are counted and answered at once, with what the framework would answer.

    Its ``get`` may be given Django's own request, and must read no more of it than both have.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_plain(request):
            return super().dispatch(request, *args, **kwargs)
        self.args, self.kwargs, self.headers = args, kwargs, self.default_response_headers
        try:
            _ = request.user.is_authenticated  # the answer says that it varies by cookie, as the framework's does
            self.check_throttles(request)  # type: ignore[arg-type]  # they read the user and the address alone
            answer = self.get(request, *args, **kwargs)  # type: ignore[attr-defined]
        except Exception as problem:  # noqa: BLE001 the framework raises again what is no answer
            return self._refused(request, problem)
        return self._told(answer)

    def _refused(self, request: HttpRequest, problem: Exception) -> HttpResponseBase:
        """As the framework tells it; raises what is our own failure."""
        self.request = self.initialize_request(request, *self.args, **self.kwargs)
        self.request.accepted_renderer, self.request.accepted_media_type = RENDERER, RENDERER.media_type
        return self.finalize_response(self.request, self.handle_exception(problem), *self.args, **self.kwargs)

    def _told(self, answer: HttpResponse) -> HttpResponse:
        if isinstance(answer, Response):
            answer = HttpResponse(RENDERER.render(answer.data), content_type=RENDERER.media_type)
        for name, value in self.headers.items():
            answer[name] = value
        return answer


def is_plain(request: HttpRequest) -> bool:
    """Whether it is a read by nobody in particular who wants nothing in particular."""
    return (
        request.method == "GET"
        and request.META.get("HTTP_ACCEPT", ANYTHING) == ANYTHING
        and "HTTP_AUTHORIZATION" not in request.META
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
        and len(request.META.get("QUERY_STRING", "")) < MOST_QUERY
        and "format" not in request.GET
    )
