"""What is known about bots and their versions."""

from __future__ import annotations

from django.db.models import QuerySet

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
