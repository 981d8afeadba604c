"""Submitting a bot: the form, and the report that fills up check by check."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from engines import GAMES
from ladder.accounts.models import User
from ladder.accounts.permissions import signed_in
from ladder.ladders.models import Ladder
from ladder.matches.waiting import what_it_waits_for
from ladder.qualifying.queries import TrialReport, log_of, report_of
from ladder.qualifying.trials import unclaimed_match, waiting_match
from ladder.refusals import Refused
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import may_manage
from ladder.submissions.services import Upload, create_bot, take_in
from ladder.web.context import games_in_order
from ladder.web.endings import fix_of
from ladder.web.reader import wants_fragment
from ladder.web.templatetags.look import ladder_title, runtime_name
from ladder.web.views.duels import desk_of

UNDER_WAY = (BotVersion.Status.RECEIVED, BotVersion.Status.CHECKING)
NEW = "new"


class SubmitForm(forms.Form):
    """A file for a bot that exists, or for a new one."""

    bot = forms.ChoiceField(label="Bot")
    game = forms.ChoiceField(label="Game", required=False)
    name = forms.CharField(label="Name of the new bot", max_length=40, required=False)
    description = forms.CharField(
        label="About it",
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Anyone can read this.",
    )
    file = forms.FileField(label="File")

    def __init__(self, *args: Any, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bots = {str(bot.pk): bot for bot in Bot.objects.filter(owner=owner, game__in=list(GAMES)).order_by("name")}
        listed = [(key, f"{bot.name} ({GAMES[bot.game].title})") for key, bot in self.bots.items()]
        self._offer("bot", [(NEW, "a new bot"), *listed])
        self._offer("game", [(game.name, game.title) for game in games_in_order()])
        self.fields[
            "file"
        ].help_text = (
            f"One .py file, or a zip with bot.toml; at most {settings.UPLOAD_MIB} MiB. Drop it here or choose it."
        )
        self.fields["file"].widget.attrs["accept"] = ".py,.zip"

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("bot") == NEW and not cleaned.get("name"):
            self.add_error("name", "A new bot needs a name, for example bathtub-gin.")
        return cleaned


def starter_of(name: str) -> Path:
    """The file of a game's starter, which a game from outside may not have."""
    return Path(settings.BASE_DIR) / "bots" / "starter" / name / "main.py"


@require_safe
def starter(request: HttpRequest, name: str) -> FileResponse:
    """A bot to begin with, as a file to download."""
    if name not in GAMES or not starter_of(name).is_file():
        raise Http404
    return FileResponse(
        starter_of(name).open("rb"), as_attachment=True, filename=f"{name}_starter.py", content_type="text/x-python"
    )


@login_required
@require_http_methods(["GET", "POST"])
def submit(request: HttpRequest) -> HttpResponse:
    """Take a file in as the next version of a bot."""
    if request.method == "POST":
        form = SubmitForm(request.POST, request.FILES, owner=signed_in(request.user))
        if form.is_valid() and (version := _take_in(request, form)):
            target = reverse("web:version", args=[version.pk])
            return JsonResponse({"url": target}) if _is_script(request) else redirect(target)
        if _is_script(request):
            return JsonResponse({"errors": form.errors}, status=422)
    else:
        asked = {"bot": request.GET.get("bot", NEW), "game": request.GET.get("game", "")}
        form = SubmitForm(initial=asked, owner=signed_in(request.user))
    status = 422 if form.is_bound else 200
    starters = [game for game in games_in_order() if starter_of(game.name).is_file()]
    context = {"nav": "submit", "form": form, "upload_mib": settings.UPLOAD_MIB, "starters": starters}
    return render(request, "web/submit.html", context, status=status)


def _is_script(request: HttpRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def _take_in(request: HttpRequest, form: SubmitForm) -> BotVersion | None:
    """The new version; a refusal becomes an error of the form and leaves no bot behind."""
    given, by = form.cleaned_data, signed_in(request.user)
    bot, file = form.bots.get(given["bot"]), given["file"]
    try:
        upload = Upload.of(file.read(), file.name, game=bot.game if bot else given["game"])
        with transaction.atomic():
            bot = bot or create_bot(owner=by, game=given["game"], name=given["name"], description=given["description"])
            return take_in(upload, bot=bot, by=by)
    except Refused as refused:
        form.add_error("file" if refused.code not in {"invalid_name", "name_taken"} else "name", refused.message)
        return None


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One line of the report."""

    name: str
    status: str
    sign: str
    match_id: int | None
    reason: str
    fix: str = ""
    again: str = ""


SIGNS = {"passed": "✓", "failed": "✗", "playing": "…", "waiting": "·", "skipped": "–"}
KINDS = {"self": "against itself", "house": "against the house bot random"}


def checks_of(version: BotVersion) -> list[CheckLine]:
    """What a version had to get through: first its archive, then match after match."""
    trials = report_of(version)
    valid = f"{version.filename} was received as a {runtime_name(version.runtime)} bot"
    ladders = {ladder.slug: ladder_title(ladder) for ladder in Ladder.objects.filter(game=version.bot.game)}
    archive = CheckLine(valid, "passed", SIGNS["passed"], None, "")
    return [archive, *(_check(trial, ladders.get(trial.ladder, trial.ladder)) for trial in trials)]


def _check(trial: TrialReport, ladder: str) -> CheckLine:
    again = "Retest: " if trial.occasion == "retest" else ""
    fix = fix_of(trial.reason) if trial.status == "failed" else ""
    name = f"{again}{ladder}, a match {KINDS.get(trial.kind, trial.kind)}"
    return CheckLine(name, trial.status, SIGNS.get(trial.status, "·"), trial.match_id, trial.reason, fix, trial.again)


@login_required
@require_safe
def version_page(request: HttpRequest, version_id: int) -> HttpResponse:
    """The report of a version, for its owner; it updates itself until the checks are done."""
    version = get_object_or_404(BotVersion.objects.select_related("bot"), pk=version_id)
    if not may_manage(request.user, version.bot):
        raise Http404
    context = {
        "nav": version.bot.game,
        "version": version,
        "checks": checks_of(version),
        "is_under_way": version.status in UNDER_WAY,
        "waits_for": _waits_for(version),
        "is_set_aside": waiting_match(version) is not None,
        "log": log_of(version),
        "duels": desk_of(version.bot, version) if version.status == BotVersion.Status.QUALIFIED else None,
    }
    return render(request, "web/_report.html" if wants_fragment(request) else "web/version.html", context)


def _waits_for(version: BotVersion) -> str:
    """What holds up a check that should go on by itself; empty while nothing does."""
    match = unclaimed_match(version)
    return what_it_waits_for(match) if match else ""
