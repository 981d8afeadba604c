"""What can be known about an account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.timezone import now

from ladder.accounts.models import ApiToken, Notification, User
from ladder.matches.models import MatchSet
from ladder.submissions.models import BotVersion


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


def notifications_of(user: User) -> QuerySet[Notification]:
    """What happened to the user's bots and tournaments, newest first."""
    return user.notifications.order_by("-id")


def unread_count(user: User) -> int:
    """How many notifications wait to be read."""
    return user.notifications.filter(read_at=None).count()


def account_export(user: User) -> dict[str, Any]:
    """Everything kept about a person, as JSON values; secrets are left out."""
    return {
        "export": 1,
        "made_at": now(),
        "account": {
            "username": user.username,
            "email": user.email,
            "role": user.role,
            "joined_at": user.date_joined,
            "last_login": user.last_login,
        },
        "tokens": [_plain(token) for token in tokens_of(user)],
        "bots": _bots(user),
        "tournaments": list(
            user.tournaments.order_by("id").values("id", "name", "description", "status", "created_at", "finished_at")
        ),
        "requested_sets": list(MatchSet.objects.filter(requested_by=user).values("id", "ladder__slug", "created_at")),
        "notifications": list(notifications_of(user).values("kind", "text", "url", "created_at", "read_at")),
    }


def _plain(token: TokenLine) -> dict[str, Any]:
    return {"name": token.name, "created_at": token.created_at, "expires_at": token.expires_at}


def _bots(user: User) -> list[dict[str, Any]]:
    fields = ("bot_id", "number", "bundle_id", "filename", "runtime", "status", "reason", "uploaded_at", "checked_at")
    versions: dict[int, list[dict[str, Any]]] = {}
    for row in BotVersion.objects.filter(bot__owner=user).order_by("bot_id", "number").values(*fields):
        versions.setdefault(row.pop("bot_id"), []).append({**row, "sha256": row.pop("bundle_id")})
    return [
        {**bot, "versions": versions.get(bot["id"], [])}
        for bot in user.bots.order_by("id").values("id", "name", "game", "description", "created_at")
    ]
