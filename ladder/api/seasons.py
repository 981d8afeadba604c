"""Closed seasons of a ladder: which there are, and their tables."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api.ladders import LeaderboardRowSerializer, file_of, line_of
from ladder.api.pagination import Pages, number_asked
from ladder.api.schema import asked, counted
from ladder.ladders.queries import get_ladder
from ladder.ratings.exports import export_season_csv, export_season_json
from ladder.ratings.leaderboard import MOST_ROWS, PAGE
from ladder.ratings.models import Season
from ladder.ratings.season_tables import closed_by, get_season, season_page

EXPORTS = {"json": (export_season_json, "application/json"), "csv": (export_season_csv, "text/csv; charset=utf-8")}
MOST_POSITIONS = 10**8


class SeasonLine(serializers.ModelSerializer[Season]):
    """A closed season."""

    closed_by = serializers.SerializerMethodField(help_text="A username, `an operator`, or `new rules`.")
    fitted_matches = serializers.IntegerField(help_text="Matches that the ratings of its table know.")

    class Meta:
        model = Season
        fields: tuple[str, ...] = (
            "number", "rules_version", "began_at", "closed_at", "closed_by", "note", "bots", "matches",
            "fitted_matches",
        )  # fmt: skip
        read_only_fields = fields

    def get_closed_by(self, season: Season) -> str:
        return closed_by(season)


class SeasonTable(SeasonLine):
    """A closed season and a part of its table, which no later match changes."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = LeaderboardRowSerializer(many=True)

    class Meta(SeasonLine.Meta):
        fields = (*SeasonLine.Meta.fields, "next", "previous", "results")
        read_only_fields = fields


class SeasonsView(generics.ListAPIView[Season]):
    """The closed seasons of a ladder, the latest first."""

    queryset = Season.objects.none()
    serializer_class = SeasonLine
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Season]:
        if getattr(self, "swagger_fake_view", False):
            return Season.objects.none()
        return Season.objects.filter(ladder=get_ladder(self.kwargs["slug"])).select_related("closed_by")


class SeasonView(APIView):
    """One closed season with its table, best first."""

    @extend_schema(
        parameters=[
            counted("after", "The position after which the page starts.", 0, MOST_POSITIONS),
            counted("limit", f"Rows per page, at most {MOST_ROWS}.", 1, MOST_ROWS),
        ],
        responses=SeasonTable,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        season = get_season(get_ladder(slug), number)
        after = number_asked(request.query_params.get("after", "0"), "after", 0, MOST_POSITIONS)
        limit = number_asked(request.query_params.get("limit", str(PAGE)), "limit", 1, MOST_ROWS)
        page = season_page(season, after=after, limit=limit)
        links = {"next": page.next, "previous": page.previous}
        table = {name: _link(request, at, limit) for name, at in links.items()}
        return Response(SeasonLine(season).data | table | {"results": [line_of(row) for row in page.rows]})


class ExportView(APIView):
    """The whole table of a season in one file: `?as=json` (default) or `?as=csv`."""

    @extend_schema(
        parameters=[asked("as", OpenApiTypes.STR, "The kind of file.", enum=list(EXPORTS))],
        responses={(200, "application/json"): OpenApiTypes.OBJECT, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str, number: int) -> StreamingHttpResponse:
        season = get_season(get_ladder(slug), number)
        return file_of(request, season, EXPORTS, name=f"{slug}-season-{number}")


def _link(request: Request, after: str | None, limit: int) -> Any:
    return None if after is None else request.build_absolute_uri(f"{request.path}?after={after}&limit={limit}")
