"""Following bots and authors: the button on their pages, and a page with what happened to them."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from ladder.accounts.permissions import is_person, signed_in
from ladder.accounts.queries import get_author
from ladder.accounts.services import hear_followed
from ladder.refusals import Refused
from ladder.submissions.following import (
    Followed,
    bots_followed_by,
    follow,
    followed_by,
    follower_count,
    is_following,
    unfollow,
)
from ladder.submissions.models import Bot
from ladder.submissions.permissions import owns
from ladder.web.news import latest_matches, new_versions, titles_of


@dataclass(frozen=True, slots=True)
class FollowButton:
    """Whether the visitor follows a bot or an author, how many do, and where a click goes."""

    url: str
    followers: int
    is_following: bool
    is_own: bool


def follow_button(request: HttpRequest, whom: Followed) -> FollowButton:
    """The button of a bot's or an author's page."""
    if isinstance(whom, Bot):
        url, is_own = reverse("web:follow_bot", args=[whom.pk]), owns(request.user, whom)
    else:
        url, is_own = reverse("web:follow_author", args=[whom.username]), is_person(request.user, whom.pk)
    return FollowButton(url, follower_count(whom), is_following(request.user, whom), is_own)


@login_required
@require_POST
def follow_bot(request: HttpRequest, bot_id: int) -> HttpResponse:
    """Follow a bot, or no longer."""
    return _follow(request, get_object_or_404(Bot, pk=bot_id))


@login_required
@require_POST
def follow_author(request: HttpRequest, username: str) -> HttpResponse:
    """Follow an author, or no longer."""
    return _follow(request, get_author(username))


def _follow(request: HttpRequest, whom: Followed) -> HttpResponse:
    try:
        (follow if request.POST.get("follow") == "yes" else unfollow)(signed_in(request.user), whom)
    except Refused as refused:
        messages.error(request, refused.message)
    if "listed" in request.POST:
        return redirect("web:following")
    return redirect("web:bot", whom.pk) if isinstance(whom, Bot) else redirect("web:author", whom.username)


@login_required
@require_safe
def following(request: HttpRequest) -> HttpResponse:
    """Whom the reader follows, and what happened to them."""
    bots = bots_followed_by(signed_in(request.user))
    context = {
        "follows": list(followed_by(signed_in(request.user))),
        "versions": new_versions(bots),
        "titles": titles_of(bots),
        "matches": latest_matches(bots),
    }
    return render(request, "web/following.html", context)


@login_required
@require_POST
def hear(request: HttpRequest) -> HttpResponse:
    """Get notifications about whom one follows, or none."""
    wanted = request.POST.get("hear") == "yes"
    hear_followed(signed_in(request.user), wanted)
    told = (
        "You will get notifications again."
        if wanted
        else "You will get no more notifications about the bots and authors you follow."
    )
    messages.success(request, told)
    return redirect("web:following")
