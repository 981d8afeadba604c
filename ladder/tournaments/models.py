"""Tournaments, who entered, the tables drawn, and the sheet of standings kept ready for readers."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

LONGEST_NAME = 80
LONGEST_CODE = 40


class Tournament(models.Model):
    """A contest among pinned versions; its schedule follows from its entrants, its settings and its seed."""

    class Status(models.TextChoices):
        DRAFT = "draft"  # being prepared; only its organiser sees it
        OPEN = "open"  # takes entries
        RUNNING = "running"  # matches are played
        PAUSED = "paused"  # no match begins until it is resumed
        FINISHED = "finished"  # the standings are final
        CANCELLED = "cancelled"  # called off; what was played stays readable

    class Entry(models.TextChoices):
        ANYONE = "anyone"  # every owner may enter a bot
        INVITE = "invite"  # anyone with the code may
        CLOSED = "closed"  # only the organiser enters bots

    name = models.CharField(max_length=LONGEST_NAME)
    description = models.CharField(max_length=1000, blank=True, default="")
    ladder = models.ForeignKey("ladders.Ladder", on_delete=models.PROTECT, related_name="tournaments")
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="tournaments"
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.DRAFT)
    entry = models.CharField(max_length=8, choices=Entry.choices, default=Entry.ANYONE)
    invite_code = models.CharField(max_length=LONGEST_CODE, blank=True, default="")
    entries_until = models.DateTimeField(null=True, blank=True)
    is_rated = models.BooleanField(default=False)

    format = models.CharField(max_length=16, default="round_robin")
    cycles = models.PositiveSmallIntegerField(default=1)
    rounds = models.PositiveSmallIntegerField(default=0)
    best_of = models.PositiveSmallIntegerField(default=1)
    champion = models.ForeignKey(
        "submissions.Bot", null=True, blank=True, on_delete=models.PROTECT, related_name="gauntlets"
    )
    all_rotations = models.BooleanField(default=True)  # each table is played once from every seat
    points = models.JSONField(default=list)  # by rank; empty means equal steps from 1 to 0

    draw_version = models.PositiveSmallIntegerField(default=1)  # how it is drawn and ranked; 1 where a backup has none
    seed = models.CharField(max_length=64)  # 256 bits in hex; `queries.told_seed` says when it is told
    seed_commitment = models.CharField(max_length=64)  # its hash, told from the start
    entrant_count = models.PositiveIntegerField(default=0)  # pinned at the start
    round = models.PositiveSmallIntegerField(default=0)  # being played, from 0
    tables_drawn = models.PositiveIntegerField(default=0)
    tables_settled = models.PositiveIntegerField(default=0)
    tables_total = models.PositiveIntegerField(default=0)
    sheet_at = models.DateTimeField(null=True, blank=True)  # when the standings were last written
    sheet_settled = models.PositiveIntegerField(default=0)  # tables they cover
    sheet_ms = models.PositiveIntegerField(default=0)  # what writing them cost

    created_at = models.DateTimeField(db_default=Now())
    opened_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(name=""), name="tournament_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(tables_settled__lte=models.F("tables_drawn")), name="tables_are_drawn_then_settled"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["status", "-id"], name="tournament_by_status"),
            models.Index(fields=["organiser", "-id"], name="tournament_by_organiser"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_over(self) -> bool:
        return self.status in {self.Status.FINISHED, self.Status.CANCELLED}

    @property
    def matches_a_table(self) -> int:
        return self.ladder.seats if self.all_rotations else 1


class Entrant(models.Model):
    """A bot in a tournament; its version may be changed until the start and is pinned then."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    bot = models.ForeignKey("submissions.Bot", on_delete=models.PROTECT, related_name="entries")
    version = models.ForeignKey("submissions.BotVersion", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField(null=True, blank=True)  # from 0, best seed first; given at the start
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    entered_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["tournament", "number", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "bot"], name="a_bot_enters_once"),
            models.UniqueConstraint(fields=["tournament", "number"], name="entrant_numbers_are_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} in {self.tournament_id}"


class Table(models.Model):
    """One table of the schedule and the set of matches it became; results are copied here when all are settled."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveIntegerField()
    round = models.PositiveSmallIntegerField()
    entrants = models.JSONField()  # entrant numbers by seat of the first match
    match_set = models.OneToOneField("matches.MatchSet", on_delete=models.PROTECT, related_name="table")
    is_settled = models.BooleanField(default=False)
    results = models.JSONField(default=list)  # a list a match: [[entrant, rank, score, fault], …]; rank null when void

    class Meta:
        ordering: ClassVar = ["tournament", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="a_table_is_drawn_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tournament", "number"], condition=models.Q(is_settled=False), name="table_unsettled"),
            models.Index(fields=["tournament", "round", "number"], name="table_by_round"),
        ]

    def __str__(self) -> str:
        return f"table {self.number} of {self.tournament_id}"


class SheetRow(models.Model):
    """One entrant's line of the standings and of the crosstable, as last written."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="sheet")
    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, related_name="sheet_row")
    position = models.PositiveIntegerField()  # from 0, best first
    progress = models.FloatField(default=0.0)  # knockout: rounds gone through, plus half of what the last table gave
    place = models.PositiveIntegerField()
    tie_rule = models.CharField(max_length=20, blank=True, default="")
    low = models.PositiveIntegerField()
    high = models.PositiveIntegerField()
    p_first = models.FloatField(null=True)  # how often luck lets it be first; null in old draws
    share_low = models.FloatField(null=True)  # 95 % interval of its share of points; null in old draws
    share_high = models.FloatField(null=True)
    points = models.FloatField()
    wins = models.PositiveIntegerField()
    draws = models.PositiveIntegerField()
    losses = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()
    voids = models.PositiveIntegerField()
    faults = models.PositiveIntegerField()
    byes = models.PositiveIntegerField()
    sonneborn_berger = models.FloatField()
    mean_score = models.FloatField()
    cells = models.JSONField(default=dict)  # {other entrant: [share won against it, matches]}

    class Meta:
        ordering: ClassVar = ["tournament", "position"]
        indexes: ClassVar = [models.Index(fields=["tournament", "position"], name="sheet_by_position")]

    def __str__(self) -> str:
        return f"{self.place}. {self.entrant_id}"
