"""What django-axes asks us: whose log-in this is, and what a locked-out visitor sees."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from rest_framework.throttling import BaseThrottle

NAME_KEYS = ("username", "login")  # the API and the desk say username, allauth's page says login


def attempted_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """The name somebody tries to get in with, in one case, so that spelling it anew wins no more attempts."""
    given = (credentials or {}).get("username")
    if given is None:
        given = next((request.POST[key] for key in NAME_KEYS if key in request.POST), "")
    return str(given).lower()[:255]


def client_address(request: HttpRequest) -> str | None:
    """Where a visitor is, as the throttles see it: what proxies forward is believed of trusted ones only."""
    seen = BaseThrottle().get_ident(request)  # type: ignore[arg-type]  # looks at META alone
    try:
        return str(ip_address(seen))
    except ValueError:
        return request.META.get("REMOTE_ADDR") or None


def answer(request: HttpRequest, _response: HttpResponse | None = None, _credentials: Any = None) -> HttpResponse:
    """429 with the time to come back, as JSON for programs and as a page for people."""
    seconds = int(settings.AXES_COOLOFF_TIME.total_seconds())
    message = f"Too many failed sign-ins. Try again in {seconds // 60} minutes, or ask an administrator to unlock you."
    if request.path_info.startswith("/api/"):
        body = {"error": {"code": "locked_out", "message": message}}
        reply: HttpResponse = JsonResponse(body, status=429)
    else:
        reply = render(request, "account/locked_out.html", {"message": message}, status=429)
    reply["Retry-After"] = str(seconds)
    return reply
