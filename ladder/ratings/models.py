"""The append-only ratings on ladders, and the standings that leaderboards read."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from arena.intervals import Z95
from ladder.ladders.models import Ladder

START_MU = 25.0
START_SIGMA = 25.0 / 3
BETA = 25.0 / 6
RANKED_MATCHES = 10  # a version with fewer is provisional
RANKED_SD = 2.0  # and so is one that is known less well
BELOW_ALL = 1000.0  # how far provisional lines stand below the ranked ones


class Told:
    """What pages and answers say of a rating, whether a standing or a line of a leaderboard has it."""

    rating: float
    sd: float
    place_low: int | None
    place_high: int | None
    mu: float
    sigma: float

    __slots__ = ()

    @property
    def half(self) -> float:
        """Half of the rating's 95 % interval."""
        return Z95 * self.sd

    @property
    def low(self) -> float:
        return self.rating - self.half

    @property
    def high(self) -> float:
        return self.rating + self.half

    @property
    def trueskill(self) -> dict[str, float]:
        """What TrueSkill believes, which pairs matches."""
        return {"mu": self.mu, "sigma": self.sigma}

    @property
    def place(self) -> str:
        """The 95 % interval of its place among the ranked, in words; empty while it has none."""
        if self.place_low is None or self.place_high is None:
            return ""
        return str(self.place_low) if self.place_low == self.place_high else f"{self.place_low} to {self.place_high}"


class EditionQuerySet(models.QuerySet[Any]):
    """Rows of which a ladder shows one edition, while another is being computed."""

    def shown(self) -> Self:
        return self.filter(edition=models.F("ladder__edition"))


class RatingStep(models.Model):
    """One rating number, applied: the match changed ratings, or it did not count and changed nothing."""

    class Verdict(models.TextChoices):
        RATED = "rated"
        VOID = "void"
        OUTDATED = "outdated"  # played under older rules than the table's, and never rated

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="steps")
    edition = models.PositiveIntegerField(default=0, db_default=0)
    number = models.PositiveBigIntegerField()
    match = models.ForeignKey("matches.Match", on_delete=models.PROTECT, related_name="rating_steps", db_index=False)
    verdict = models.CharField(max_length=8, choices=Verdict.choices)
    at = models.DateTimeField(db_default=Now())

    objects = EditionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "edition", "number"], name="a_rating_number_is_applied_once"),
            models.UniqueConstraint(fields=["match", "edition"], name="a_match_is_rated_once"),
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
    edition = models.PositiveIntegerField(default=0, db_default=0)
    nth = models.PositiveIntegerField()  # rated match of its bot on this ladder, from 1
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()

    objects = EditionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["step", "seat"], name="one_rating_for_a_seat"),
            models.UniqueConstraint(fields=["step", "version"], name="one_rating_for_a_version"),
            models.UniqueConstraint(fields=["bot", "ladder", "edition", "nth"], name="ratings_of_a_bot_are_counted"),
            models.CheckConstraint(condition=models.Q(sigma__gt=0), name="rating_sigma_is_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.mu:.1f} ± {self.sigma:.1f}"

    @property
    def half(self) -> float:
        """Half of what TrueSkill believes with 95 %."""
        return Z95 * self.sigma


class BoardLine(Told, models.Model):
    """What is told of a version: on the leaderboard now, or at the end of a season."""

    start_mu = models.FloatField(default=START_MU)
    start_sigma = models.FloatField(default=START_SIGMA)
    prior_rating = models.FloatField(null=True, blank=True)  # at the end of the last season it played, for the fit
    prior_sd = models.FloatField(null=True, blank=True)
    mu = models.FloatField(default=START_MU)
    sigma = models.FloatField(default=START_SIGMA)
    rating = models.FloatField(default=START_MU)  # by the fit that is shown, as are the next seven
    sd = models.FloatField(default=START_SIGMA)
    is_provisional = models.BooleanField(default=True)  # too little known to be ranked
    missing = models.PositiveIntegerField(default=RANKED_MATCHES)  # about how many matches it lacks to be ranked
    board_key = models.FloatField(default=START_MU - BELOW_ALL)  # leaderboards stand by it: ranked lines first
    storey = models.PositiveIntegerField(null=True, blank=True)  # those that can't be told from its first share it
    place_low = models.PositiveIntegerField(null=True, blank=True)  # 95 % interval of its place among the ranked
    place_high = models.PositiveIntegerField(null=True, blank=True)
    p_first = models.FloatField(null=True, blank=True)  # how probable it is that nobody ranked is better
    matches = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)  # first and alone
    draws = models.PositiveIntegerField(default=0)  # first, shared
    losses = models.PositiveIntegerField(default=0)  # somebody was better
    rank_sum = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    recent_mu = models.JSONField(default=list)  # mu before each of the last matches, oldest first

    class Meta:
        abstract = True


