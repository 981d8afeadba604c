"""Tournaments: finding and making them, entering, running, and reading their tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines import GAMES
from ladder.accounts.models import User
from ladder.api.matches import LARGEST_ID, MatchLine
from ladder.api.paging import Pages, number_asked, whole
from ladder.api.schema import counted
from ladder.api.throttles import Costly, PerMinute
from ladder.ladders.queries import get_ladder
from ladder.matches.models import Match
from ladder.submissions.models import Bot, BotVersion
from ladder.tournaments import queries, services
from ladder.tournaments.formats import FORMATS
from ladder.tournaments.models import LONGEST_NAME, Entrant, SheetRow, Tournament
from ladder.tournaments.permissions import may_run
from ladder.tournaments.schedule import points_of

MOST_ROWS = 100
FARTHEST = 10**6


class TournamentLine(serializers.ModelSerializer):
    """A tournament; its seed is told when it has ended, its hash from the start."""

    url = serializers.HyperlinkedIdentityField("api:tournament", lookup_url_kwarg="tournament_id")
    ladder = serializers.CharField(source="ladder.slug")
    game = serializers.CharField(source="ladder.game")
    organiser = serializers.CharField(source="organiser.username", default=None, allow_null=True)

    class Meta:
        model = Tournament
        fields = (
            "id", "url", "name", "description", "ladder", "game", "organiser", "status", "entry", "entries_until",
            "is_rated", "format", "cycles", "rounds", "best_of", "champion", "all_rotations", "seed_commitment",
            "entrant_count", "round", "tables_total", "tables_drawn", "tables_settled",
            "created_at", "opened_at", "started_at", "finished_at",
        )  # fmt: skip
        read_only_fields = fields


class ProgressLine(serializers.Serializer):
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


class TournamentWish(serializers.Serializer):
    """What an organiser asks for."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    description = serializers.CharField(max_length=1000, required=False, default="", allow_blank=True)
    ladder = serializers.CharField(max_length=80, help_text="The slug of the ladder whose terms are played.")
    format = serializers.ChoiceField(choices=list(FORMATS), default="round_robin")
    entry = serializers.ChoiceField(choices=Tournament.Entry.choices, default=Tournament.Entry.ANYONE)
    invite_code = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
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


class EntryWish(serializers.Serializer):
    """A bot to enter, or the first so many of the ladder."""

    bot = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, required=False)
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False, allow_null=True)
    code = serializers.CharField(max_length=40, required=False, default="", allow_blank=True)
    top = serializers.IntegerField(min_value=1, max_value=1000, required=False)


class EntrantLine(serializers.ModelSerializer):
    """Who takes part, with which version."""

    bot_id = serializers.IntegerField()
    bot = serializers.CharField(source="bot.name")
    owner = serializers.CharField(source="bot.owner.username", default=None, allow_null=True)
    version = serializers.IntegerField(source="version.number")

    class Meta:
        model = Entrant
        fields = ("number", "bot_id", "bot", "owner", "version", "entered_at")
        read_only_fields = fields


class EntrantPage(serializers.Serializer):
    """All who take part, or all who were entered just now."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = EntrantLine(many=True)


class StandingLine(serializers.ModelSerializer):
    """A line of the standings; low and high are the places that luck allows."""

    entrant = EntrantLine()

    class Meta:
        model = SheetRow
        fields = (
            "place", "tie_rule", "low", "high", "entrant", "points", "wins", "draws", "losses", "matches", "voids",
            "faults", "byes", "sonneborn_berger", "mean_score",
        )  # fmt: skip
        read_only_fields = fields


class StandingsPage(serializers.Serializer):
    """Standings as last written."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = StandingLine(many=True)


