"""Matches: finding them, asking for one, and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_filters
from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from engines import GAMES
from ladder.accounts.permissions import signed_in
from ladder.api.lines import Columns, Listed, home_of
from ladder.api.quick import QuickReads
from ladder.api.throttles import Costly, PerMinute
from ladder.ladders.queries import get_ladder
from ladder.matches.models import Lane, Match, Seat
from ladder.matches.queries import hides_its_seed, match_in_full, matches_in_full
from ladder.matches.services import request_matches
from ladder.prepared import prepared
from ladder.ratings.models import Rating
from ladder.ratings.queries import changes_by
from ladder.submissions.models import BotVersion

LARGEST_ID = 10**18 - 1
MOST_SEATS = 6


class SeatLine(serializers.ModelSerializer[Seat]):
    """Who sat in a seat, and how it ended for them."""

    bot_id = serializers.IntegerField(source="version.bot_id")
    bot = serializers.CharField(source="version.bot.name")
    owner = serializers.CharField(source="version.bot.owner.username", default=None, allow_null=True)
    version = serializers.IntegerField(source="version.number")
    fault = serializers.CharField(help_text="Empty when the bot kept to the rules.")

    class Meta:
        model = Seat
        fields = (
            "seat", "bot_id", "bot", "owner", "version", "rank", "score", "fault", "fault_stage", "fault_ply",
            "cpu_ms", "peak_kib",
        )  # fmt: skip
        read_only_fields = fields


class MatchLine(serializers.ModelSerializer[Match]):
    """A match; nothing here tells what an unfinished one holds."""

    url = serializers.HyperlinkedIdentityField("api:match", lookup_url_kwarg="match_id")
    ladder = serializers.CharField(source="ladder.slug")
    game = serializers.CharField(source="ladder.game")
    set = serializers.IntegerField(source="set_id", help_text="Matches of one set share a seed.")
    seats = SeatLine(many=True)

    class Meta:
        model = Match
        fields: tuple[str, ...] = (
            "id", "url", "ladder", "game", "set", "rotation", "lane", "status", "is_rated", "rating_number", "attempts",
            "rules_version", "ending", "game_ending", "plies", "wall_ms", "digest", "reason",
            "created_at", "started_at", "finished_at", "seats",
        )  # fmt: skip
        read_only_fields = fields


class ChangeLine(serializers.ModelSerializer[Rating]):
    """What a match did to a rating."""

    class Meta:
        model = Rating
        fields = ("seat", "rank", "mu_before", "sigma_before", "mu", "sigma")
        read_only_fields = fields


class MatchDetail(MatchLine):
    """A match with its seed, once no match of the same seed is still to be played."""

    seed = serializers.CharField(allow_null=True, read_only=True)
    is_revealed = serializers.BooleanField(
        read_only=True, help_text="Whether the seed, the record and every seat's view are public."
    )
    rating_changes = ChangeLine(many=True, read_only=True)

    class Meta(MatchLine.Meta):
        fields = (*MatchLine.Meta.fields, "seed", "is_revealed", "rating_changes")
        read_only_fields = fields


@extend_schema_field(OpenApiTypes.INT64)
class IdFilter(django_filters.Filter):  # type: ignore[misc]  # django-filter has no types
    """A whole number that fits every database."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=1, max_value=LARGEST_ID, **kwargs)


class MatchFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Which matches are wanted."""

    ladder = django_filters.CharFilter("ladder__slug", max_length=80)
    game = django_filters.ChoiceFilter("ladder__game", choices=lambda: [(name, name) for name in GAMES])
    status = django_filters.ChoiceFilter(choices=Match.Status.choices)
    lane = django_filters.ChoiceFilter(choices=Lane.choices)
    bot = IdFilter(method="of_bot", help_text="Matches in which this bot sat.")
    set = IdFilter("set_id")

    class Meta:
        model = Match
        fields = ("ladder", "game", "status", "lane", "bot", "set")

    def of_bot(self, matches: QuerySet[Match], name: str, bot_id: int) -> QuerySet[Match]:
        return matches.filter(pk__in=Seat.objects.filter(version__bot=bot_id).values("match"))


class WantedSeat(serializers.Serializer[Any]):
    """A bot, and which version of it; without a number the active one."""

    bot = serializers.IntegerField(min_value=1, max_value=LARGEST_ID)
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False, allow_null=True)


class WantedMatch(serializers.Serializer[Any]):
    """An unrated match on a ladder's terms; with rotations, one for each seating."""

    ladder = serializers.CharField(max_length=80)
    seats = WantedSeat(many=True, max_length=MOST_SEATS, allow_empty=False)  # type: ignore[call-arg]
    rotations = serializers.BooleanField(required=False, default=False)


