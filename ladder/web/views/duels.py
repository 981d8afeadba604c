"""Is my new version better? The button, the page that draws the test as it goes, and its end."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ladder.accounts.permissions import signed_in
from ladder.duels.models import Duel
from ladder.duels.queries import duels_of, get_duel, report_of, sentence_of
from ladder.duels.services import cancel, newest, play_better_only, rival_of, start
from ladder.ladders.models import Ladder
from ladder.matches.models import Match
from ladder.refusals import Refused
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import may_manage
from ladder.submissions.queries import bots_in_full
from ladder.web.charts import ratio_chart
from ladder.web.confirming import about_cancelling_duel, ask
from ladder.web.match_rows import MatchRow, match_rows_of
from ladder.web.reader import wants_fragment

LATEST = 5
MOST_VERSIONS = 30


@dataclass(frozen=True, slots=True)
class DuelDesk:
    """What an owner can ask about the versions of a bot, and what was asked last."""

    bot: Bot
    versions: list[BotVersion]
    ladders: list[Ladder]
    latest: list[tuple[Duel, str]]
    new: BotVersion | None
    old: BotVersion | None
    why_not: str  # why there is nothing to test yet

    @property
    def playing(self) -> Duel | None:
        return next((duel for duel, _ in self.latest if duel.is_playing), None)


def desk_of(bot: Bot, new: BotVersion | None = None) -> DuelDesk:
    """The form with its defaults, for the newest version or for this one."""
    qualified = bot.versions.filter(status=BotVersion.Status.QUALIFIED).order_by("-number")
    old, why_not = None, ""
    try:
        new = new or newest(bot)
        old = rival_of(new)
    except Refused as refused:
        why_not = refused.message
    return DuelDesk(
        bot=bot,
        versions=list(qualified[:MOST_VERSIONS]),
        ladders=list(Ladder.objects.filter(game=bot.game, is_open=True).order_by("seats", "slug")),
        latest=[(duel, sentence_of(duel)) for duel in duels_of(bot)[:LATEST]],
        new=new,
        old=old,
        why_not=why_not,
    )


class DuelForm(forms.Form):
    """Which versions are tested, and what comes of it."""

    new = forms.IntegerField(required=False, min_value=1, max_value=10**9)
    old = forms.IntegerField(required=False, min_value=1, max_value=10**9)
    ladder = forms.SlugField(required=False, max_length=80)
    switch_when_better = forms.BooleanField(required=False)


@login_required
@require_POST
def start_duel(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Begin the test; a refusal is told on the bot's page."""
    bot = _own_bot(request, bot_id)
    form = DuelForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose two versions and a ladder from the lists.")
        return redirect("web:bot", bot.pk)
    wanted = form.cleaned_data
    try:
        duel = start(
            bot=bot,
            by=signed_in(request.user),
            new=_version(bot, wanted["new"]),
            old=_version(bot, wanted["old"]),
            ladder=Ladder.objects.filter(slug=wanted["ladder"]).first() if wanted["ladder"] else None,
            switch_when_better=wanted["switch_when_better"],
        )
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("web:bot", bot.pk)
    return redirect("web:duel", duel.pk)


def _own_bot(request: HttpRequest, bot_id: int) -> Bot:
    bot = get_object_or_404(bots_in_full(), pk=bot_id)
    if not may_manage(request.user, bot):
        raise Http404
    return bot


def _version(bot: Bot, number: int | None) -> BotVersion | None:
    return get_object_or_404(bot.versions.select_related("bot"), number=number) if number else None


@login_required
@require_safe
def duel_page(request: HttpRequest, duel_id: int) -> HttpResponse:
    """How the test stands, for the owner; it updates itself until the verdict."""
    duel = _own_duel(request, duel_id)
    report = report_of(duel)
    context = {
        "nav": duel.bot.game,
        "duel": duel,
        "report": report,
        "chart": ratio_chart(report.path, bound=report.bound),
        "matches": _latest_matches(duel),
    }
    return render(request, "web/_duel.html" if wants_fragment(request) else "web/duel.html", context)


def _own_duel(request: HttpRequest, duel_id: int) -> Duel:
    duel = get_duel(duel_id)
    if not may_manage(request.user, duel.bot):
        raise Http404
    return duel


def _latest_matches(duel: Duel, most: int = 6) -> list[MatchRow]:
    """The matches of the sets played last."""
    sets = list(duel.played.order_by("-number").values_list("set", flat=True)[:40])
    played = Match.objects.filter(set__in=sets, status__in=[Match.Status.FINISHED, Match.Status.VOID])
    return match_rows_of(list(played.order_by("-id").values_list("pk", flat=True)[:most]))


@login_required
@require_http_methods(["GET", "POST"])
def cancel_duel(request: HttpRequest, duel_id: int) -> HttpResponse:
    """Call a test off, after asking."""
    duel = _own_duel(request, duel_id)
    if request.method == "GET":
        return ask(request, about_cancelling_duel(duel))
    try:
        cancel(duel, by=signed_in(request.user))
        messages.success(request, "The test is cancelled.")
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("web:duel", duel.pk)


@login_required
@require_POST
def better_only(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Have new versions tested before they play, or not."""
    bot = _own_bot(request, bot_id)
    wanted = request.POST.get("wanted") == "1"
    play_better_only(bot, wanted, by=signed_in(request.user))
    told = (
        "From now on a new version plays only after it has beaten the active one."
        if wanted
        else "From now on a new version plays as soon as it has qualified."
    )
    messages.success(request, told)
    return redirect("web:bot", bot.pk)
