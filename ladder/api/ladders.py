"""Ladders and their leaderboards."""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import orjson
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from arena.intervals import Z95
from ladder.api.lines import Listed, home_of, teller_of
from ladder.api.pagination import Pages
from ladder.api.quick import QuickReads, is_plain
from ladder.api.schema import asked, counted
from ladder.api.wire import OPTIONS
from ladder.cache import near_cache
from ladder.ladders.models import Ladder
from ladder.ladders.queries import get_ladder
from ladder.ratings.exports import export_csv, export_json
from ladder.ratings.leaderboard import (
    BEST_FIRST,
    MOST_ROWS,
    ORDERS,
    PAGE,
    BoardLines,
    Line,
    best_first,
    board_lines,
    mean_rank,
    moment,
    trend,
)
from ladder.ratings.models import Fit
from ladder.ratings.paging import LONGEST, InvalidCursor
from ladder.ratings.queries import latest_problem, seat_advantage, shares_by, shown_fit

CACHE_S = 3
EXPORTS = {"json": (export_json, "application/json"), "csv": (export_csv, "text/csv; charset=utf-8")}


class LadderLine(serializers.ModelSerializer[Ladder]):
    """A ladder."""

    matches = serializers.IntegerField(source="last_number", help_text="Rated matches that have a result.")

    class Meta:
        model = Ladder
        fields: tuple[str, ...] = ("slug", "game", "seats", "options", "is_open", "is_paused", "matches", "season")
        read_only_fields = fields


class SeatFare(serializers.Serializer[Any]):
    """How a seat fares."""

    seat = serializers.IntegerField()
    matches = serializers.IntegerField()
    mean_rank = serializers.FloatField()
    firsts = serializers.IntegerField()


class ShareLine(serializers.Serializer[Any]):
    """How a seat or a place in turn order fares."""

    place = serializers.IntegerField(help_text="From 0.")
    matches = serializers.IntegerField()
    points = serializers.FloatField(help_text="The share of opponents it beat, a tie counting half.")
    points_low = serializers.FloatField(help_text="95 % interval.")
    points_high = serializers.FloatField()
    firsts = serializers.IntegerField()
    mean_rank = serializers.FloatField()
    effect = serializers.FloatField(allow_null=True, help_text="What the place is worth in rating; null for seats.")
    effect_low = serializers.FloatField(allow_null=True)
    effect_high = serializers.FloatField(allow_null=True)


class SharesLine(serializers.Serializer[Any]):
    """Points by seat, and by place in turn order: who moves first matters more than the number of the seat."""

    by_seat = ShareLine(many=True)
    by_turn = ShareLine(many=True)


class FitSummary(serializers.ModelSerializer[Fit]):
    """The fit that the leaderboard shows."""

    problem = serializers.SerializerMethodField(help_text="Why a later fit failed; empty when none did.")

    class Meta:
        model = Fit
        fields = ("at", "matches", "players", "phi_set", "phi_between", "p_intransitive", "cpu_ms", "problem")
        read_only_fields = fields

    def get_problem(self, fit: Fit) -> str:
        return latest_problem(fit.ladder)


class LadderDetail(LadderLine):
    """A ladder and how it rates."""

    bots = serializers.SerializerMethodField(help_text="Bots on the leaderboard.")
    by_seat = serializers.SerializerMethodField(help_text="How each seat fares over all rated matches.")
    shares = serializers.SerializerMethodField(help_text="Points by seat and by turn order, by the shown fit.")
    fit = serializers.SerializerMethodField(help_text="The fit that the leaderboard shows; null before the first.")

    class Meta(LadderLine.Meta):
        fields = (*LadderLine.Meta.fields, "draw_probability", "tau", "created_at", "bots", "by_seat", "shares", "fit")
        read_only_fields = fields

    @extend_schema_field(SharesLine)
    def get_shares(self, ladder: Ladder) -> dict[str, Any]:
        return dict(SharesLine(shares_by(shown_fit(ladder))).data)

    @extend_schema_field(FitSummary(allow_null=True))
    def get_fit(self, ladder: Ladder) -> dict[str, Any] | None:
        fit = shown_fit(ladder)
        return dict(FitSummary(fit).data) if fit else None

    def get_bots(self, ladder: Ladder) -> int:
        return ladder.standings.filter(is_listed=True).count()

    @extend_schema_field(SeatFare(many=True))
    def get_by_seat(self, ladder: Ladder) -> list[Any]:
        return list(SeatFare(seat_advantage(ladder), many=True).data)