class QueuedMatches(serializers.Serializer[Any]):
    """The matches that were queued."""

    set = serializers.IntegerField()
    results = MatchLine(many=True)


class MatchesView(Listed):
    """All matches, newest first."""

    queryset = Match.objects.none()
    serializer_class = MatchLine
    filterset_class = MatchFilter

    def get_queryset(self) -> QuerySet[Match]:
        return Match.objects.order_by("-id").only("id")

    def lines(self, page: Sequence[Match], home: str) -> list[dict[str, Any]]:
        """By statements that are made once; the page itself was a list of numbers."""
        ids = [one.pk for one in page]
        return _with_seats(_match_rows(ids), home)

    def get_throttles(self) -> list[Any]:
        return [PerMinute(), Costly()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(request=WantedMatch, responses={201: QueuedMatches})
    def post(self, request: Request) -> Response:
        """Ask for an unrated match between any bots."""
        wanted = WantedMatch(data=request.data)
        wanted.is_valid(raise_exception=True)
        given = wanted.validated_data
        ladder = get_ladder(given["ladder"])
        versions = _versions(given["seats"])
        made = request_matches(
            user=signed_in(request.user), ladder=ladder, versions=versions, all_rotations=given["rotations"]
        )
        rows = MatchLine(
            matches_in_full().filter(set=made).order_by("id"), many=True, context={"request": request}
        ).data
        return Response(
            {"set": made.pk, "results": rows}, status=status.HTTP_201_CREATED, headers={"Location": rows[0]["url"]}
        )


class MatchView(QuickReads):
    """One match."""

    @extend_schema(responses=MatchDetail)
    def get(self, request: HttpRequest | Request, match_id: int) -> Response:
        found, home = _open_match_rows(match_id), home_of(request)
        if not found:
            raise _no_match(match_id)
        *_, seed, hides = found[0]
        told = _with_seats(found, home)[0] | {"seed": None if hides else seed, "is_revealed": not hides}
        return Response(told | {"rating_changes": [CHANGE.line(row, home) for row in _change_rows(match_id)]})


MATCH, SEAT, CHANGE = Columns(MatchLine, without=["seats"]), Columns(SeatLine), Columns(ChangeLine)


def _with_seats(matches: list[tuple[Any, ...]], home: str) -> list[dict[str, Any]]:
    """Matches as lines, each with its seats."""
    seats: dict[int, list[dict[str, Any]]] = {}
    for *row, match_id in _seat_rows([row[0] for row in matches]):
        seats.setdefault(match_id, []).append(SEAT.line(row, home))
    return [MATCH.line(row, home) | {"seats": seats.get(row[0], [])} for row in matches]


@prepared
def _match_rows(ids: list[int]) -> QuerySet[Match, tuple[Any, ...]]:
    return Match.objects.filter(pk__in=ids).order_by("-id").values_list(*MATCH.read)


@prepared
def _open_match_rows(match_id: int) -> QuerySet[Match, tuple[Any, ...]]:
    return Match.objects.filter(pk=match_id).values_list(*MATCH.read, "set__seed", hides_its_seed())


@prepared
def _seat_rows(ids: list[int]) -> QuerySet[Seat, tuple[Any, ...]]:
    return Seat.objects.filter(match__in=ids).order_by("seat").values_list(*SEAT.read, "match_id")


@prepared
def _change_rows(match_id: int) -> QuerySet[Rating, tuple[Any, ...]]:
    return changes_by(match_id).values_list(*CHANGE.read)


def _no_match(match_id: int) -> NotFound:
    return NotFound(f"There is no match {match_id}.")


def get_match(match_id: int) -> Match:
    """The match of an id; raises NotFound."""
    match = match_in_full(match_id)
    if match is None:
        raise _no_match(match_id)
    return match


def _versions(seats: list[dict[str, Any]]) -> list[BotVersion]:
    """The versions that are to sit there; raises ValidationError naming the seat."""
    wanted = BotVersion.objects.select_related("bot").filter(bot__in={seat["bot"] for seat in seats})
    known = {(version.bot_id, version.number): version for version in wanted}
    active = {version.bot_id: version for version in known.values() if version.bot.active_version_id == version.pk}
    found = [
        active.get(seat["bot"]) if seat.get("version") is None else known.get((seat["bot"], seat["version"]))
        for seat in seats
    ]
    missing = {
        f"seats.{index}": [
            f"Bot {seat['bot']} has no {'active version' if not seat.get('version') else 'such version'}."
        ]
        for index, (seat, version) in enumerate(zip(seats, found, strict=True))
        if version is None
    }
    if missing:
        raise ValidationError(missing)
    return [version for version in found if version is not None]
