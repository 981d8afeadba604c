"""Matches, in sets of one seed, with their seats, leases, records and logs, and the workers that play them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

MAX_ATTEMPTS = 3


class Lane(models.TextChoices):
    """Why a match is played; workers serve the lanes in shares, so that none waits for another."""

    TRIAL = "trial"  # a version qualifies or is retested
    REQUEST = "request"  # somebody asked for it
    TOURNAMENT = "tournament"  # a tournament's own
    LADDER = "ladder"  # matchmaking's own


class MatchSet(models.Model):
    """Matches that share a seed: usually all seat rotations of one table."""

    ladder = models.ForeignKey("ladders.Ladder", on_delete=models.PROTECT, related_name="sets")
    lane = models.CharField(max_length=10, choices=Lane.choices)
    seed = models.CharField(max_length=39)  # decimal, up to 128 bits; secret until every match of the set is settled
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="requested_sets"
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["requested_by", "created_at"], name="set_by_requester")]

    def __str__(self) -> str:
        return f"set {self.pk}"


class Match(models.Model):
    """One game between pinned versions; played under a lease, counted once."""

    class Status(models.TextChoices):
        QUEUED = "queued"  # waits for a worker
        RUNNING = "running"  # a worker holds the lease
        FINISHED = "finished"  # has a result
        VOID = "void"  # will never have a result that counts
        CANCELLED = "cancelled"  # called off before it had a result

    set = models.ForeignKey(MatchSet, on_delete=models.PROTECT, related_name="matches", db_index=False)
    rotation = models.PositiveSmallIntegerField()
    ladder = models.ForeignKey("ladders.Ladder", on_delete=models.PROTECT, related_name="matches", db_index=False)
    lane = models.CharField(max_length=10, choices=Lane.choices)
    priority = models.SmallIntegerField(default=0)  # within the lane; smaller goes first
    is_rated = models.BooleanField()
    is_held = models.BooleanField(default=False)  # not to be claimed while its tournament or ladder is paused
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.QUEUED)
    created_at = models.DateTimeField(db_default=Now())

    lease = models.UUIDField(null=True, blank=True)  # the fencing token of the attempt that runs now
    lease_until = models.DateTimeField(null=True, blank=True)  # by the database's clock
    attempts = models.PositiveSmallIntegerField(default=0)
    worker = models.CharField(max_length=100, blank=True, default="")
    elsewhere_until = models.DateTimeField(null=True, blank=True)  # till then the host that failed leaves it to others
    aside_until = models.DateTimeField(null=True, blank=True)  # set aside after failed attempts; till then nobody tries
    times_aside = models.PositiveSmallIntegerField(default=0)
    rating_number = models.PositiveBigIntegerField(null=True, blank=True)  # given by the rater

    rules_version = models.PositiveIntegerField(null=True, blank=True)
    ending = models.CharField(max_length=20, blank=True, default="")
    game_ending = models.CharField(max_length=40, blank=True, default="")
    plies = models.PositiveIntegerField(null=True, blank=True)
    wall_ms = models.PositiveIntegerField(null=True, blank=True)
    digest = models.CharField(max_length=64, blank=True, default="")  # of the record
    reason = models.TextField(blank=True, default="")  # why void or cancelled
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)  # settled: finished, void or cancelled

    class Meta:
        verbose_name_plural = "matches"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["set", "rotation"], name="one_match_for_each_rotation"),
            # With conditions, so that a match without number or lease is not in their indexes.
            models.UniqueConstraint(
                fields=["ladder", "rating_number"],
                condition=models.Q(rating_number__isnull=False),
                name="rating_numbers_are_unique",
            ),
            models.UniqueConstraint(
                fields=["lease"], condition=models.Q(lease__isnull=False), name="a_lease_is_for_one_match"
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=["queued", "running", "finished", "void", "cancelled"]),
                name="match_status_is_known",
            ),
            models.CheckConstraint(
                condition=models.Q(status="running", lease__isnull=False, lease_until__isnull=False)
                | (~models.Q(status="running") & models.Q(lease__isnull=True, lease_until__isnull=True)),
                name="only_running_matches_have_a_lease",
            ),
            models.CheckConstraint(condition=models.Q(attempts__lte=MAX_ATTEMPTS), name="match_attempts_are_limited"),
            models.CheckConstraint(
                condition=models.Q(is_rated=True) | models.Q(rating_number__isnull=True),
                name="only_rated_matches_have_a_number",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="finished") | ~models.Q(digest=""), name="finished_matches_have_a_digest"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["lane", "priority", "id"],
                condition=models.Q(status="queued", is_held=False),
                name="match_queue",
            ),
            # By number: a heartbeat that changes what no index holds writes to none.
            models.Index(fields=["id"], condition=models.Q(status="running"), name="match_leases"),
            models.Index(
                fields=["aside_until"], condition=models.Q(status="queued", times_aside__gt=0), name="match_aside"
            ),
            models.Index(fields=["ladder", "status", "-id"], name="match_by_ladder"),
            models.Index(fields=["status", "-id"], name="match_by_status"),
            models.Index(fields=["-finished_at"], name="match_by_end"),
            models.Index(
                fields=["ladder", "finished_at", "id"],
                condition=models.Q(is_rated=True, rating_number__isnull=True, plies__isnull=False),
                name="match_to_rate",
            ),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"


class Seat(models.Model):
    """A place in a match: who sat there and how it ended for them."""

    class Fault(models.TextChoices):
        TIMEOUT = "timeout"
        CRASH = "crash"
        ILLEGAL_ACTION = "illegal_action"
        INVALID_ANSWER = "invalid_answer"
        OUT_OF_MEMORY = "out_of_memory"
        OUTPUT_LIMIT = "output_limit"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey(
        "submissions.BotVersion", on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    turn = models.PositiveSmallIntegerField(null=True, blank=True)  # place in turn order, from 0; null: not known yet
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    score = models.FloatField(null=True, blank=True)
    fault = models.CharField(max_length=16, choices=Fault.choices, blank=True, default="")
    fault_stage = models.CharField(max_length=8, blank=True, default="")
    fault_ply = models.PositiveIntegerField(null=True, blank=True)
    fault_reason = models.TextField(blank=True, default="")  # for the owner
    cpu_ms = models.PositiveIntegerField(null=True, blank=True)
    peak_kib = models.PositiveBigIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["match", "seat"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seat"], name="one_version_in_a_seat")]
        indexes: ClassVar = [
            models.Index(fields=["version", "-match"], name="seat_by_version"),
            models.Index(fields=["version", "-match"], condition=~models.Q(fault=""), name="seat_with_fault"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}"


class StoredRecord(models.Model):
    """The packed record of a finished match; everything needed to replay and verify it."""

    match = models.OneToOneField(Match, on_delete=models.CASCADE, primary_key=True, related_name="record")
    content = models.BinaryField()  # empty while the store outside has it
    file = models.CharField(max_length=64, blank=True, default="", db_default="")  # then the sha256 it has there
    stored_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["file"], name="record_by_file")]

    def __str__(self) -> str:
        return f"record of match {self.match_id}"


class SeatLog(models.Model):
    """The end of what a bot wrote to stderr in a match; its owner may read it until it is too old."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="logs", db_index=False)
    seat = models.PositiveSmallIntegerField()
    text = models.TextField()
    written_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "seat"], name="one_log_for_a_seat")]
        indexes: ClassVar = [models.Index(fields=["written_at"], name="log_by_age")]

    def __str__(self) -> str:
        return f"log of seat {self.seat} in match {self.match_id}"


