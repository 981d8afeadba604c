"""Games that the caller plays against bots and people, through the own seat's eyes alone."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from ladder.accounts.permissions import signed_in
from ladder.api.matches import LARGEST_ID, MOST_SEATS
from ladder.api.pagination import number_asked
from ladder.api.replays import LARGEST_PLY, FrameLine
from ladder.api.schema import counted
from ladder.api.throttles import Costly, PerMinute
from ladder.parlour.models import Sitting
from ladder.parlour.permissions import HumanPlayer, may_watch, seat_of
from ladder.parlour.queries import get_sitting, sittings_of, view_of
from ladder.parlour.services import Sitter, begin, choose, join, resign
from ladder.refusals import Forbidden
from ladder.submissions.models import BotVersion

SINCE = counted("since", "Frames from this ply on; without it, all of them.", 0, LARGEST_PLY)


class SittingLine(serializers.ModelSerializer[Sitting]):
    """A game and how far it is."""

    url = serializers.HyperlinkedIdentityField("api:sitting", lookup_field="key")

    class Meta:
        model = Sitting
        fields: tuple[str, ...] = (
            "key", "url", "game", "rules_version", "seats", "options", "status", "ply", "to_act", "created_at",
            "moved_at", "finished_at",
        )  # fmt: skip
        read_only_fields = fields


class WantedChair(serializers.Serializer[Any]):
    """Who sits there: `me`, `friend` (by the link), or a bot; of a bot the active version, or another by its number."""

    who = serializers.ChoiceField([*Sitter, "bot"])
    bot = serializers.IntegerField(min_value=1, max_value=LARGEST_ID, required=False)
    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False, allow_null=True)

    def validate(self, chair: dict[str, Any]) -> dict[str, Any]:
        if (chair["who"] == "bot") != ("bot" in chair):
            raise serializers.ValidationError("A bot's chair names the bot by its id, and no other chair does.")
        return chair


class WantedSitting(serializers.Serializer[Any]):
    """Which game, and who sits where, one entry for each seat."""

    game = serializers.CharField(max_length=40)
    chairs = WantedChair(many=True, max_length=MOST_SEATS, allow_empty=False)  # type: ignore[call-arg]
    options = serializers.DictField(required=False, default=dict)


class Invitation(serializers.Serializer[Any]):
    """What the link to an open chair holds."""

    invite = serializers.CharField(max_length=64)


class ChosenAction(serializers.Serializer[Any]):
    """One of the legal actions, and the ply it was seen at; sent twice it counts once."""

    ply = serializers.IntegerField(min_value=0, max_value=LARGEST_PLY)
    action = serializers.CharField(max_length=80, trim_whitespace=False)


class ChairLine(serializers.Serializer[Any]):
    """Who sits where."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.CharField(help_text="What the game calls the seat.")
    is_bot = serializers.BooleanField()
    is_you = serializers.BooleanField()
    is_taken = serializers.BooleanField()
    fault = serializers.CharField(
        help_text="How a bot failed; `resigned` for a person; empty for whoever is still playing."
    )


class ChoiceLine(serializers.Serializer[Any]):
    """A legal action."""

    text = serializers.CharField(help_text="What is sent as `action`.")
    offer = serializers.CharField(help_text="What it does; `{0}` is whoever sits in seat 0.")


class SittingDetail(SittingLine):
    """A game through the caller's eyes; everything opens once it is over."""

    seat = serializers.IntegerField(allow_null=True, help_text="The caller's own; null for whoever watches a replay.")
    note = serializers.CharField(help_text="Notices about its bots; usually empty.")
    invite = serializers.CharField(allow_null=True, help_text="For friends, while a chair is open.")
    chairs = ChairLine(many=True)
    frames = FrameLine(many=True)
    legal = ChoiceLine(many=True, help_text="Empty unless it is the caller's turn.")
    ending = serializers.CharField(help_text="A sentence; empty while the game goes on.")
    ranks = serializers.ListField(child=serializers.IntegerField(), allow_null=True)

    class Meta(SittingLine.Meta):
        fields = (
            *SittingLine.Meta.fields, "seat", "note", "invite", "chairs", "frames", "legal", "ending", "ranks",
        )  # fmt: skip
        read_only_fields = fields


