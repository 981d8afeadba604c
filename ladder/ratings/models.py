"""The append-only ratings on ladders, and the standings that leaderboards read."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from ladder.ladders.models import Ladder

START_MU = 25.0
START_SIGMA = 25.0 / 3
BETA = 25.0 / 6


class RatingStep(models.Model):
    """One rating number, applied: the match changed ratings, or it did not count and changed nothing."""

    class Verdict(models.TextChoices):
        RATED = "rated"
        VOID = "void"
        OUTDATED = "outdated"  # played under older rules than the table's

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="steps")
    number = models.PositiveBigIntegerField()
    match = models.OneToOneField("matches.Match", on_delete=models.PROTECT, related_name="rating_step")
    verdict = models.CharField(max_length=8, choices=Verdict.choices)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "number"], name="a_rating_number_is_applied_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="rating_numbers_start_at_1"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id} number {self.number}"


class Rating(models.Model):
    """What one rating step did to one version; rows are only ever added."""

    step = models.ForeignKey(RatingStep, on_delete=models.PROTECT, related_name="ratings")
    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey("submissions.BotVersion", on_delete=models.PROTECT, related_name="ratings")
    bot = models.ForeignKey("submissions.Bot", on_delete=models.PROTECT, related_name="+", db_index=False)
    nth = models.PositiveIntegerField()  # rated match of its bot on this ladder, from 1
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["step", "seat"], name="one_rating_for_a_seat"),
            models.UniqueConstraint(fields=["step", "version"], name="one_rating_for_a_version"),
            models.UniqueConstraint(fields=["bot", "ladder", "nth"], name="ratings_of_a_bot_are_counted"),
            models.CheckConstraint(condition=models.Q(sigma__gt=0), name="rating_sigma_is_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.mu:.1f} ± {self.sigma:.1f}"


class Standing(models.Model):
    """Where a version stands on a ladder now: the sum of its ratings, kept ready for leaderboards."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="standings")
    version = models.ForeignKey("submissions.BotVersion", on_delete=models.PROTECT, related_name="standings")
    bot = models.ForeignKey("submissions.Bot", on_delete=models.PROTECT, related_name="standings")
    name = models.CharField(max_length=40, default="")  # the bot's, in small letters: to order and to search by
    is_listed = models.BooleanField(default=False)  # its bot's active version, qualified: leaderboards show it
    start_mu = models.FloatField(default=START_MU)
    start_sigma = models.FloatField(default=START_SIGMA)
    mu = models.FloatField(default=START_MU)
    sigma = models.FloatField(default=START_SIGMA)
    rating = models.FloatField(default=START_MU - 3 * START_SIGMA)  # conservative: mu - 3 sigma
    matches = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)  # first and alone
    draws = models.PositiveIntegerField(default=0)  # first, shared
    losses = models.PositiveIntegerField(default=0)  # somebody was better
    rank_sum = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    recent_mu = models.JSONField(default=list)  # mu before each of the last matches, oldest first
    earlier = models.PositiveIntegerField(default=0)  # rated matches under older rules: history
    updated_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "version"], name="a_version_stands_once_on_a_ladder"),
            models.UniqueConstraint(
                fields=["ladder", "bot"], condition=models.Q(is_listed=True), name="a_bot_is_listed_once_on_a_ladder"
            ),
            models.CheckConstraint(condition=models.Q(sigma__gt=0), name="standing_sigma_is_positive"),
        ]
        # One for each order of a leaderboard, read either way; that of versions is the unique one. Ranks are counted
        # along the first, which therefore holds all that this asks for.
        indexes: ClassVar = [
            models.Index(
                fields=["ladder", "-rating", "id", "is_listed", "sigma"],
                condition=models.Q(is_listed=True),
                name="standing_leaderboard",
            )
        ] + [
            models.Index(fields=["ladder", f"-{column}", "id"], condition=models.Q(is_listed=True), name=name)
            for column, name in (
                ("mu", "standing_by_mu"),
                ("sigma", "standing_by_sigma"),
                ("matches", "standing_by_matches"),
                ("faults", "standing_by_faults"),
                ("name", "standing_by_name"),
            )
        ]

    def __str__(self) -> str:
        return f"{self.version_id} on {self.ladder_id}"


class SeatTally(models.Model):
    """How a seat of a ladder has fared: the seat advantage of the game."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="tallies")
    seat = models.PositiveSmallIntegerField()
    matches = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    draws = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField(default=0)
    rank_sum = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["ladder", "seat"], name="one_tally_for_a_seat")]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.ladder_id}"