class TrueSkillLine(serializers.Serializer[Any]):
    """What TrueSkill believes of a version."""

    mu = serializers.FloatField()
    sigma = serializers.FloatField()


class LeaderboardRowSerializer(serializers.Serializer[Any]):
    """One line of a leaderboard."""

    rank = serializers.IntegerField(allow_null=True, help_text="By rating, whatever the order; null while provisional.")
    is_provisional = serializers.BooleanField(help_text="Too little is known to rank it; listed below the ranked bots.")
    bot_id = serializers.IntegerField()
    bot = serializers.CharField()
    owner = serializers.CharField(allow_null=True, help_text="null once the owner's account is deleted.")
    version = serializers.IntegerField()
    rating = serializers.FloatField(help_text="By the fit over all matches of the ladder; 25 is the house bots' mean.")
    sd = serializers.FloatField(help_text="Standard deviation of the rating.")
    low = serializers.FloatField(help_text="95 % interval of the rating.")
    high = serializers.FloatField()
    missing = serializers.IntegerField(help_text="About how many matches it lacks to be ranked.")
    storey = serializers.IntegerField(
        allow_null=True, help_text="Lines of one storey can't be told from its first; from 1, null while provisional."
    )
    place_low = serializers.IntegerField(allow_null=True, help_text="95 % interval of its place among the ranked.")
    place_high = serializers.IntegerField(allow_null=True)
    p_first = serializers.FloatField(allow_null=True, help_text="How probable it is that no ranked bot is better.")
    trueskill = TrueSkillLine(help_text="What schedules matches.")
    mu = serializers.FloatField(help_text="TrueSkill's, as in `trueskill`.")
    sigma = serializers.FloatField(help_text="TrueSkill's, as in `trueskill`.")
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    mean_rank = serializers.FloatField(allow_null=True)
    faults = serializers.IntegerField()
    trend = serializers.FloatField(help_text="How far mu moved over the last matches.")
    updated_at = serializers.DateTimeField()