class SittingsView(generics.ListAPIView[Sitting]):
    """The caller's games, newest first; one that is not over can be taken up again for a day."""

    permission_classes = (IsAuthenticated,)
    serializer_class = SittingLine

    def get_queryset(self) -> QuerySet[Sitting]:
        if getattr(self, "swagger_fake_view", False):
            return Sitting.objects.none()
        return sittings_of(_player(self.request))

    def get_throttles(self) -> list[Any]:
        return [PerMinute(), Costly()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(request=WantedSitting, responses={201: SittingDetail})
    def post(self, request: Request) -> Response:
        """Begin a game; with a friend in a chair it waits until somebody joins with `invite`."""
        wanted = WantedSitting(data=request.data)
        wanted.is_valid(raise_exception=True)
        given = wanted.validated_data
        chairs = [_chair(chair) for chair in given["chairs"]]
        sitting = begin(_player(request), game=given["game"], chairs=chairs, options=given["options"])
        place = reverse("api:sitting", kwargs={"key": sitting.key}, request=request)
        return Response(_told(sitting, request), status=status.HTTP_201_CREATED, headers={"Location": place})


class SittingView(APIView):
    """One game, as the caller may see it now; ask again with `since` to follow it, or to take it up again."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(parameters=[SINCE], responses=SittingDetail)
    def get(self, request: Request, key: str) -> Response:
        sitting = get_sitting(key)
        if not may_watch(_player(request), sitting):
            raise Forbidden("Other people are playing this game. Once it is over, anyone with its key can watch it.")
        since = request.query_params.get("since")
        return Response(_told(sitting, request, -1 if since is None else number_asked(since, "since", 0, LARGEST_PLY)))


class JoinView(APIView):
    """Take an open chair."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=Invitation, responses=SittingDetail)
    def post(self, request: Request, key: str) -> Response:
        sent = Invitation(data=request.data)
        sent.is_valid(raise_exception=True)
        return Response(_told(join(_player(request), get_sitting(key), sent.validated_data["invite"]), request))


class ActView(APIView):
    """Take one of the legal actions; what the bots answer comes a moment later."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=ChosenAction, responses=SittingDetail)
    def post(self, request: Request, key: str) -> Response:
        sent = ChosenAction(data=request.data)
        sent.is_valid(raise_exception=True)
        ply = sent.validated_data["ply"]
        sitting = choose(_player(request), get_sitting(key), ply=ply, text=sent.validated_data["action"])
        return Response(_told(sitting, request, ply))


class ResignView(APIView):
    """Leave a game for good."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=SittingDetail)
    def post(self, request: Request, key: str) -> Response:
        return Response(_told(resign(_player(request), get_sitting(key)), request))


def _player(request: Request) -> HumanPlayer:
    return HumanPlayer(signed_in(request.user))


def _chair(wanted: dict[str, Any]) -> Sitter | BotVersion:
    """Who is to sit there; raises NotFound."""
    if wanted["who"] != "bot":
        return Sitter(wanted["who"])
    versions = BotVersion.objects.select_related("bot__owner").filter(bot=wanted["bot"])
    number = wanted.get("version")
    named = [one for one in versions if number == one.number or (not number and one.pk == one.bot.active_version_id)]
    if not named:
        raise NotFound(f"Bot {wanted['bot']} has no {f'version {number}' if number else 'active version'}.")
    return named[0]


def _told(sitting: Sitting, request: Request, since: int = -1) -> dict[str, Any]:
    """A sitting with what the caller's own seat may see of it."""
    player = _player(request)
    is_open = sitting.status == Sitting.Status.OPEN and seat_of(player, sitting) is not None
    return {
        **SittingLine(sitting, context={"request": request}).data,
        "ending": "",
        "ranks": None,
        "invite": sitting.invite if is_open else None,
        **view_of(sitting, player, since=since),
    }
