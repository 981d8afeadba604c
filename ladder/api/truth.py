"""How much a ladder's table can be believed, and two of its bots or versions side by side."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api.ladders import SharesLine
from ladder.api.schema import asked
from ladder.ladders.queries import get_ladder
from ladder.ratings.comparing import LONGEST_NAME, Comparison, both_places, compare
from ladder.ratings.models import Standing
from ladder.ratings.truth import told_truth
from ladder.spreadsheets import csv_line


class EdgeLine(serializers.Serializer[Any]):
    """One version beats another: its share of points by sets, and the least that share can be."""

    winner = serializers.CharField()
    winner_bot = serializers.IntegerField()
    loser = serializers.CharField()
    loser_bot = serializers.IntegerField()
    share = serializers.FloatField()
    low = serializers.FloatField()
    sets = serializers.IntegerField()


class TransitivityLine(serializers.Serializer[Any]):
    """Whether an order of ratings can hold the field."""

    p_intransitive = serializers.FloatField(
        allow_null=True, help_text="How often a field without cycles would look like this; small means cycles."
    )
    has_cycles = serializers.BooleanField()
    examined = serializers.IntegerField(help_text="Triangles whose pairs have all met in five sets or more.")
    triangles = serializers.ListField(
        child=EdgeLine(many=True), help_text="Those in which all three edges hold at once, the clearest first."
    )


class WindowLine(serializers.Serializer[Any]):
    """What a house bot got beyond what its rating promised, with a 95 % interval by sets."""

    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    sets = serializers.IntegerField()
    residual = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class AnchorLine(serializers.Serializer[Any]):
    """A house bot over time."""

    name = serializers.CharField()
    bot_id = serializers.IntegerField()
    rating = serializers.FloatField()
    windows = WindowLine(many=True)


class BinLine(serializers.Serializer[Any]):
    """Predictions that are about the same, and how they came out."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    pairs = serializers.IntegerField()
    sets = serializers.IntegerField()
    expected = serializers.FloatField()
    observed = serializers.FloatField()
    observed_low = serializers.FloatField(help_text="95 % interval by sets.")
    observed_high = serializers.FloatField()
    holds = serializers.BooleanField()


class CalibrationLine(serializers.Serializer[Any]):
    """How predictions made before the matches came true."""

    pairs = serializers.IntegerField()
    brier = serializers.FloatField()
    brier_even = serializers.FloatField(help_text="Of 50 % for every pair of the same matches.")
    gap = serializers.FloatField(help_text="Mean distance between predicted and observed share.")
    bins = BinLine(many=True)


class TruthLine(serializers.Serializer[Any]):
    """A ladder's page of truth."""

    matches = serializers.IntegerField(help_text="The latest rated matches that all this is read from.")
    shares = SharesLine()
    transitivity = TransitivityLine()
    anchors = AnchorLine(many=True)
    predicted = serializers.IntegerField(help_text="The latest matches whose predictions were looked at.")
    by_fit = CalibrationLine(allow_null=True, help_text="By the last fit that did not know the match.")
    by_trueskill = CalibrationLine(allow_null=True, help_text="By TrueSkill before the match.")


class TruthView(APIView):
    """Seats, cycles, drift and predictions of a ladder."""

    @extend_schema(responses=TruthLine)
    def get(self, request: Request, slug: str) -> Response:
        return Response(TruthLine(told_truth(get_ladder(slug))).data)


class PlaceLine(serializers.ModelSerializer[Standing]):
    """One of the two."""

    bot = serializers.CharField(source="bot.name")
    bot_id = serializers.IntegerField()
    version = serializers.IntegerField(source="version.number")
    low = serializers.FloatField()
    high = serializers.FloatField()

    class Meta:
        model = Standing
        fields = ("bot", "bot_id", "version", "rating", "low", "high", "place_low", "place_high", "matches")
        read_only_fields = fields


class HeadToHeadLine(serializers.Serializer[Any]):
    """Their own matches."""

    matches = serializers.IntegerField()
    sets = serializers.IntegerField()
    share = serializers.FloatField(help_text="Points of the first.")
    low = serializers.FloatField(help_text="95 % interval by sets.")
    high = serializers.FloatField()


class CommonLine(serializers.Serializer[Any]):
    """A bot that both have met."""

    bot_id = serializers.IntegerField()
    bot = serializers.CharField()
    one = serializers.FloatField(help_text="Share of points of the first against it.")
    one_matches = serializers.IntegerField()
    other = serializers.FloatField()
    other_matches = serializers.IntegerField()


class ComparisonLine(serializers.Serializer[Any]):
    """Two bots or versions side by side."""

    one = PlaceLine()
    other = PlaceLine()
    p_better = serializers.FloatField(help_text="That the first is truly the better one.")
    p_wins_next = serializers.FloatField(help_text="Expected points of the first in their next match.")
    matches_to_separate = serializers.IntegerField(
        allow_null=True, help_text="About how many more would tell, with 80 % power; null where they look equal."
    )
    head_to_head = HeadToHeadLine(allow_null=True)
    common = CommonLine(many=True)


class CompareQuestion(serializers.Serializer[Any]):
    """Who is compared."""

    a = serializers.CharField(max_length=LONGEST_NAME)
    b = serializers.CharField(max_length=LONGEST_NAME)


NAME = "The name of a bot on the ladder (its active version), or a name and a version: `lamplighter v3`."


class CompareView(APIView):
    """Which of two bots or versions is better, how sure that is, and what would tell more."""

    @extend_schema(
        parameters=[
            asked("a", OpenApiTypes.STR, NAME, required=True),
            asked("b", OpenApiTypes.STR, NAME, required=True),
            asked("as", OpenApiTypes.STR, "`json` or `csv`.", enum=["json", "csv"]),
        ],
        responses={(200, "application/json"): ComparisonLine, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse | Response:
        ladder = get_ladder(slug)
        question = CompareQuestion(data=request.query_params)
        question.is_valid(raise_exception=True)
        kind = request.query_params.get("as", "json")
        if kind not in {"json", "csv"}:
            raise serializers.ValidationError({"as": [f"{kind[:20]!r} is neither json nor csv."]})
        one, other = both_places(ladder, **question.validated_data)
        found = _line(one, other, compare(one, other))
        return _csv(found, slug) if kind == "csv" else Response(found)


def _line(one: Standing, other: Standing, comparison: Comparison) -> dict[str, Any]:
    gap = comparison.gap
    return dict(
        ComparisonLine(
            {
                "one": one,
                "other": other,
                "p_better": gap.is_better,
                "p_wins_next": gap.wins_next,
                "matches_to_separate": gap.matches_to_separate,
                "head_to_head": comparison.head_to_head,
                "common": comparison.common,
            }
        ).data
    )


def _csv(found: dict[str, Any], slug: str) -> HttpResponse:
    """One line for each number: what it is about, its name, its value."""
    lines = [csv_line(["about", "name", "value"])]
    for key, value in found.items():
        rows = value if isinstance(value, list) else [value]
        for row in rows:
            about = f"{key} {row['bot']}" if key == "common" else key
            named = row.items() if isinstance(row, dict) else [("", row)]
            lines += [csv_line([about, name, cell]) for name, cell in named]
    answer = HttpResponse("".join(lines), content_type="text/csv")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-comparison.csv"'
    return answer
