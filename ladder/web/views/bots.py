"""A bot's page: how it is rated, whom it met, its versions, and what its owner can do with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from arena.intervals import Z95
from engines import GAMES
from ladder.accounts.permissions import signed_in
from ladder.ladders.models import Ladder
from ladder.matches.models import Seat
from ladder.parlour.permissions import may_play_against
from ladder.prepared import prepared
from ladder.qualifying.activation import activate, withdraw
from ladder.qualifying.trials import check_again
from ladder.ratings.models import Standing
from ladder.ratings.queries import (
    LOOK_BACK,
    FitPoint,
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
from ladder.submissions.queries import bot_in_full, latest_versions
from ladder.web.cards import card_of_bot
from ladder.web.confirming import about_withdrawing, ask
from ladder.web.match_rows import MatchRow, match_rows_of
from ladder.web.views.duels import desk_of
from ladder.web.views.following import follow_button
from ladder.web.views.matches import UNWATCHABLE
from ladder.web.views.play import player_of

RECENT = 15
LOOKED_THROUGH = 10  # versions, newest first, whose matches are looked through
MOST_FAULTS = 10


@require_safe
def bot_page(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Everything public about a bot; its owner also gets what to do."""
    bot = bot_in_full(bot_id)
    if bot is None:
        raise Http404
    standings = _standings(bot)
    ladder = _chosen(request, standings)
    versions = latest_versions(bot.pk)
    newest = [version.pk for version in versions[:LOOKED_THROUGH]]
    context: dict[str, Any] = {
        "nav": bot.game,
        "bot": bot,
        "game": GAMES[bot.game],
        "is_mine": owns(request.user, bot),
        "standings": standings,
        "ladder": ladder,
        "standing": next((one for one in standings if one.ladder_id == ladder.pk), None) if ladder else None,
        "versions": versions,
        "matches": recent_matches(newest),
        "faults": _failed_seats(newest),
        "plays_reader": bot.active_version_id and may_play_against(player_of(request), bot),
    }
    context["following"] = follow_button(request, bot)
    context["card"] = card_of_bot(bot, context["standing"])
    context["duels"] = desk_of(bot) if context["is_mine"] else None
    if ladder:
        rated = rated_matches(bot_id=bot.pk, ladder=ladder)
        context["opponents"] = opponents(bot_id=bot.pk, ladder=ladder, most=15, rated=rated)
        context["seats"] = by_seat(bot_id=bot.pk, ladder=ladder, rated=rated)
        context["ratings"] = _ratings(bot, ladder)
        context["history"] = _trueskill(bot, ladder, rated)
        context["looked_back"] = LOOK_BACK if rated > LOOK_BACK else None
    return render(request, "web/bot.html", context)


def _standings(bot: Bot) -> list[Standing]:
    return [one for one in standings_of_bot(bot.pk) if one.version_id == bot.active_version_id]


def rated_standing(bot: Bot) -> Standing | None:
    """The place of the version that plays, on the bot's first ladder."""
    return next(iter(_standings(bot)), None)


def _chosen(request: HttpRequest, standings: list[Standing]) -> Ladder | None:
    asked = request.GET.get("ladder", "")
    ladders = [one.ladder for one in standings]
    return next((ladder for ladder in ladders if ladder.slug == asked), next(iter(ladders), None))


def recent_matches(versions: list[int]) -> list[MatchRow]:
    """The latest matches that these versions have played or are playing, without the many of tests."""
    return match_rows_of(sorted(set(_recent_ids(versions)), reverse=True)[:RECENT])


@prepared
def _recent_ids(versions: list[int]) -> QuerySet[Seat, int]:
    seats = Seat.objects.filter(version__in=versions).exclude(match__status__in=UNWATCHABLE)
    seats = seats.filter(match__set__duel_set__isnull=True)
    return seats.order_by("-match_id").values_list("match_id", flat=True)[: RECENT * 4]


@prepared
def _failed_seats(versions: list[int]) -> QuerySet[Seat]:
    """The latest matches in which the bot itself failed."""
    failed = Seat.objects.filter(version__in=versions).exclude(fault="").select_related("version", "match")
    return failed.order_by("-match_id")[:MOST_FAULTS]


def _ratings(bot: Bot, ladder: Ladder) -> dict[str, Any] | None:
    """The bot in the fits that are kept, for the chart; None before the second."""
    points = fit_history(bot_id=bot.pk, ladder=ladder)
    band = [(point.rated_through, point.rating, point.sd) for point in points]
    return _chart("Rating", band, _marks(points), label="Rated matches on the ladder")


def _trueskill(bot: Bot, ladder: Ladder, rated: int) -> dict[str, Any] | None:
    """TrueSkill after each match, for the chart: numbers, mu, the band, and where something begins."""
    points = history(bot_id=bot.pk, ladder=ladder, rated=rated)
    band = [(point.nth, point.mu, point.sigma) for point in points]
    return _chart("TrueSkill", band, _marks(points), label="Rated matches of the bot")


def _chart(
    what: str, band: list[tuple[int, float, float]], marks: list[dict[str, Any]], *, label: str
) -> dict[str, Any] | None:
    """Numbers with their value and its deviation, drawn with 95 % around them; None for less than two."""
    if len(band) < 2:
        return None
    return {
        "label": label,
        "what": what,
        "number": [number for number, _, _ in band],
        "value": [round(value, 2) for _, value, _ in band],
        "low": [round(value - Z95 * sd, 2) for _, value, sd in band],
        "high": [round(value + Z95 * sd, 2) for _, value, sd in band],
        "marks": marks,
    }


def _marks(points: Sequence[Point | FitPoint]) -> list[dict[str, Any]]:
    """Where a chart has an upright line, and what is written there."""
    pairs = zip([None, *points], points, strict=False)
    return [{"at": at, "label": label} for at, pair in enumerate(pairs) if (label := _begins(*pair))]


def _begins(before: Point | FitPoint | None, point: Point | FitPoint) -> str:
    """What begins at a point of the history: a version, a season, new rules, or nothing."""
    if before is None:
        return f"v{point.version}"
    version = f"v{point.version}" if before.version != point.version else ""
    season = f"season {point.season}" if before.season != point.season else ""
    rules = f"rules {_rules(point)}" if _rules(before) != _rules(point) else ""
    return " ".join(filter(None, (version, season, rules)))


def _rules(point: Point | FitPoint) -> int | None:
    return point.rules_version if isinstance(point, Point) else None  # fits are those under the present rules


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
            activate(version, by=signed_in(request.user))
            messages.success(request, f"Version {version.number} is now the active version of {version.bot.name}.")
        else:
            withdraw(version, by=signed_in(request.user))
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
