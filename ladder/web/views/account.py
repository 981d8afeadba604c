"""One's own page: bots, tournaments, and what happened to them."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.accounts.models import User
from ladder.accounts.permissions import signed_in
from ladder.accounts.queries import notifications_of
from ladder.accounts.services import read_notifications
from ladder.ratings.models import Standing
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.queries import bots_in_full
from ladder.web.context import games_in_order
from ladder.web.views.tournaments import tournaments_of

NEWS = 30


@dataclass(frozen=True, slots=True)
class OwnBot:
    """One of the reader's bots: how it stands, or, where no version plays, what became of the newest."""

    bot: Bot
    standings: list[Standing]
    newest: BotVersion | None


@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Bots, tournaments and news; showing the news marks it read."""
    news = list(notifications_of(signed_in(request.user))[:NEWS])
    context = {
        "bots": _own_bots(signed_in(request.user)),
        "tournaments": tournaments_of(signed_in(request.user)),
        "news": news,
    }
    answer = render(request, "web/account.html", context)
    if any(one.read_at is None for one in news):
        read_notifications(signed_in(request.user))
    return answer


def _own_bots(user: User) -> list[OwnBot]:
    """All bots of a person, game by game, each game's newest first."""
    order = {game.name: place for place, game in enumerate(games_in_order())}
    bots = sorted(bots_in_full().filter(owner=user), key=lambda bot: order.get(bot.game, len(order)))
    listed = Standing.objects.filter(version__in=[bot.active_version_id for bot in bots if bot.active_version_id])
    standings: dict[int, list[Standing]] = {}
    for standing in listed.select_related("ladder").order_by("ladder__slug"):
        standings.setdefault(standing.bot_id, []).append(standing)
    idle = [bot.pk for bot in bots if not bot.active_version_id]
    newest = {version.bot_id: version for version in BotVersion.objects.filter(bot__in=idle).order_by("number")}
    return [OwnBot(bot, standings.get(bot.pk, []), newest.get(bot.pk)) for bot in bots]
