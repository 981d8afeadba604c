"""Bots, how they fared over time, and against whom."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.http import HttpRequest
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from engines import GAMES
from ladder.accounts.permissions import signed_in
from ladder.api.ladders import SeatFare, TrueSkillLine
from ladder.api.lines import Columns, Listed, home_of, teller_of
from ladder.api.quick import QuickReads
from ladder.api.schema import asked
from ladder.ladders.models import Ladder
from ladder.ladders.queries import get_ladder
from ladder.prepared import prepared
from ladder.privacy.owning import BotWishes, change_bot, delete_bot
from ladder.ratings.models import Standing
from ladder.ratings.queries import LOOK_BACK, by_seat, history, opponents, places_of_bot, rated_matches
from ladder.submissions.following import follower_count, followers
from ladder.submissions.models import Bot
from ladder.submissions.permissions import check_may_manage, shown_to
from ladder.submissions.queries import bot_in_full, bots_in_full
from ladder.submissions.services import create_bot

LADDER = asked("ladder", OpenApiTypes.STR, "The ladder's slug; otherwise the game's first open ladder.")


class BotLine(serializers.ModelSerializer[Bot]):
    """A bot."""

    url = serializers.HyperlinkedIdentityField("api:bot", lookup_url_kwarg="bot_id")
    owner = serializers.CharField(source="owner.username", default=None, allow_null=True)
    active_version = serializers.IntegerField(source="active_version.number", default=None, allow_null=True)

    class Meta:
        model = Bot
        fields: tuple[str, ...] = ("id", "url", "name", "game", "owner", "description", "active_version", "created_at")
        read_only_fields = fields


class NewBot(serializers.Serializer[Any]):
    """What a new bot is called and what it plays."""

    name = serializers.CharField(max_length=40)
    game = serializers.CharField(max_length=40)
    description = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)


class BotWish(serializers.Serializer[Any]):
    """What an owner may change about a bot; what is left out stays as it is."""

    name = serializers.CharField(max_length=40, required=False)
    description = serializers.CharField(max_length=500, required=False, allow_blank=True)
    plays_better_only = serializers.BooleanField(required=False)
    plays_people = serializers.BooleanField(required=False)
    is_hidden = serializers.BooleanField(required=False)

    def validate(self, wishes: dict[str, Any]) -> dict[str, Any]:
        if not wishes:
            raise serializers.ValidationError(f"Nothing to change was named; send one of {', '.join(self.fields)}.")
        return wishes


class BotConfirmed(serializers.Serializer[Any]):
    """The bot's name once more, as proof that its owner means this bot."""

    name = serializers.CharField(max_length=40)

    def validate_name(self, name: str) -> str:
        true_name = self.context["bot"].name
        if name != true_name:
            raise serializers.ValidationError(f"{name!r} is not the name of this bot: write {true_name!r}.")
        return name


class BotStanding(serializers.ModelSerializer[Standing]):
    """Where a version stands on a ladder."""

    ladder = serializers.CharField(source="ladder.slug")
    version = serializers.IntegerField(source="version.number")
    rating = serializers.FloatField(help_text="By the fit over all matches of the ladder.")
    low = serializers.FloatField(help_text="95 % interval of the rating.")
    high = serializers.FloatField()
    trueskill = TrueSkillLine(source="*", help_text="What schedules matches.")

    class Meta:
        model = Standing
        fields = (
            "ladder", "version", "is_listed", "rating", "sd", "low", "high", "is_provisional", "missing", "place_low",
            "place_high", "p_first", "trueskill", "mu", "sigma", "matches", "wins", "draws", "losses", "faults",
        )  # fmt: skip
        read_only_fields = fields


class BotDetail(BotLine):
    """A bot and where its versions stand."""

    standings = serializers.SerializerMethodField()
    plays_better_only = serializers.BooleanField(
        help_text="A new version plays only after a duel showed that it is better."
    )
    plays_people = serializers.BooleanField(help_text="Signed-in people may play against it; house bots always play.")
    is_hidden = serializers.BooleanField(help_text="It no longer plays, and only its owner’s lists show it.")
    followers = serializers.SerializerMethodField()

    class Meta(BotLine.Meta):
        fields = (
            *BotLine.Meta.fields, "plays_better_only", "plays_people", "is_hidden", "followers", "standings",
        )  # fmt: skip
        read_only_fields = fields

    def get_followers(self, bot: Bot) -> int:
        return follower_count(bot)

    @extend_schema_field(BotStanding(many=True))
    def get_standings(self, bot: Bot) -> list[Any]:
        return standings_told(bot.pk)


class PointLine(serializers.Serializer[Any]):
    """A rating after a match."""

    number = serializers.IntegerField(help_text="The rating number on the ladder.")
    match_id = serializers.IntegerField()
    version = serializers.IntegerField()
    at = serializers.DateTimeField()
    mu = serializers.FloatField()
    sigma = serializers.FloatField()
    rules_version = serializers.IntegerField(help_text="The table counts matches under the present rules only.")


class OpponentLine(serializers.Serializer[Any]):
    """Another bot and how it went against it."""

    bot_id = serializers.IntegerField()
    bot = serializers.CharField()
    owner = serializers.CharField(allow_null=True)
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    last_match_id = serializers.IntegerField()


