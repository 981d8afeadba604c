"""How the check of a version went, as its author sees it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from django.db.models import F

from arena.qualifying import SPARRING_PARTNER, TrialKind, seats_of_bot
from ladder.matches.models import SeatLog
from ladder.matches.queries import is_revealed
from ladder.qualifying.models import Trial
from ladder.submissions.models import BotVersion

MOST_LOGS = 20


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
    own = seats_of_bot(TrialKind(trial.kind), seats=seats, version=version.number)
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