class LeaderboardPage(serializers.Serializer[Any]):
    """Some lines of a leaderboard."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = LeaderboardRowSerializer(many=True)


class LeaderboardQuestion(serializers.Serializer[Any]):
    """Which lines are wanted."""

    order = serializers.CharField(required=False, default=BEST_FIRST, max_length=60)
    cursor = serializers.CharField(required=False, default="", max_length=LONGEST, allow_blank=True)
    limit = serializers.IntegerField(required=False, default=PAGE, min_value=1, max_value=MOST_ROWS)
    search = serializers.CharField(required=False, default="", max_length=60, allow_blank=True)
    owner = serializers.CharField(required=False, default="", max_length=60, allow_blank=True)


class BySlug(Pages):
    """Ladders in the order of their slugs."""

    ordering = "slug"
    position = re.compile(r"[-\w]{1,80}")


class LaddersView(Listed):
    """All ladders."""

    queryset = Ladder.objects.all()
    serializer_class = LadderLine
    pagination_class = BySlug
    filterset_fields = ("game", "is_open")

    def get_queryset(self) -> QuerySet[Ladder]:
        return Ladder.objects.all()


class LadderView(APIView):
    """One ladder."""

    @extend_schema(responses=LadderDetail)
    def get(self, request: Request, slug: str) -> Response:
        return Response(LadderDetail(get_ladder(slug)).data)


class LeaderboardView(QuickReads):
    """Who stands where: best first, or in another order; the rank is always the one by rating."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """A page that was made a moment ago costs a plain read one look into the cache; everybody sees the same."""
        self.key = _key(request)
        self.kept = near_cache().get(self.key)
        return _answer(*self.kept) if self.kept and is_plain(request) else super().dispatch(request, *args, **kwargs)

    @extend_schema(
        parameters=[
            asked("order", OpenApiTypes.STR, "Sort order; a leading minus sorts from high to low.", enum=list(ORDERS)),
            asked(
                "cursor", OpenApiTypes.STR, "Where the page starts; take it from `next` or `previous` of the same list."
            ),
            counted("limit", f"Rows per page, at most {MOST_ROWS}.", 1, MOST_ROWS),
            asked("search", OpenApiTypes.STR, "Part of the name of a bot or owner."),
            asked("owner", OpenApiTypes.STR, "The owner's username."),
        ],
        responses=LeaderboardPage,
    )
    def get(self, request: HttpRequest | Request, slug: str) -> HttpResponse:
        if self.kept:
            return _answer(*self.kept)
        body = orjson.dumps(_page(request, slug), option=OPTIONS | orjson.OPT_NAIVE_UTC)
        tag = f'"{sha256(body).hexdigest()[:32]}"'
        near_cache().set(self.key, (body, tag), CACHE_S)
        return _answer(body, tag)


class ExportView(APIView):
    """The whole leaderboard in one file: `?as=json` (default) or `?as=csv`."""

    @extend_schema(
        parameters=[asked("as", OpenApiTypes.STR, "The kind of file.", enum=list(EXPORTS))],
        responses={(200, "application/json"): OpenApiTypes.OBJECT, (200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        ladder = get_ladder(slug)
        return file_of(request, ladder, EXPORTS, name=ladder.slug)


def file_of(request: Request, of: Any, exports: dict[str, tuple[Any, str]], *, name: str) -> StreamingHttpResponse:
    """The file that was asked for, sent while it is read; raises ValidationError."""
    wanted = request.query_params.get("as", "json")
    if wanted not in exports:
        raise serializers.ValidationError({"as": [f"{wanted[:60]!r} is neither json nor csv."]})
    export, kind = exports[wanted]
    answer = StreamingHttpResponse(export(of), content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}.{wanted}"'
    return answer


def _key(request: HttpRequest) -> str:
    """Of all that a page depends on: where it is asked for, and what."""
    asked = f"{home_of(request)}\n{request.path}\n{request.META.get('QUERY_STRING', '')}"
    return f"leaderboard:{sha256(asked.encode(errors='surrogateescape')).hexdigest()}"


def _answer(body: bytes, tag: str) -> HttpResponse:
    return HttpResponse(body, content_type="application/json", headers={"ETag": tag})


def _page(request: HttpRequest | Request, slug: str) -> dict[str, Any]:
    asked = _asked(request.GET.dict())
    found = _found(slug, asked)
    place = f"{home_of(request)}{request.path}"
    return {
        "next": _link(place, request, found.next),
        "previous": _link(place, request, found.previous),
        "results": [_line(line) for line in found.lines],
    }


def _found(slug: str, asked: dict[str, Any]) -> BoardLines:
    """Most ask for the plain list, and where it has a line there is a ladder. Raises Refused."""
    if asked.keys() <= {"cursor"}:
        with suppress(InvalidCursor):  # which is not the first thing to be told where there is no ladder
            if (found := best_first(slug, **asked)).lines:
                return found
    return board_lines(get_ladder(slug), **asked)


def _asked(given: dict[str, Any]) -> dict[str, Any]:
    """What is wanted; most ask for nothing or for the next page, which needs no serializer. Raises ValidationError."""
    if not given or (given.keys() == {"cursor"} and given["cursor"].isascii() and len(given["cursor"]) <= LONGEST):
        return given
    question = LeaderboardQuestion(data=given)
    question.is_valid(raise_exception=True)
    return dict(question.validated_data)


def _link(place: str, request: HttpRequest | Request, cursor: str | None) -> str | None:
    if cursor is None:
        return None
    asked = urlencode(request.GET.dict() | {"cursor": cursor})
    return f"{place}?{asked}"


line_of = teller_of(LeaderboardRowSerializer)


def _line(line: Line) -> dict[str, Any]:
    """What line_of tells of the same row, without making one; a naive time is in UTC."""
    (
        above, _, bot_id, bot, _, owner, _, version, rating, sd, is_provisional, missing, _, storey, place_low,
        place_high, p_first, mu, sigma, matches, wins, draws, losses, rank_sum, faults, recent_mu, updated_at,
    ) = line  # fmt: skip
    half = Z95 * sd
    return {
        "rank": None if is_provisional else above + 1,
        "is_provisional": is_provisional,
        "bot_id": bot_id,
        "bot": bot,
        "owner": owner,
        "version": version,
        "rating": rating,
        "sd": sd,
        "low": rating - half,
        "high": rating + half,
        "missing": missing,
        "storey": storey,
        "place_low": place_low,
        "place_high": place_high,
        "p_first": p_first,
        "trueskill": {"mu": mu, "sigma": sigma},
        "mu": mu,
        "sigma": sigma,
        "matches": matches,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "mean_rank": mean_rank(rank_sum, matches),
        "faults": faults,
        "trend": trend(mu, recent_mu),
        "updated_at": moment(updated_at),
    }
