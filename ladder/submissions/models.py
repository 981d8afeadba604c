"""Bots, their immutable versions, and the uploaded bytes."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower, Now


class Bot(models.Model):
    """A contestant of one game; what plays is always one of its versions."""

    name = models.CharField(max_length=40)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="bots"
    )  # null once the owner has deleted the account: results stay
    game = models.CharField(max_length=20)
    description = models.CharField(max_length=500, blank=True, default="")
    active_version = models.ForeignKey(
        "submissions.BotVersion", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    plays_better_only = models.BooleanField(default=False)  # a new version plays once it has beaten the active one
    plays_people = models.BooleanField(default=False)  # its owner lets people play against it
    is_hidden = models.BooleanField(default=False)  # it meets nobody any more, and only its owner's lists show it
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint("game", Lower("name"), name="bot_name_is_unique_in_its_game"),
            models.CheckConstraint(condition=~models.Q(name=""), name="bot_has_a_name"),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "game"], name="bot_by_owner")]

    def __str__(self) -> str:
        return f"{self.name} ({self.game})"


class Follow(models.Model):
    """Somebody wants to hear of a bot, or of all bots of an author."""

    follower = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    bot = models.ForeignKey(Bot, null=True, blank=True, on_delete=models.CASCADE, related_name="follows")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="followed_by"
    )
    since = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["follower", "bot"], name="a_bot_is_followed_once"),
            models.UniqueConstraint(fields=["follower", "author"], name="an_author_is_followed_once"),
            models.CheckConstraint(
                condition=models.Q(bot__isnull=True, author__isnull=False)
                | models.Q(bot__isnull=False, author__isnull=True),
                name="a_bot_or_an_author_is_followed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.follower} follows {self.bot or self.author}"


class Bundle(models.Model):
    """The uploaded bytes of a version, kept under their sha256; workers unpack them beside themselves."""

    digest = models.CharField(max_length=64, primary_key=True)
    content = models.BinaryField()  # empty while the store outside has it
    file = models.CharField(max_length=64, blank=True, default="", db_default="")  # then the digest again
    link = models.TextField(blank=True, default="", db_default="")  # by which a worker with narrow rights fetches it
    linked_at = models.DateTimeField(null=True, blank=True)
    size_bytes = models.PositiveIntegerField()
    stored_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.digest[:12]


class BotVersion(models.Model):
    """One upload of a bot; never changed, so that every result points at the bytes that played it."""

    class Status(models.TextChoices):
        RECEIVED = "received"  # the archive is sound; the check has not begun
        CHECKING = "checking"  # qualifying matches are being played
        QUALIFIED = "qualified"  # may play
        REJECTED = "rejected"  # failed its check; the report says how
        WITHDRAWN = "withdrawn"  # taken out by its owner
        QUARANTINED = "quarantined"  # kept failing against several opponents and failed the retest

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    bundle = models.ForeignKey(Bundle, on_delete=models.PROTECT, related_name="versions")
    runtime = models.CharField(max_length=16)
    entry = models.CharField(max_length=200)
    filename = models.CharField(max_length=200)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.RECEIVED)
    reason = models.TextField(blank=True, default="")  # why rejected, withdrawn or quarantined
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads"
    )
    uploaded_at = models.DateTimeField(db_default=Now())
    checked_at = models.DateTimeField(null=True, blank=True)
    cleared_match = models.PositiveBigIntegerField(default=0)  # faults up to this match are forgiven by a retest

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_numbers_are_unique"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="version_numbers_start_at_1"),
            models.CheckConstraint(
                condition=models.Q(
                    status__in=["received", "checking", "qualified", "rejected", "withdrawn", "quarantined"]
                ),
                name="version_status_is_known",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["status", "id"], name="version_by_status"),
            models.Index(fields=["uploaded_by", "uploaded_at"], name="version_by_uploader"),
        ]

    def __str__(self) -> str:
        return f"{self.bot} v{self.number}"

    @property
    def digest(self) -> str:
        return self.bundle_id
