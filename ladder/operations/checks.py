"""Settings that contradict each other, told by `manage.py check` and at every start."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register


@register
def https_needs_a_proxy(**_: Any) -> list[CheckMessage]:
    """The web server itself speaks http; only a proxy that is believed can tell which requests came over https."""
    if not settings.HTTPS or settings.PROXIES:
        return []
    told = "RUMRUNNER_HTTPS is on, but RUMRUNNER_PROXIES is 0: plain requests are not redirected and HSTS is not sent."
    return [Warning(told, hint="Set RUMRUNNER_PROXIES to the number of proxies in front of the site, usually 1.")]
