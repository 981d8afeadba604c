"""What can be known about an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.timezone import now

from ladder.accounts.models import LONGEST_NAME, Notification, User
from ladder.refusals import Missing
from ladder.tokens.models import ApiToken


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A token as its owner may see it: all but the secret."""

    id: int
    name: str
    created_at: datetime
    expires_at: datetime | None


def tokens_of(user: User) -> list[TokenLine]:
    """The user's working tokens, newest first."""
    named = ApiToken.objects.filter(user=user, auth__expiry__gt=now()).select_related("auth").order_by("-id")
    return [TokenLine(token.pk, token.name, token.auth.created, token.auth.expiry) for token in named]


def get_author(username: str) -> User:
    """The active user of this name; raises Missing."""
    author = User.objects.filter(username=username[:LONGEST_NAME], is_active=True).first()
    if author is None:
        raise Missing(f"There is no author {username[:LONGEST_NAME]!r}.")
    return author


def notifications_of(user: User) -> QuerySet[Notification]:
    """What happened to the user's bots and tournaments, newest first."""
    return user.notifications.order_by("-id")


def unread_count(user: User) -> int:
    """How many notifications wait to be read."""
    return user.notifications.filter(read_at=None).count()