@extend_schema_field(
    {
        "type": "array",
        "description": "What was won against each opponent; null against itself and whoever was not met yet.",
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


class CrossRow(serializers.Serializer):
    """One line of the crosstable."""

    place = serializers.IntegerField()
    entrant = serializers.CharField()
    number = serializers.IntegerField()
    points = serializers.FloatField()
    cells = CrossCells()


class CrosstableWindow(serializers.Serializer):
    """So many rows and columns; a cell is null against itself and whoever was not met yet."""

    total = serializers.IntegerField()
    matches = serializers.CharField(help_text="The address of a pairing's matches; put in the numbers of the two.")
    columns = serializers.ListField(child=serializers.CharField())
    numbers = serializers.ListField(child=serializers.IntegerField())
    rows = CrossRow(many=True)


class TournamentFilter(django_filters.FilterSet):
    """Which tournaments are wanted."""

    game = django_filters.ChoiceFilter("ladder__game", choices=lambda: [(name, name) for name in GAMES])
    ladder = django_filters.CharFilter("ladder__slug", max_length=80)
    status = django_filters.ChoiceFilter(choices=Tournament.Status.choices)
    organiser = django_filters.CharFilter("organiser__username", lookup_expr="iexact", max_length=40)

    class Meta:
        model = Tournament
        fields = ("game", "ladder", "status", "organiser")


class TournamentsView(generics.ListAPIView):
    """All tournaments, newest first."""

    queryset = Tournament.objects.none()
    serializer_class = TournamentLine
    filterset_class = TournamentFilter

    def get_queryset(self) -> QuerySet[Tournament]:
        return queries.visible_to(self.request.user)

    def get_throttles(self) -> list[Any]:
        return [PerMinute(), Costly()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(request=TournamentWish, responses={201: TournamentDetail})
    def post(self, request: Request) -> Response:
        """Make a draft."""
        wish = TournamentWish(data=request.data)
        wish.is_valid(raise_exception=True)
        given = dict(wish.validated_data)
        champion = given.pop("champion")
        seed = given.pop("seed")
        wishes = services.Wishes(
            **{**given, "ladder": get_ladder(given["ladder"])},
            champion=None if champion is None else _bot(champion),
            seed=None if seed is None else int(seed, 16),
        )
        tournament = services.create_tournament(by=request.user, wishes=wishes)
        return _detail(tournament, request, status=status.HTTP_201_CREATED)


class TournamentView(APIView):
    """One tournament."""

    @extend_schema(responses=TournamentDetail)
    def get(self, request: Request, tournament_id: int) -> Response:
        return _detail(queries.get_tournament(tournament_id, request.user), request)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, tournament_id: int) -> Response:
        """Throw a draft away."""
        services.delete_draft(queries.get_tournament(tournament_id, request.user), by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class EntriesView(APIView):
    """Who takes part."""

    @extend_schema(responses=EntrantPage)
    def get(self, request: Request, tournament_id: int) -> Response:
        tournament = queries.get_tournament(tournament_id, request.user)
        return Response(whole(EntrantLine(queries.entrants_of(tournament), many=True).data))

    @extend_schema(request=EntryWish, responses={201: EntrantPage})
    def post(self, request: Request, tournament_id: int) -> Response:
        """Enter a bot, change its version, or enter the first so many of the ladder."""
        tournament = queries.get_tournament(tournament_id, request.user)
        wish = EntryWish(data=request.data)
        wish.is_valid(raise_exception=True)
        entered = _enter(tournament, wish.validated_data, request.user)
        rows = queries.entrants_of(tournament).filter(pk__in=[entrant.pk for entrant in entered])
        return Response(whole(EntrantLine(rows, many=True).data), status=status.HTTP_201_CREATED)


class EntryView(APIView):
    """One bot's entry."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, tournament_id: int, bot_id: int) -> Response:
        """Take a bot out before the start."""
        services.leave(queries.get_tournament(tournament_id, request.user), _bot(bot_id), by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class StepView(APIView):
    """A step in a tournament's life, for its organiser."""

    permission_classes = (IsAuthenticated,)
    step: Callable[..., None]

    @extend_schema(request=None, responses=TournamentDetail)
    def post(self, request: Request, tournament_id: int) -> Response:
        tournament = queries.get_tournament(tournament_id, request.user)
        type(self).step(tournament, by=request.user)
        return _detail(queries.get_tournament(tournament_id, request.user), request)


class OpenView(StepView):
    """Show a draft and take entries."""

    step = staticmethod(services.open_entries)


class StartView(StepView):
    """Pin the entrants and let the matches begin."""

    step = staticmethod(services.start)


class PauseView(StepView):
    """Let no further match begin."""

    step = staticmethod(services.pause)


class ResumeView(StepView):
    """Go on after a pause."""

    step = staticmethod(services.resume)


class CancelView(StepView):
    """Call the tournament off."""

    step = staticmethod(services.cancel)


class TournamentMatchesView(generics.ListAPIView):
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


def _detail(tournament: Tournament, request: Request, status: int = 200) -> Response:
    tournament.matches_progress = queries.progress(tournament)  # type: ignore[attr-defined]
    data = TournamentDetail(tournament, context={"request": request}).data
    return Response(data, status=status, headers={"Location": data["url"]} if status == 201 else None)


def _enter(tournament: Tournament, wish: dict[str, Any], user: User) -> list[Entrant]:
    if ("bot" in wish) == ("top" in wish):
        raise ValidationError({"bot": ["Name either a bot or a number of top bots of the ladder (`top`)."]})
    if "top" in wish:
        return services.enter_top(tournament, wish["top"], by=user)
    bot = _bot(wish["bot"])
    version = None
    if wish.get("version") is not None:
        version = BotVersion.objects.filter(bot=bot, number=wish["version"]).first()
        if version is None:
            raise ValidationError({"version": [f"{bot} has no version {wish['version']}."]})
    return [services.enter(tournament, bot, by=user, code=wish["code"], version=version)]


def _bot(bot_id: int) -> Bot:
    bot = Bot.objects.select_related("active_version__bot").filter(pk=bot_id).first()
    if bot is None:
        raise NotFound(f"There is no bot {bot_id}.")
    return bot


def _name(entrant: Entrant) -> str:
    return f"{entrant.bot.name} v{entrant.version.number}"


def _window(request: Request) -> tuple[int, int]:
    start = number_asked(request.query_params.get("from", "0"), "from", 0, FARTHEST)
    return start, number_asked(request.query_params.get("limit", "50"), "limit", 1, MOST_ROWS)
