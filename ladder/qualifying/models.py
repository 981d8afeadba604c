"""What a version has to get through to play, and to go on playing."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from ladder.ladders.models import Ladder
from ladder.submissions.models import BotVersion


class Trial(models.Model):
    """One match a version must get through without a fault, on one ladder; trials are played in order."""

    class Kind(models.TextChoices):
        SELF = "self"  # the version sits in all seats
        HOUSE = "house"  # against house `random`

    class Occasion(models.TextChoices):
        QUALIFYING = "qualifying"  # before the version may play
        RETEST = "retest"  # after faults against several opponents

    class Status(models.TextChoices):
        WAITING = "waiting"  # an earlier trial comes first
        PLAYING = "playing"  # its match is queued or running
        PASSED = "passed"  # no fault
        FAILED = "failed"  # a fault, told in `reason`
        SKIPPED = "skipped"  # not needed any more, or there is no house bot to play

    version = models.ForeignKey(BotVersion, on_delete=models.CASCADE, related_name="trials")
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    occasion = models.CharField(max_length=12, choices=Occasion.choices, default=Occasion.QUALIFYING)
    order = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    match = models.OneToOneField(
        "matches.Match", null=True, blank=True, on_delete=models.SET_NULL, related_name="trial"
    )
    tries = models.PositiveSmallIntegerField(default=0)  # matches begun; a host fault is tried again
    reason = models.TextField(blank=True, default="")

    class Meta:
        ordering: ClassVar = ["version", "order"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "order"], name="trials_have_one_order"),
        ]
        indexes: ClassVar = [models.Index(fields=["status", "version"], name="trial_by_status")]

    def __str__(self) -> str:
        return f"{self.version} {self.kind} on {self.ladder_id}"
