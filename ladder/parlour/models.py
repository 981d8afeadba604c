"""Sittings, games that people play, with their chairs and actions, and the workers that host the bots in them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class Sitting(models.Model):
    """One game with people in some seats and bots in the others; unrated; the seed stays secret until it is over."""

    class Status(models.TextChoices):
        OPEN = "open"  # a chair waits for a person who has the link
        PLAYING = "playing"
        FINISHED = "finished"  # played to its end, resigned, or cut short by a bot's fault
        ABANDONED = "abandoned"  # nobody came back within a day

    key = models.CharField(max_length=32, unique=True)  # its address; nobody can guess it
    invite = models.CharField(max_length=32, unique=True)  # who has it may take an open chair
    game = models.CharField(max_length=20)
    rules_version = models.PositiveIntegerField()
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict, blank=True)
    seed = models.CharField(max_length=39)
    bank_ms = models.PositiveIntegerField()  # of each bot
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="sittings"
    )  # null for a guest
    ply = models.PositiveIntegerField(default=0)
    to_act = models.PositiveSmallIntegerField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)  # since when a bot is to act; null when none is
    lease = models.UUIDField(null=True, blank=True)  # of the host that has its bots
    lease_until = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True, default="")  # what people have to be told about its bots
    ending = models.CharField(max_length=20, blank=True, default="")
    ranks = models.JSONField(null=True, blank=True)
    outcome = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    moved_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(status__in=["open", "playing", "finished", "abandoned"]),
                name="sitting_status_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(status="playing") | models.Q(due_at__isnull=True),
                name="bots_act_in_running_sittings",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="sitting_due"),
            models.Index(fields=["started_by", "-created_at"], name="sitting_by_person"),
            models.Index(fields=["status", "moved_at"], name="sitting_by_status"),
        ]

    def __str__(self) -> str:
        return f"sitting {self.pk}"

    @property
    def is_over(self) -> bool:
        return self.status in (Sitting.Status.FINISHED, Sitting.Status.ABANDONED)


class Chair(models.Model):
    """A seat of a sitting: a bot's version, a signed-in person, a guest, or nobody yet."""

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="chairs")
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey(
        "submissions.BotVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="chairs"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="chairs"
    )
    guest = models.CharField(max_length=64, blank=True, default="")  # sha256 of what the guest's browser keeps
    is_taken = models.BooleanField(default=True)
    bot_seed = models.PositiveBigIntegerField(default=0)
    bank_ms = models.FloatField(default=0)  # what is left
    fault = models.CharField(max_length=16, blank=True, default="")  # "resigned" for a person
    fault_stage = models.CharField(max_length=8, blank=True, default="")
    fault_ply = models.PositiveIntegerField(null=True, blank=True)
    fault_reason = models.TextField(blank=True, default="")

    class Meta:
        ordering: ClassVar = ["sitting", "seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sitting", "seat"], name="one_chair_for_a_seat"),
            models.CheckConstraint(
                condition=models.Q(version__isnull=True) | models.Q(person__isnull=True, guest=""),
                name="a_chair_has_a_bot_or_a_person",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["guest"], condition=~models.Q(guest=""), name="chair_by_guest")]

    def __str__(self) -> str:
        return f"seat {self.seat} of sitting {self.sitting_id}"

    @property
    def is_bot(self) -> bool:
        return self.version_id is not None


class Act(models.Model):
    """One action of a sitting; written before anybody is shown it."""

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="acts")
    ply = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=80)
    bank_ms = models.PositiveIntegerField(default=0)  # what the bot was told it had
    cpu_ms = models.FloatField(default=0)
    wall_ms = models.FloatField(default=0)
    waited_ms = models.PositiveIntegerField(null=True, blank=True)  # a bot's wait for a core
    at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["sitting", "ply"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["sitting", "ply"], name="each_ply_is_written_once")]

    def __str__(self) -> str:
        return f"ply {self.ply} of sitting {self.sitting_id}"


class Host(models.Model):
    """A worker process that keeps the bots of sittings now, and takes the place of a match while it does."""

    worker = models.CharField(max_length=100, primary_key=True)
    until = models.DateTimeField()  # by the database's clock

    def __str__(self) -> str:
        return self.worker
