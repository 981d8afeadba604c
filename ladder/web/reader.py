"""Who reads a page, and what they may do with a bot."""

from __future__ import annotations

from django.http import HttpRequest

from ladder.accounts.models import User
from ladder.submissions.models import Bot


def reader(request: HttpRequest) -> User | None:
    """The signed-in user, or nobody."""
    return request.user if isinstance(request.user, User) else None


def keeps(request: HttpRequest, bot: Bot) -> bool:
    """Whether the reader owns the bot or keeps the service."""
    user = reader(request)
    return user is not None and (bot.owner_id == user.pk or user.is_administrator)


def wants_fragment(request: HttpRequest) -> bool:
    """Whether a page asks for a part of itself again."""
    return request.headers.get("HX-Request") == "true"
