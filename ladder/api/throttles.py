"""How often one visitor may ask; whoever asks too often is told when to come back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from ladder.refusals import QuotaExceeded

if TYPE_CHECKING:
    from rest_framework.views import APIView

ViewFunction = Callable[..., HttpResponse]


class PerMinute(SimpleRateThrottle):
    """So many requests a minute for each person, or each address of people unknown; 0 means no limit."""

    scope = "all"
    cache_format = "visits_%(scope)s_%(ident)s"
    share = 1.0  # of RUMRUNNER_API_A_MINUTE
    wait_s = 0.0
    num_requests: int  # these two are the rate, as the framework reads it
    duration: int

    def get_rate(self) -> str | None:
        most = settings.API_A_MINUTE
        return f"{max(1, round(most * self.share))}/min" if most else None

    def get_cache_key(self, request: Request, view: APIView) -> str:
        who = f"user-{request.user.pk}" if request.user and request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}

    def allow_request(self, request: Request, view: APIView) -> bool:
        """In one step at the broker, where the framework reads and writes: two processes never count one visit."""
        if self.rate is not None:
            visits: Any = self.cache  # ladder.cache has them
            key = self.get_cache_key(request, view)
            self.wait_s = visits.visit(key, now=self.timer(), period_s=self.duration, most=self.num_requests)
        return not self.wait_s

    def wait(self) -> float:
        return self.wait_s

    def seconds_to_wait(self, page: HttpRequest | Request) -> float:
        """For a page: 0 if the visitor may have it now, and the visit is counted then."""
        asked, view = cast("Request", page), cast("APIView", None)  # only user and address are read, which both have
        return 0 if self.allow_request(asked, view) else self.wait()


class Costly(PerMinute):
    """For what replays a whole game or starts work."""

    scope = "costly"
    share = 0.2


class LogIns(PerMinute):
    """For passwords; django-axes locks out on top of this."""

    scope = "login"
    share = 0.05


class AskedTooOften(QuotaExceeded):
    """The visitor is faster than one visitor may be."""

    code = "throttled"


def count_visit(kind: type[PerMinute], request: HttpRequest | Request) -> None:
    """Count what a visitor asks for towards an allowance; raises AskedTooOften when it is used up."""
    if wait := kind().seconds_to_wait(request):
        free_at = now() + timedelta(seconds=wait)
        raise AskedTooOften("You have made too many of these requests.", free_at=free_at)


def count_guess(code: str, request: HttpRequest | Request) -> None:
    """Count a code before it is looked at, so that nobody learns of one more than was allowed; raises AskedTooOften."""
    if code:
        count_visit(Costly, request)


def throttled(*kinds: type[PerMinute]) -> Callable[[ViewFunction], ViewFunction]:
    """For a page that costs what its twin in the API costs: both draw on the same allowance. Raises AskedTooOften."""

    def slow_down(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            for kind in kinds:
                count_visit(kind, request)
            return view(request, *args, **kwargs)

        return page

    return slow_down
