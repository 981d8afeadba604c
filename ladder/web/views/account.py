"""One's own page: bots, tournaments, and what happened to them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.accounts.permissions import signed_in
from ladder.accounts.queries import notifications_of
from ladder.accounts.services import read_notifications
from ladder.submissions.queries import bots_in_full
from ladder.web.views.tournaments import tournaments_of

NEWS = 30


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Bots, tournaments and news; showing the news marks it read."""
    news = list(notifications_of(signed_in(request.user))[:NEWS])
    context = {
        "bots": list(bots_in_full().filter(owner=signed_in(request.user))),
        "tournaments": tournaments_of(signed_in(request.user)),
        "news": news,
    }
    answer = render(request, "web/account.html", context)
    if any(one.read_at is None for one in news):
        read_notifications(signed_in(request.user))
    return answer
