"""What came out: matches, standings, the crosstable, and all of it as a file."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api.lines import Listed
from ladder.api.matches import MatchLine
from ladder.api.pagination import Pages, number_asked
from ladder.api.schema import counted
from ladder.api.tournaments.serializers import CrosstableWindow, StandingLine, StandingsPage
from ladder.matches.models import Match
from ladder.tournaments import queries
from ladder.tournaments.models import Entrant

MOST_ROWS = 100
FARTHEST = 10**6


class TournamentMatchesView(Listed):
    """The matches of a tournament; with one or more `entrant` only those in which all of them sat."""

    queryset = Match.objects.none()
    serializer_class = MatchLine
    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Match]:
        if getattr(self, "swagger_fake_view", False):
            return Match.objects.none()
        tournament = queries.get_tournament(self.kwargs["tournament_id"], self.request.user)
        entrants = [
            number_asked(text, "entrant", 0, 10_000) for text in self.request.query_params.getlist("entrant")[:6]
        ]
        return queries.match_list(tournament, entrants=entrants)


WINDOW = [
    counted("from", "The first row, from 0.", 0, FARTHEST),
    counted("limit", f"Rows, at most {MOST_ROWS}.", 1, MOST_ROWS),
]


class StandingsView(APIView):
    """The standings, best first."""

    @extend_schema(parameters=WINDOW, responses=StandingsPage)
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = queries.get_tournament(tournament_id, request.user)
        start, limit = _window(request)
        rows = list(queries.sheet_of(tournament).defer("cells")[start : start + limit + 1])
        base = request.build_absolute_uri(request.path)
        return Response(
            {
                "next": f"{base}?from={start + limit}&limit={limit}" if len(rows) > limit else None,
                "previous": f"{base}?from={max(0, start - limit)}&limit={limit}" if start else None,
                "results": StandingLine(rows[:limit], many=True).data,
            }
        )


class CrosstableView(APIView):
    """Who won how much against whom, in the order of the standings."""

    @extend_schema(
        parameters=[*WINDOW, counted("column", "The first column, from 0.", 0, FARTHEST)],
        responses=CrosstableWindow,
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = queries.get_tournament(tournament_id, request.user)
        start, limit = _window(request)
        column = number_asked(request.query_params.get("column", "0"), "column", 0, FARTHEST)
        table = queries.crosstable(tournament, start=start, count=limit, column=column)
        return Response(
            {
                "total": table.total,
                "matches": request.build_absolute_uri("../matches/") + "?entrant={row}&entrant={column}",
                "columns": [_name(row.entrant) for row in table.columns],
                "numbers": [row.entrant.number for row in table.columns],
                "rows": [
                    {
                        "place": line.row.place,
                        "entrant": _name(line.row.entrant),
                        "number": line.row.entrant.number,
                        "points": line.row.points,
                        "cells": [cell and {"share": cell.share, "matches": cell.matches} for cell in line.cells],
                    }
                    for line in table.rows
                ],
            }
        )


class ExportView(APIView):
    """The whole result in one file: `?as=json` (default) or `?as=csv`."""

    @extend_schema(
        parameters=[OpenApiParameter("as", OpenApiTypes.STR, enum=["json", "csv"])],
        responses={(200, "application/json"): OpenApiTypes.OBJECT, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, tournament_id: int) -> StreamingHttpResponse:
        tournament = queries.get_tournament(tournament_id, request.user)
        wanted = request.query_params.get("as", "json")
        if wanted not in {"json", "csv"}:
            raise ValidationError({"as": [f"{wanted!r} is neither json nor csv."]})
        content = queries.export_json(tournament) if wanted == "json" else queries.export_csv(tournament)
        answer = StreamingHttpResponse(
            content, content_type="application/json" if wanted == "json" else "text/csv; charset=utf-8"
        )
        answer["Content-Disposition"] = f'attachment; filename="tournament-{tournament.pk}.{wanted}"'
        return answer


def _name(entrant: Entrant) -> str:
    return f"{entrant.bot.name} v{entrant.version.number}"


def _window(request: Request) -> tuple[int, int]:
    start = number_asked(request.query_params.get("from", "0"), "from", 0, FARTHEST)
    return start, number_asked(request.query_params.get("limit", "50"), "limit", 1, MOST_ROWS)
