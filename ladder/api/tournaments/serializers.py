"""Tournaments, entrants and standings as JSON, and what may be asked for."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ladder.api.matches import LARGEST_ID
from ladder.tournaments import queries
from ladder.tournaments.formats import FORMATS
from ladder.tournaments.models import LONGEST_CODE, LONGEST_NAME, Entrant, SheetRow, Tournament
from ladder.tournaments.permissions import may_run
from ladder.tournaments.schedule import points_of
from ladder.tournaments.services import SHORTEST_CODE


class TournamentLine(serializers.ModelSerializer[Tournament]):
    """A tournament; its seed is told when it has ended, its hash from the start."""

    url = serializers.HyperlinkedIdentityField("api:tournament", lookup_url_kwarg="tournament_id")
    ladder = serializers.CharField(source="ladder.slug")
    game = serializers.CharField(source="ladder.game")
    organiser = serializers.CharField(source="organiser.username", default=None, allow_null=True)

    class Meta:
        model = Tournament
        fields: tuple[str, ...] = (
            "id", "url", "name", "description", "ladder", "game", "organiser", "status", "entry", "entries_until",
            "is_rated", "format", "cycles", "rounds", "best_of", "champion", "all_rotations", "seed_commitment",
            "entrant_count", "round", "tables_total", "tables_drawn", "tables_settled",
            "created_at", "opened_at", "started_at", "finished_at",
        )  # fmt: skip
        read_only_fields = fields


class ProgressLine(serializers.Serializer[Any]):
    """Matches, and about how many seconds are left."""

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    running = serializers.IntegerField()
    left_s = serializers.IntegerField(allow_null=True)


class TournamentDetail(TournamentLine):
    """A tournament with its progress; the invite code is for its organiser."""

    seed = serializers.SerializerMethodField()
    points = serializers.SerializerMethodField()
    invite_code = serializers.SerializerMethodField()
    progress = ProgressLine(source="matches_progress")

    class Meta(TournamentLine.Meta):
        fields = (*TournamentLine.Meta.fields, "seed", "points", "invite_code", "progress")
        read_only_fields = fields

    def get_seed(self, tournament: Tournament) -> str | None:
        return queries.told_seed(tournament)

    def get_points(self, tournament: Tournament) -> list[float]:
        return list(points_of(tournament))

    def get_invite_code(self, tournament: Tournament) -> str | None:
        return tournament.invite_code if may_run(self.context["request"].user, tournament) else None


class TournamentWish(serializers.Serializer[Any]):
    """What an organiser asks for."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    description = serializers.CharField(max_length=1000, required=False, default="", allow_blank=True)
    ladder = serializers.CharField(max_length=80, help_text="The slug of the ladder whose settings are used.")
    format = serializers.ChoiceField(choices=list(FORMATS), default="round_robin")
    entry = serializers.ChoiceField(choices=Tournament.Entry.choices, default=Tournament.Entry.ANYONE)
    invite_code = serializers.CharField(
        max_length=LONGEST_CODE,
        required=False,
        default="",
        allow_blank=True,
        help_text=f"At least {SHORTEST_CODE} characters; empty: one is drawn, if entry is by invitation.",
    )
    entries_until = serializers.DateTimeField(required=False, allow_null=True, default=None)
    is_rated = serializers.BooleanField(default=False)
    cycles = serializers.IntegerField(min_value=1, max_value=1000, default=1)
    rounds = serializers.IntegerField(min_value=0, max_value=1000, default=0)
    best_of = serializers.IntegerField(min_value=1, max_value=1000, default=1)
    champion = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, required=False, allow_null=True, default=None
    )
    all_rotations = serializers.BooleanField(default=True)
    points = serializers.ListField(child=serializers.FloatField(), max_length=6, required=False, default=list)
    seed = serializers.RegexField(
        r"^[0-9a-f]{1,64}\Z", required=False, allow_null=True, default=None, help_text="256 bits in hex."
    )


class EntryWish(serializers.Serializer[Any]):
    """A bot to enter, or the first so many of the ladder."""

    bot = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, required=False)
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False, allow_null=True)
    code = serializers.CharField(max_length=LONGEST_CODE, required=False, default="", allow_blank=True)
    top = serializers.IntegerField(min_value=1, max_value=1000, required=False)


class EntrantLine(serializers.ModelSerializer[Entrant]):
    """Who takes part, with which version."""

    bot_id = serializers.IntegerField()
    bot = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username", default=None, allow_null=True)
    version = serializers.IntegerField(source="version.number")

    class Meta:
        model = Entrant
        fields = ("number", "bot_id", "bot", "owner", "version", "entered_at")
        read_only_fields = fields


class EntrantPage(serializers.Serializer[Any]):
    """All who take part, or all who were entered just now."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = EntrantLine(many=True)


class StandingLine(serializers.ModelSerializer[SheetRow]):
    """A line of the standings; low and high are the places that luck allows, p_first how often it would be first."""

    entrant = EntrantLine()

    class Meta:
        model = SheetRow
        fields = (
            "place", "tie_rule", "low", "high", "entrant", "points", "wins", "draws", "losses", "matches", "voids",
            "faults", "byes", "sonneborn_berger", "mean_score", "p_first", "share_low", "share_high",
        )  # fmt: skip
        read_only_fields = fields


class StandingsPage(serializers.Serializer[Any]):
    """Standings as last written."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = StandingLine(many=True)


@extend_schema_field(
    {
        "type": "array",
        "description": "Points against each opponent; null against itself and opponents not met yet.",
        "items": {
            "type": "object",
            "nullable": True,
            "required": ["share", "matches"],
            "properties": {"share": {"type": "number"}, "matches": {"type": "integer"}},
        },
    }
)
class CrossCells(serializers.ListField):
    """The cells of one line; the schema is written out because a list of serializers has no null in it."""


class CrossRow(serializers.Serializer[Any]):
    """One line of the crosstable."""

    place = serializers.IntegerField()
    entrant = serializers.CharField()
    number = serializers.IntegerField()
    points = serializers.FloatField()
    cells = CrossCells()


class CrosstableWindow(serializers.Serializer[Any]):
    """So many rows and columns; a cell is null against itself and whoever was not met yet."""

    total = serializers.IntegerField()
    matches = serializers.CharField(help_text="URL template for the matches of two entrants; fill in their numbers.")
    columns = serializers.ListField(child=serializers.CharField())
    numbers = serializers.ListField(child=serializers.IntegerField())
    rows = CrossRow(many=True)
