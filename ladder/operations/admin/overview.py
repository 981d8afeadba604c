"""What an operator sees first: whether the service works, what waits for a person, and who did what lately."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from ladder.accounts.models import AuditEntry
from ladder.matches.models import Match
from ladder.matches.queries import able_workers, set_aside_matches
from ladder.operations.queries import Health, health
from ladder.submissions.models import BotVersion

LATEST = 8


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of the desk, and where its rows are; the pressing ones want a person."""

    name: str
    count: int
    path: str
    is_pressing: bool = False


@dataclass(frozen=True, slots=True)
class Overview:
    """The top of the desk."""

    health: Health
    figures: list[Figure]
    latest: list[AuditEntry]


def overview() -> Overview:
    return Overview(health(), _figures(), list(AuditEntry.objects.order_by("-pk")[:LATEST]))


def _figures() -> list[Figure]:
    """Few numbers, each by an index."""
    matches, versions = reverse("admin:matches_match_changelist"), reverse("admin:submissions_botversion_changelist")
    status, quarantined = Match.Status, BotVersion.Status.QUARANTINED
    aside, shut = set_aside_matches().count(), BotVersion.objects.filter(status=quarantined).count()
    return [
        Figure("Machines that can play", able_workers().count(), reverse("admin:matches_worker_changelist")),
        Figure("Playing now", _matches(status.RUNNING), f"{matches}?status__exact={status.RUNNING}"),
        Figure("Waiting to be played", _matches(status.QUEUED), f"{matches}?status__exact={status.QUEUED}"),
        Figure("Set aside", aside, f"{matches}?aside=yes", is_pressing=aside > 0),
        Figure("In quarantine", shut, f"{versions}?status__exact={quarantined}", is_pressing=shut > 0),
    ]


def _matches(status: str) -> int:
    return Match.objects.filter(status=status).order_by().count()
