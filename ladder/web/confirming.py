"""Asking first: a page of its own before something that can't be undone, so that it works without JavaScript."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from ladder.submissions.models import BotVersion
from ladder.tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, what would come of it, and the two ways on; yes posts to the same address."""

    question: str
    told: tuple[str, ...]
    yes: str
    no: str
    of: str
    back: str
    nav: str = ""


def ask(request: HttpRequest, question: Question) -> HttpResponse:
    """The page that asks."""
    return render(request, "web/confirm.html", asdict(question))


def about_withdrawing(version: BotVersion) -> Question:
    bot = version.bot
    heir = bot.versions.filter(status=BotVersion.Status.QUALIFIED).exclude(pk=version.pk).order_by("-number").first()
    plays_on = (
        f"Version {heir.number} plays instead." if heir else "The bot stops playing until you upload a new version."
    )
    told = ["It gets no more matches, on ladders or in future tournaments.", "The results of its matches stay."]
    return Question(
        question=f"Withdraw version {version.number} of {bot.name}?",
        told=(*told, plays_on) if bot.active_version_id == version.pk else tuple(told),
        yes=f"Withdraw version {version.number}",
        no="Keep it",
        of=bot.name,
        back=reverse("web:bot", args=[bot.pk]),
    )


def about_cancelling(tournament: Tournament) -> Question:
    return Question(
        question=f"Cancel {tournament.name}?",
        told=("Queued matches are cancelled.", "Finished matches stay visible; no places are awarded."),
        yes="Cancel the tournament",
        no="Keep it running",
        of=tournament.name,
        back=reverse("web:tournament", args=[tournament.pk]),
        nav="tournaments",
    )