class HistoryPage(serializers.Serializer[Any]):
    """Ratings over time on one ladder."""

    ladder = serializers.CharField(allow_null=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = PointLine(many=True)


class OpponentPage(serializers.Serializer[Any]):
    """Head-to-head on one ladder, and how each seat went."""

    ladder = serializers.CharField(allow_null=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    looked_back = serializers.IntegerField(help_text="The latest rated matches that all this is counted over.")
    results = OpponentLine(many=True)
    by_seat = SeatFare(many=True)


class BotFilter(django_filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Which bots are wanted."""

    game = django_filters.ChoiceFilter(choices=lambda: [(name, name) for name in GAMES])
    owner = django_filters.CharFilter("owner__username", lookup_expr="iexact", max_length=60)
    search = django_filters.CharFilter("name", lookup_expr="icontains", max_length=60)

    class Meta:
        model = Bot
        fields = ("game", "owner", "search")


class BotsView(Listed):
    """All bots, newest first; those that others have hidden are left out."""

    queryset = Bot.objects.none()
    serializer_class = BotLine
    filterset_class = BotFilter

    def get_queryset(self) -> QuerySet[Bot]:
        return bots_in_full().filter(shown_to(self.request.user))

    @extend_schema(request=NewBot, responses={201: BotLine})
    def post(self, request: Request) -> Response:
        wanted = NewBot(data=request.data)
        wanted.is_valid(raise_exception=True)
        bot = create_bot(owner=signed_in(request.user), **wanted.validated_data)
        place = reverse("api:bot", kwargs={"bot_id": bot.pk}, request=request)
        body = BotLine(bot, context={"request": request}).data
        return Response(body, status=status.HTTP_201_CREATED, headers={"Location": place})


class BotView(QuickReads):
    """One bot."""

    @extend_schema(responses=BotDetail)
    def get(self, request: HttpRequest | Request, bot_id: int) -> Response:
        found = _bot_rows(bot_id)
        if not found:
            raise _no_bot(bot_id)
        told = BOT.line(found[0], home_of(request))
        return Response(told | {"followers": found[0][-1], "standings": standings_told(bot_id)})

    @extend_schema(request=BotWish, responses=BotDetail)
    def patch(self, request: Request, bot_id: int) -> Response:
        bot = get_bot(bot_id)
        check_may_manage(request.user, bot)
        wish = BotWish(data=request.data)
        wish.is_valid(raise_exception=True)
        change_bot(bot, BotWishes(**wish.validated_data), by=signed_in(request.user))
        return Response(BotDetail(bot, context={"request": request}).data)

    @extend_schema(request=BotConfirmed, responses={204: OpenApiResponse(description="The bot has been deleted.")})
    def delete(self, request: Request, bot_id: int) -> Response:
        bot = get_bot(bot_id)
        check_may_manage(request.user, bot)
        BotConfirmed(data=request.data, context={"bot": bot}).is_valid(raise_exception=True)
        delete_bot(bot, by=signed_in(request.user))
        return Response(status=status.HTTP_204_NO_CONTENT)


class HistoryView(APIView):
    """How a bot's rating went, as points for a plot."""

    @extend_schema(parameters=[LADDER], responses=HistoryPage)
    def get(self, request: Request, bot_id: int) -> Response:
        bot, ladder = get_bot(bot_id), _ladder(request, bot_id)
        points = history(bot_id=bot.pk, ladder=ladder) if ladder else []
        return Response({"ladder": ladder and ladder.slug, "next": None, "previous": None, "results": points})


class OpponentsView(APIView):
    """How a bot fares against others, and in each seat."""

    @extend_schema(parameters=[LADDER], responses=OpponentPage)
    def get(self, request: Request, bot_id: int) -> Response:
        bot, ladder = get_bot(bot_id), _ladder(request, bot_id)
        rated = rated_matches(bot_id=bot.pk, ladder=ladder) if ladder else 0
        return Response(
            {
                "ladder": ladder and ladder.slug,
                "next": None,
                "previous": None,
                "looked_back": min(LOOK_BACK, rated),
                "results": opponents(bot_id=bot.pk, ladder=ladder, rated=rated) if ladder else [],
                "by_seat": by_seat(bot_id=bot.pk, ladder=ladder, rated=rated) if ladder else [],
            }
        )


BOT = Columns(BotDetail, without=["followers", "standings"])


@prepared
def _bot_rows(bot_id: int) -> QuerySet[Bot, tuple[Any, ...]]:
    return Bot.objects.filter(pk=bot_id).values_list(*BOT.read, followers())


def standings_told(bot_id: int) -> list[dict[str, Any]]:
    return [_standing_told(place) for place in places_of_bot(bot_id)]


_standing_told = teller_of(BotStanding)


def _no_bot(bot_id: int) -> NotFound:
    return NotFound(f"There is no bot {bot_id}.")


def get_bot(bot_id: int) -> Bot:
    """The bot of an id; raises NotFound."""
    bot = bot_in_full(bot_id)
    if bot is None:
        raise _no_bot(bot_id)
    return bot


def _ladder(request: Request, bot_id: int) -> Ladder | None:
    """The ladder asked for, or the first open one of the bot's game."""
    if slug := request.query_params.get("ladder"):
        return get_ladder(slug[:80])
    games = Bot.objects.filter(pk=bot_id).values("game")
    return Ladder.objects.filter(game__in=games, is_open=True).order_by("seats", "slug").first()
