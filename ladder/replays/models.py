"""What is kept of a played match: its record, and what each bot wrote to its log."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class StoredRecord(models.Model):
    """The packed record of a finished match; everything needed to replay and verify it."""

    match = models.OneToOneField("matches.Match", on_delete=models.CASCADE, primary_key=True, related_name="record")
    content = models.BinaryField()
    stored_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"record of match {self.match_id}"


class SeatLog(models.Model):
    """The end of what a bot wrote to stderr in a match; its owner may read it until it is too old."""

    match = models.ForeignKey("matches.Match", on_delete=models.CASCADE, related_name="logs")
    seat = models.PositiveSmallIntegerField()
    text = models.TextField()
    written_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seat"], name="one_log_for_a_seat")]
        indexes: ClassVar = [models.Index(fields=["written_at"], name="log_by_age")]

    def __str__(self) -> str:
        return f"log of seat {self.seat} in match {self.match_id}"
