"""A bot's page: how it is rated, whom it met, its versions, and what its owner can do with them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from engines import GAMES
from ladder.ladders.models import Ladder
from ladder.matches.models import Match, Seat
from ladder.matches.queries import matches_in_full
from ladder.qualifying.activation import activate, withdraw
from ladder.qualifying.trials import check_again
from ladder.ratings.models import Z95, Standing
from ladder.ratings.queries import (
    LOOK_BACK,
    Point,
    by_seat,
    fit_history,
    history,
    opponents,
    rated_matches,
    standings_of_bot,
)
from ladder.refusals import Refused
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import may_manage, owns
from ladder.submissions.queries import bots_in_full, versions_of
from ladder.web.cards import card_of_bot
from ladder.web.confirming import about_withdrawing, ask

RECENT = 15
MOST_VERSIONS = 50
MOST_FAULTS = 10


@require_safe
def bot_page(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Everything public about a bot; its owner also gets what to do."""
    bot = get_object_or_404(bots_in_full(), pk=bot_id)
    standings = [one for one in standings_of_bot(bot.pk) if one.version_id == bot.active_version_id]
    ladder = _chosen(request, standings)
    context: dict[str, Any] = {
        "nav": bot.game,
        "bot": bot,
        "game": GAMES[bot.game],
        "is_mine": owns(request.user, bot),
        "standings": standings,
        "ladder": ladder,
        "standing": next((one for one in standings if one.ladder_id == ladder.pk), None) if ladder else None,
        "versions": list(versions_of(bot)[:MOST_VERSIONS]),
        "matches": recent_matches(bot),
        "faults": _faults(bot),
    }
    context["card"] = card_of_bot(bot, context["standing"])
    if ladder:
        context["opponents"] = opponents(bot_id=bot.pk, ladder=ladder, most=15)
        context["seats"] = by_seat(bot_id=bot.pk, ladder=ladder)
        context["ratings"] = _ratings(bot, ladder)
        context["history"] = _trueskill(bot, ladder)
        context["looked_back"] = LOOK_BACK if rated_matches(bot_id=bot.pk, ladder=ladder) > LOOK_BACK else None
    return render(request, "web/bot.html", context)


def _chosen(request: HttpRequest, standings: list[Standing]) -> Ladder | None:
    asked = request.GET.get("ladder", "")
    ladders = [one.ladder for one in standings]
    return next((ladder for ladder in ladders if ladder.slug == asked), next(iter(ladders), None))


def recent_matches(bot: Bot) -> list[Any]:
    """The latest matches of a bot's latest versions but those called off, by the index of their seats."""
    versions = list(bot.versions.order_by("-number").values_list("pk", flat=True)[:10])
    seats = Seat.objects.filter(version__in=versions).exclude(match__status=Match.Status.CANCELLED)
    ids = seats.order_by("-match_id").values_list("match_id", flat=True)[: RECENT * 4]
    latest = sorted(set(ids), reverse=True)[:RECENT]
    return list(matches_in_full().filter(pk__in=latest))


def _faults(bot: Bot) -> list[Seat]:
    """The latest matches in which the bot itself failed."""
    versions = list(bot.versions.order_by("-number").values_list("pk", flat=True)[:10])
    failed = Seat.objects.filter(version__in=versions).exclude(fault="").select_related("version", "match")
    return list(failed.order_by("-match_id")[:MOST_FAULTS])


def _ratings(bot: Bot, ladder: Ladder) -> dict[str, Any] | None:
    """The bot in the fits that are kept, for the chart; None before the second."""
    points = fit_history(bot_id=bot.pk, ladder=ladder)
    if len(points) < 2:
        return None
    versions = [point.version for point in points]
    began = [at for at in range(len(versions)) if at == 0 or versions[at] != versions[at - 1]]
    return {
        "label": "Matches of the ladder",
        "what": "Rating",
        "number": [point.matches for point in points],
        "value": [round(point.rating, 2) for point in points],
        "low": [round(point.rating - Z95 * point.sd, 2) for point in points],
        "high": [round(point.rating + Z95 * point.sd, 2) for point in points],
        "marks": [{"at": at, "label": f"v{versions[at]}"} for at in began],
    }


def _trueskill(bot: Bot, ladder: Ladder) -> dict[str, Any] | None:
    """TrueSkill after each match, for the chart: numbers, mu, the band, and where versions and rules begin."""
    points = history(bot_id=bot.pk, ladder=ladder)
    if len(points) < 2:
        return None
    pairs = enumerate(pairwise([None, *points]))
    marks = [{"at": at, "label": label} for at, pair in pairs if (label := _begins(*pair))]
    return {
        "label": "Match",
        "what": "TrueSkill",
        "number": [point.nth for point in points],
        "value": [round(point.mu, 2) for point in points],
        "low": [round(point.mu - Z95 * point.sigma, 2) for point in points],
        "high": [round(point.mu + Z95 * point.sigma, 2) for point in points],
        "marks": marks,
    }


def _begins(before: Point | None, point: Point) -> str:
    """What begins at a point of the history: a version, new rules, or nothing."""
    version = f"v{point.version}" if before is None or before.version != point.version else ""
    rules = f"rules {point.rules_version}" if before and before.rules_version != point.rules_version else ""
    return " ".join(filter(None, (version, rules)))


@login_required
@require_http_methods(["GET", "POST"])
def change_version(request: HttpRequest, version_id: int, change: str) -> HttpResponse:
    """Make a version the active one, check it again, or take it out of play after asking; a refusal is told."""
    version = get_object_or_404(BotVersion.objects.select_related("bot"), pk=version_id)
    if not may_manage(request.user, version.bot):
        raise Http404
    if request.method == "GET":
        return ask(request, about_withdrawing(version)) if change == "withdraw" else redirect("web:bot", version.bot_id)
    try:
        if change == "check":
            return _check_again(request, version)
        if change == "activate":
            activate(version, by=request.user)
            messages.success(request, f"Version {version.number} is now the active version of {version.bot.name}.")
        else:
            withdraw(version, by=request.user)
            messages.success(
                request, f"Version {version.number} of {version.bot.name} has been withdrawn. Its results stay."
            )
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("web:bot", version.bot_id)


def _check_again(request: HttpRequest, version: BotVersion) -> HttpResponse:
    check_again(version)
    messages.success(request, f"Version {version.number} of {version.bot.name} is being checked again.")
    return redirect("web:version", version.pk)
