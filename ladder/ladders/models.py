"""Ladders: what is played on them, and how far their ratings have come."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now


class Ladder(models.Model):
    """A game with a number of seats and options, on which versions are rated."""

    slug = models.SlugField(max_length=80, unique=True)
    game = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)  # only those that are not the default
    is_open = models.BooleanField(default=False)  # matchmaking plays on it and versions qualify on it
    is_paused = models.BooleanField(default=False)  # an operator holds its matches
    draw_probability = models.FloatField(default=0.05)
    tau = models.FloatField(default=0.008)
    sigma_goal = models.FloatField(default=1.0)  # a version known this well asks for no more matches
    most_matches = models.PositiveIntegerField(default=400)  # nor does one that has played this many
    admitted_through = models.PositiveBigIntegerField(
        null=True, blank=True
    )  # bots looked at since it opened; null: all
    last_number = models.PositiveBigIntegerField(default=0)  # rating numbers given out
    rated_through = models.PositiveBigIntegerField(default=0)  # rating numbers applied
    edition = models.PositiveIntegerField(default=0, db_default=0)  # of its ratings that is shown
    last_edition = models.PositiveIntegerField(default=0, db_default=0)  # the latest begun, or asked for
    needs_rebuild = models.BooleanField(default=False)  # a rated match was struck, or the way of rating changed
    rules_version = models.PositiveIntegerField(default=1)  # its table counts matches under these rules
    rules_since = models.DateTimeField(null=True, blank=True)  # when they took effect; null: with the ladder
    season = models.PositiveIntegerField(default=1)  # that is being played
    season_since = models.DateTimeField(null=True, blank=True)  # null: with the ladder
    closed_through = models.PositiveBigIntegerField(default=0)  # rating numbers of earlier seasons end here
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering: ClassVar = ["slug"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(rated_through__lte=models.F("last_number")), name="ladder_rates_what_was_numbered"
            ),
            models.CheckConstraint(
                condition=models.Q(draw_probability__gt=0, draw_probability__lt=1), name="ladder_draws_are_a_share"
            ),
            models.CheckConstraint(condition=models.Q(tau__gte=0), name="ladder_tau_is_not_negative"),
        ]

    def __str__(self) -> str:
        return self.slug
