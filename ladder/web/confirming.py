"""Asking first: a page of its own before something that can't be undone, so that it works without JavaScript."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from ladder.duels.models import Duel
from ladder.ladders.models import Ladder
from ladder.privacy.owning import has_met_others
from ladder.ratings.models import Season
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments.models import Tournament
from ladder.web.templatetags.look import ladder_title


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
    can_be_undone: bool = False


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


def about_hiding(bot: Bot) -> Question:
    return Question(
        question=f"Hide {bot.name}?",
        told=(
            "It plays no more matches on ladders, enters no tournaments, and people can’t play against it.",
            "Matches waiting on ladders are called off, and it leaves tournaments that have not started. "
            "Anything already started is played to the end.",
            "Lists and leaderboards no longer show it to others. Past results stay under its name.",
            "You can show it again at any time; its rating is kept.",
        ),
        yes=f"Hide {bot.name}",
        no="Keep it in play",
        of=bot.name,
        back=reverse("web:edit_bot", args=[bot.pk]),
        can_be_undone=True,
    )


def about_deleting(bot: Bot) -> Question:
    told = (
        "All its versions, with their files, reports and logs, are deleted.",
        "It has not met another bot yet, so nothing remains of it.",
    )
    if has_met_others(bot):
        told = (
            "All its versions are withdrawn and it stops playing, except in tournaments that have started.",
            "Others’ results depend on its matches, so they stay, under the name anonymous and without your name.",
        )
    return Question(
        question=f"Delete {bot.name}?",
        told=(*told, "To take it out of play for a while, hide it instead."),
        yes=f"Delete {bot.name}",
        no="Keep it",
        of=bot.name,
        back=reverse("web:edit_bot", args=[bot.pk]),
    )


def about_cancelling_duel(duel: Duel) -> Question:
    return Question(
        question=f"Cancel the test of version {duel.new.number}?",
        told=(
            "It ends without a verdict.",
            "The matches played so far stay visible, and can't be used for another test.",
        ),
        yes="Cancel the test",
        no="Keep it running",
        of=duel.bot.name,
        back=reverse("web:duel", args=[duel.pk]),
    )


def about_cancelling(tournament: Tournament) -> Question:
    is_ahead = tournament.status in (Tournament.Status.DRAFT, Tournament.Status.OPEN)
    ahead = ("It has not started, and nothing will be played. Its page stays.",)
    begun = ("Queued matches are cancelled.", "Finished matches stay visible; no places are awarded.")
    return Question(
        question=f"Cancel {tournament.name}?",
        told=ahead if is_ahead else begun,
        yes="Cancel the tournament",
        no="Keep it" if is_ahead else "Keep it running",
        of=tournament.name,
        back=reverse("web:tournament", args=[tournament.pk]),
        nav="tournaments",
    )


def about_closing_season(ladder: Ladder) -> Question:
    return Question(
        question=f"Close season {ladder.season} of {ladder_title(ladder)}?",
        told=(
            "Its table is kept as it stands, with its own page and downloads.",
            "The next season counts from its first match: everyone is provisional and starts near their last rating.",
            "It can be undone until the next match is rated.",
        ),
        yes=f"Close season {ladder.season}",
        no="Play on",
        of=ladder_title(ladder),
        back=reverse("web:seasons", args=[ladder.slug]),
        nav=ladder.game,
        can_be_undone=True,
    )


def about_reopening_season(season: Season) -> Question:
    ladder = season.ladder
    return Question(
        question=f"Reopen season {season.number} of {ladder_title(ladder)}?",
        told=("It goes on as if it had never been closed.", "Its page and its kept table are removed."),
        yes=f"Reopen season {season.number}",
        no="Leave it closed",
        of=ladder_title(ladder),
        back=reverse("web:season", args=[ladder.slug, season.number]),
        nav=ladder.game,
        can_be_undone=True,
    )
