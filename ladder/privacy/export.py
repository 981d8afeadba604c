"""Everything that is kept about a person, for that person."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.utils.timezone import now

from ladder.accounts.models import AuditEntry, Invite, User
from ladder.accounts.queries import TokenLine, notifications_of, tokens_of
from ladder.matches.models import MatchSet
from ladder.submissions.models import BotVersion

SIGN_IN = ("provider", "uid", "date_joined", "last_login")
SITTING = ("sitting__key", "sitting__game", "sitting__status", "sitting__created_at", "sitting__finished_at")
INVITE = ("note", "uses_left", "created_at", "expires_at")  # the code lets people in: it is not for a file


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
            "hears_followed": user.hears_followed,
        },
        "sign_ins": list(SocialAccount.objects.filter(user=user).order_by("id").values(*SIGN_IN)),
        "tokens": [_plain(token) for token in tokens_of(user)],
        "bots": _bots(user),
        "tournaments": list(
            user.tournaments.order_by("id").values("id", "name", "description", "status", "created_at", "finished_at")
        ),
        "requested_sets": list(MatchSet.objects.filter(requested_by=user).values("id", "ladder__slug", "created_at")),
        "duels": list(
            user.duels.order_by("id").values("id", "bot", "old__number", "new__number", "status", "created_at")
        ),
        "sittings": list(user.chairs.order_by("id").values("seat", *SITTING)),
        "following": list(user.follows.order_by("id").values("bot", "author__username", "since")),
        "notifications": list(notifications_of(user).values("kind", "text", "url", "created_at", "read_at")),
        "invites": list(Invite.objects.filter(created_by=user).order_by("id").values(*INVITE)),
        "acts": list(AuditEntry.objects.filter(actor=user).order_by("id").values("at", "action", "target", "detail")),
    }


def _plain(token: TokenLine) -> dict[str, Any]:
    return {"name": token.name, "created_at": token.created_at, "expires_at": token.expires_at}


def _bots(user: User) -> list[dict[str, Any]]:
    fields = ("bot_id", "number", "bundle_id", "filename", "runtime", "status", "reason", "uploaded_at", "checked_at")
    versions: dict[int, list[dict[str, Any]]] = {}
    for row in BotVersion.objects.filter(bot__owner=user).order_by("bot_id", "number").values(*fields):
        row["sha256"] = row.pop("bundle_id")
        versions.setdefault(row.pop("bot_id"), []).append(row)
    return [
        {**bot, "versions": versions.get(bot["id"], [])}
        for bot in user.bots.order_by("id").values("id", "name", "game", "description", "created_at")
    ]