class Standing(BoardLine):
    """Where a version stands on a ladder now: the sum of its ratings, kept ready for leaderboards."""

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="standings")
    version = models.ForeignKey("submissions.BotVersion", on_delete=models.PROTECT, related_name="standings")
    bot = models.ForeignKey("submissions.Bot", on_delete=models.PROTECT, related_name="standings")
    name = models.CharField(max_length=40, default="")  # the bot's, in small letters: to order and to search by
    is_listed = models.BooleanField(default=False)  # its bot's active version, qualified and not hidden
    earlier = models.PositiveIntegerField(default=0)  # rated matches of earlier seasons: history
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
                fields=["ladder", "-board_key", "id", "is_listed", "is_provisional"],
                condition=models.Q(is_listed=True),
                name="standing_leaderboard",
            )
        ] + [
            models.Index(fields=["ladder", f"-{column}", "id"], condition=models.Q(is_listed=True), name=name)
            for column, name in (
                ("sd", "standing_by_sd"),
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


class Fit(models.Model):
    """All matches of a ladder fitted at once, or the attempt to; the latest that came to an end is shown."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="fits")
    rules_version = models.PositiveIntegerField()
    season = models.PositiveIntegerField(default=1)
    rated_through = models.PositiveBigIntegerField()  # the last rating number it knows
    matches = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(default=0)
    is_shown = models.BooleanField(default=False)  # its lines are, or were, those of the leaderboard
    is_stale = models.BooleanField(default=False)  # a match it counted was struck
    problem = models.TextField(blank=True, default="")  # why it came to no end
    shares = models.JSONField(default=dict)  # points by seat and by turn order
    place_effects = models.JSONField(default=list)  # what each place in turn order is worth, and how sure that is
    phi_set = models.FloatField(default=1.0)  # scatter of whole sets against what the model expects
    phi_between = models.FloatField(default=0.0)  # what pairs have in common beyond their ratings
    p_intransitive = models.FloatField(default=1.0)  # small: somebody beats who beats whom it loses to
    field_sd = models.FloatField(default=0.0)
    link_sd = models.FloatField(default=0.0)  # of the step from one version to the next
    moved_sd = models.FloatField(default=0.0)  # how far bots are from where the last season left them
    cpu_ms = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["ladder", "-id"], name="fit_by_ladder")]

    def __str__(self) -> str:
        return f"fit {self.pk} of {self.ladder_id}"


class FitLine(models.Model):
    """One version in one fit."""

    fit = models.ForeignKey(Fit, on_delete=models.CASCADE, related_name="lines")
    version = models.ForeignKey("submissions.BotVersion", on_delete=models.PROTECT, related_name="fit_lines")
    player = models.PositiveIntegerField()  # identical uploads of one owner are one player
    matches = models.PositiveIntegerField()  # of the player
    rating = models.FloatField()
    sd = models.FloatField()
    is_provisional = models.BooleanField()
    missing = models.PositiveIntegerField()
    board_key = models.FloatField()
    storey = models.PositiveIntegerField(null=True)
    place_low = models.PositiveIntegerField(null=True)
    place_high = models.PositiveIntegerField(null=True)
    p_first = models.FloatField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["fit", "version"], name="one_line_in_a_fit")]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.rating:.1f} ± {self.sd:.1f}"


class FitDraws(models.Model):
    """The joint draws of the fit that is shown: for each player how far each draw lies from its rating."""

    fit = models.OneToOneField(Fit, on_delete=models.CASCADE, primary_key=True, related_name="draws")
    count = models.PositiveIntegerField()  # of draws
    content = models.BinaryField()  # half precision, player after player

    def __str__(self) -> str:
        return f"draws of {self.fit_id}"


class Season(models.Model):
    """A season of a ladder that was closed; nothing changes it, but the last one can be reopened."""

    class Cause(models.TextChoices):
        OPERATOR = "operator"  # somebody closed it
        RULES = "rules"  # new rules took effect

    ladder = models.ForeignKey(Ladder, on_delete=models.PROTECT, related_name="closed_seasons")
    number = models.PositiveIntegerField()  # from 1
    rules_version = models.PositiveIntegerField()
    began_at = models.DateTimeField()
    closed_at = models.DateTimeField()
    cause = models.CharField(max_length=8, choices=Cause.choices)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    note = models.CharField(max_length=200, blank=True, default="")  # the operator's words
    rated_after = models.PositiveBigIntegerField()  # the rating numbers that it counts come after this one
    rated_through = models.PositiveBigIntegerField()
    matches = models.PositiveIntegerField()
    bots = models.PositiveIntegerField()
    fitted_at = models.DateTimeField(null=True, blank=True)  # the fit that its table shows, if there was one
    fitted_matches = models.PositiveIntegerField(default=0)  # that this fit knew
    tallies = models.JSONField(default=list)  # how each seat fared

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "number"], name="a_season_is_closed_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="seasons_start_at_1"),
        ]

    def __str__(self) -> str:
        return f"season {self.number} of {self.ladder}"


class SeasonLine(BoardLine):
    """A version at the end of a season; its bot's name is today's, so that a deleted account leaves none behind."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="lines")
    version = models.ForeignKey("submissions.BotVersion", on_delete=models.PROTECT, related_name="+")
    bot = models.ForeignKey("submissions.Bot", on_delete=models.PROTECT, related_name="season_lines")
    position = models.PositiveIntegerField(null=True, blank=True)  # in the table, from 1; none if it was not shown

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "version"], name="a_version_has_one_line_in_a_season"),
            models.UniqueConstraint(fields=["season", "position"], name="a_position_in_a_season_is_taken_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version_id} in {self.season_id}"
