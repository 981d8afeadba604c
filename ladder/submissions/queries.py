"""What is known about bots and their versions."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from django.db.models import F, QuerySet

from arena.qualifying import SPARRING_PARTNER, Kind, seats_of_bot
from ladder.accounts.models import User
from ladder.matches.queries import is_revealed
from ladder.replays.models import SeatLog
from ladder.submissions.models import Bot, BotVersion, Bundle, Trial

MOST_LOGS = 20


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
    again: str  # the command that plays the same deal at the desk; empty unless it failed


def report_of(version: BotVersion) -> list[TrialReport]:
    """How far the check of a version has come, trial by trial."""
    trials = Trial.objects.filter(version=version).select_related("ladder", "match__set").order_by("order")
    return [
        TrialReport(
            trial.order, trial.ladder.slug, trial.kind, trial.occasion, trial.status, trial.match_id, trial.reason,
            _again(trial, version),
        )
        for trial in trials
    ]  # fmt: skip


def _again(trial: Trial, version: BotVersion) -> str:
    match = trial.match if trial.status == Trial.Status.FAILED else None
    if match is None or trial.ladder.options or not is_revealed(match):
        return ""  # the command line plays with the usual options only
    seats = trial.ladder.seats
    own = seats_of_bot(Kind(trial.kind), seats=seats, version=version.number)
    bots = [version.filename if seat in own else f"house:{SPARRING_PARTNER}" for seat in range(seats)]
    return shlex.join(["rumrunner", "play", trial.ladder.game, *bots, "--seed", match.set.seed])


def log_of(version: BotVersion) -> str:
    """What the version wrote to stderr in its trials, the latest last; empty when it was silent."""
    matches = Trial.objects.filter(version=version, match__isnull=False).values("match")
    logs = SeatLog.objects.filter(
        match__in=matches, match__seats__version=version, match__seats__seat=F("seat")
    ).order_by("-match", "-seat")
    latest = reversed(logs[:MOST_LOGS])
    return "\n".join(f"[match {log.match_id}, seat {log.seat}]\n{log.text}" for log in latest)


def may_see_source(version: BotVersion, user: User | None) -> bool:
    """Only the owner of a bot may read its source."""
    return user is not None and user.is_authenticated and version.bot.owner_id == user.pk
