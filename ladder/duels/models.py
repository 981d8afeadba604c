"""Duels: a new version of a bot against an older one, set by set, until a sequential test can tell."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from arena.desk.sequential import SequentialTest
from ladder.ladders.models import Ladder
from ladder.matches.models import MatchSet
from ladder.submissions.models import Bot, BotVersion

MOST_SETS = 800


class Duel(models.Model):
    """Is the new version better than the old one? Its sets are unrated; what they say is kept with them."""

    class Status(models.TextChoices):
        PLAYING = "playing"  # sets are played until one of the bounds is reached
        BETTER = "better"  # the new version is better
        NO_BETTER = "no_better"  # it is not, as far as the margin goes
        UNDECIDED = "undecided"  # neither bound was reached in the sets that a duel has
        CANCELLED = "cancelled"  # called off; `told` says why

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="duels")
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="+")
    old = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="duels_as_old")
    new = models.ForeignKey(BotVersion, on_delete=models.PROTECT, related_name="duels_as_new")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.PLAYING)
    told = models.TextField(blank=True, default="")  # why it was called off, or what came of the verdict
    rules_version = models.PositiveIntegerField()  # matches under other rules don't count
    margin = models.FloatField(default=SequentialTest().margin)  # the improvement it looks for, in shares of points
    error = models.FloatField(default=SequentialTest().error)  # the chance of either wrong verdict
    most_sets = models.PositiveIntegerField(default=MOST_SETS)
    sets = models.PositiveIntegerField(default=0)  # counted so far
    score = models.FloatField(default=0.5)  # of the new version in them
    ratio = models.FloatField(default=0.0)  # the log likelihood ratio of them
    switch_when_better = models.BooleanField(default=False)  # the new version becomes active if it is better
    switched = models.BooleanField(default=False)  # and it did
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="duels"
    )
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["bot"], condition=models.Q(status="playing"), name="a_bot_has_one_duel_at_a_time"
            ),
            models.CheckConstraint(condition=~models.Q(old=models.F("new")), name="a_duel_has_two_versions"),
            models.CheckConstraint(
                condition=models.Q(status__in=["playing", "better", "no_better", "undecided", "cancelled"]),
                name="duel_status_is_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["bot", "-id"], name="duel_by_bot"),
            models.Index(fields=["asked_by", "created_at"], name="duel_by_asker"),
            models.Index(fields=["id"], condition=models.Q(status="playing"), name="duel_playing"),
        ]

    def __str__(self) -> str:
        return f"duel {self.pk}"

    @property
    def test(self) -> SequentialTest:
        return SequentialTest(self.margin, self.error)

    @property
    def is_playing(self) -> bool:
        return self.status == self.Status.PLAYING


class DuelSet(models.Model):
    """One set of a duel; sets are counted in the order of their numbers, each once."""

    duel = models.ForeignKey(Duel, on_delete=models.CASCADE, related_name="played")
    number = models.PositiveIntegerField()  # from 1
    set = models.OneToOneField(MatchSet, on_delete=models.PROTECT, related_name="duel_set")
    is_over = models.BooleanField(default=False)
    score = models.FloatField(null=True, blank=True)  # of the new version; null when a match of it has no result
    ratio = models.FloatField(null=True, blank=True)  # of all sets up to this one

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["duel", "number"], name="duel_sets_have_one_order")]

    def __str__(self) -> str:
        return f"set {self.number} of duel {self.duel_id}"
