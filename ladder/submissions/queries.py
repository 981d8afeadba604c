"""What is known about bots and their versions."""

from __future__ import annotations

from django.db.models import QuerySet

from ladder.accounts.models import User
from ladder.submissions.models import Bot, BotVersion, Bundle


def bots_in_full() -> QuerySet[Bot]:
    """Bots with what a list or page of them shows, newest first."""
    return Bot.objects.select_related("owner", "active_version").order_by("-id")


def versions_of(bot: Bot) -> QuerySet[BotVersion]:
    """The versions of a bot, newest first."""
    return bot.versions.select_related("bot").order_by("-number")


def source_of(version: BotVersion) -> bytes:
    """The uploaded bytes."""
    return bytes(Bundle.objects.values_list("content", flat=True).get(pk=version.bundle_id))


def may_see_source(version: BotVersion, user: User | None) -> bool:
    """Only the owner of a bot may read its source."""
    return user is not None and user.is_authenticated and version.bot.owner_id == user.pk