class FailedAttempt(models.Model):
    """A claim of a match that gave no result."""

    class Cause(models.TextChoices):
        HOST_FAULT = "host_fault"  # the arena could not play it fairly
        LOST = "lost"  # the lease ran out: the worker died or hung
        HANDED_BACK = "handed_back"  # the worker was told to stop; not counted

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="failed_attempts")
    worker = models.CharField(max_length=100)
    cause = models.CharField(max_length=12, choices=Cause.choices)
    detail = models.TextField(blank=True, default="")
    at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.cause} in match {self.match_id}"


class Worker(models.Model):
    """A Celery worker as it last showed itself; one with other engines or no sandbox plays nothing."""

    name = models.CharField(max_length=100, primary_key=True)
    host = models.CharField(max_length=100)
    pid = models.PositiveIntegerField()
    plays = models.BooleanField()  # serves the match queue
    processes = models.PositiveSmallIntegerField(default=1)
    version = models.CharField(max_length=40)
    engines_digest = models.CharField(max_length=64)
    sandbox_ok = models.BooleanField()
    message = models.TextField(blank=True, default="")  # why it refuses to play
    abilities = models.JSONField(default=dict, blank=True)  # runtimes, digests and limits, as it found them
    role = models.CharField(max_length=63, blank=True, default="", db_default="")  # of the database, if a narrow one
    started_at = models.DateTimeField(db_default=Now())
    seen_at = models.DateTimeField(db_default=Now())
    drained_at = models.DateTimeField(null=True, blank=True)  # taken out of play by an operator since then

    def __str__(self) -> str:
        return self.name


class Pulse(models.Model):
    """When a stage of the pipeline last ran, and with which engines."""

    stage = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField(db_default=Now())
    engines_digest = models.CharField(max_length=64, blank=True, default="")
    games = models.JSONField(default=dict, blank=True)  # the digest of each game's code

    def __str__(self) -> str:
        return self.stage


class Tally(models.Model):
    """What had settled up to a moment, counted by the beat; one row from ever, one of the day."""

    through = models.DateTimeField()
    matches = models.JSONField(default=dict)  # by status
    faults = models.JSONField(default=dict)  # of seats, by kind

    def __str__(self) -> str:
        return f"matches settled up to {self.through}"
