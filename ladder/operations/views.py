"""What monitors ask: whether the service works, and its numbers."""

from __future__ import annotations

import secrets
from dataclasses import asdict

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from ladder.accounts.models import User
from ladder.api.authentication import TokenAuthentication, token_sent
from ladder.operations.metrics import DatabaseNumbers
from ladder.operations.permissions import may_watch
from ladder.operations.queries import Health, health
from ladder.operations.traffic import TrafficNumbers


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the service works, also where a worker does not; otherwise 503 with the reasons."""
    seen = health(tells_all=_may_know(request))
    body = {"status": _status(seen), **asdict(seen)}
    return JsonResponse(body, status=200 if seen.ok else 503)


def _status(seen: Health) -> str:
    if not seen.ok:
        return "failing"
    return "degraded" if seen.warnings else "ok"


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers for Prometheus."""
    if not _may_know(request):
        raise PermissionDenied(
            "Metrics are for administrators, and for programs that send the token of RUMRUNNER_METRICS_TOKEN "
            "(`Authorization: Bearer …`)."
        )
    registry = CollectorRegistry()
    registry.register(DatabaseNumbers())
    registry.register(TrafficNumbers())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may_know(request: HttpRequest) -> bool:
    """Whether a scraper asks, or an administrator; nobody is known while the database is away."""
    if _is_scraper(request):
        return True
    try:
        return may_watch(_who(request))
    except DatabaseError:
        return False


def _is_scraper(request: HttpRequest) -> bool:
    expected = settings.METRICS_TOKEN.encode()
    return bool(expected) and secrets.compare_digest(token_sent(request) or b"", expected)


def _who(request: HttpRequest) -> User | AnonymousUser:
    """The owner of the token that was sent, or else of the browser's session."""
    try:
        known = TokenAuthentication().authenticate(Request(request))
    except AuthenticationFailed:
        return AnonymousUser()
    return known[0] if known else request.user
