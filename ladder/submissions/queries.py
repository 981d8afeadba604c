"""What is known about bots and their versions."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, QuerySet

from ladder.accounts.models import User
from ladder.replays.models import SeatLog
from ladder.submissions.models import Bot, BotVersion, Bundle, Trial


def bots_in_full() -> QuerySet[Bot]:
    """Bots with what a list or page of them shows, newest first."""
    return Bot.objects.select_related("owner", "active_version").order_by("-id")


def versions_of(bot: Bot) -> QuerySet[BotVersion]:
    """The versions of a bot, newest first."""
    return bot.versions.select_related("bot").order_by("-number")


def source_of(version: BotVersion) -> bytes:
    """The uploaded bytes."""
    return bytes(Bundle.objects.values_list("content", flat=True).get(pk=version.bundle_id))


@dataclass(frozen=True, slots=True)
class TrialReport:
    """One step of a check, as its author sees it."""

    order: int
    ladder: str
    kind: str
    occasion: str
    status: str
    match_id: int | None
    reason: str


def report_of(version: BotVersion) -> list[TrialReport]:
    """How far the check of a version has come, trial by trial."""
    trials = Trial.objects.filter(version=version).order_by("order")
    fields = ("order", "ladder__slug", "kind", "occasion", "status", "match_id", "reason")
    return [TrialReport(*row) for row in trials.values_list(*fields)]


def log_of(version: BotVersion) -> str:
    """What the version wrote to stderr in its trials, the latest first; empty when it was silent."""
    matches = Trial.objects.filter(version=version, match__isnull=False).values("match")
    logs = SeatLog.objects.filter(
        match__in=matches, match__seats__version=version, match__seats__seat=F("seat")
    ).order_by("-match", "seat")
    return "\n".join(f"[match {log.match_id}, seat {log.seat}]\n{log.text}" for log in logs[:20])


def may_see_source(version: BotVersion, user: User | None) -> bool:
    """Only the owner of a bot may read its source."""
    return user is not None and user.is_authenticated and version.bot.owner_id == user.pk
