"""How often one visitor may ask; whoever asks too often is told when to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from rest_framework.views import APIView


class PerMinute(SimpleRateThrottle):
    """So many requests a minute for each person, or each address of people unknown; 0 means no limit."""

    scope = "all"
    share = 1.0  # of RUMRUNNER_API_A_MINUTE

    def get_rate(self) -> str | None:
        most = settings.API_A_MINUTE
        return f"{max(1, round(most * self.share))}/min" if most else None

    def get_cache_key(self, request: Request, view: APIView) -> str:
        who = f"user-{request.user.pk}" if request.user and request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}


class Costly(PerMinute):
    """For what replays a whole game or starts work."""

    scope = "costly"
    share = 0.2


class LogIns(PerMinute):
    """For passwords; django-axes locks out on top of this."""

    scope = "login"
    share = 0.05
