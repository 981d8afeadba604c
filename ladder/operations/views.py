"""What monitors ask: whether the service works, and its numbers."""

from __future__ import annotations

from dataclasses import asdict
from ipaddress import ip_address

from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from ladder.operations.metrics import DatabaseNumbers
from ladder.operations.queries import health

FORWARDED = ("X-Forwarded-For", "Forwarded", "X-Real-Ip")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while everything works, otherwise 503 with the reasons."""
    seen = health(tells_all=_may_know(request))
    body = {"status": "ok" if seen.ok else "failing", **asdict(seen)}
    return JsonResponse(body, status=200 if seen.ok else 503)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers for Prometheus; for staff and for programs on this machine."""
    if not _may_know(request):
        raise PermissionDenied("Metrics are for administrators and for programs on this machine.")
    registry = CollectorRegistry()
    registry.register(DatabaseNumbers())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _may_know(request: HttpRequest) -> bool:
    """Whether this is an administrator or a program on this machine; nobody is known while the database is away."""
    try:
        return _is_here(request) or request.user.is_staff
    except DatabaseError:
        return False


def _is_here(request: HttpRequest) -> bool:
    """Asked from this machine, and not by a proxy on it for somebody else."""
    if any(header in request.headers for header in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
