"""What is known about bots and their versions."""

from __future__ import annotations

from django.db.models import QuerySet

from ladder.files import FileKind, bytes_of
from ladder.prepared import prepared
from ladder.submissions.models import Bot, BotVersion, Bundle

LISTED_VERSIONS = 50


def bots_in_full() -> QuerySet[Bot]:
    """Bots with what a list or page of them shows, newest first."""
    return Bot.objects.select_related("owner", "active_version").order_by("-id")


@prepared
def _bots_numbered(bot_id: int) -> QuerySet[Bot]:
    return bots_in_full().filter(pk=bot_id)


def bot_in_full(bot_id: int) -> Bot | None:
    """A bot with what its page shows; None where there is none."""
    return next(iter(_bots_numbered(bot_id)), None)


@prepared
def latest_versions(bot_id: int) -> QuerySet[BotVersion]:
    """The versions of a bot that its page lists, newest first."""
    return BotVersion.objects.filter(bot=bot_id).order_by("-number")[:LISTED_VERSIONS]


def versions_of(bot: Bot) -> QuerySet[BotVersion]:
    """The versions of a bot, newest first."""
    return bot.versions.select_related("bot").order_by("-number")


def source_of(version: BotVersion) -> bytes:
    """The uploaded bytes; raises FileUnavailable."""
    return bytes_of(FileKind.BUNDLE, *Bundle.objects.values_list("content", "file").get(pk=version.bundle_id))
