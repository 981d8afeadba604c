"""Is a new version better? Duels between two versions of a bot, for its owner."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.accounts.permissions import signed_in
from ladder.api.bots import get_bot
from ladder.api.throttles import Costly, PerMinute
from ladder.duels.models import Duel
from ladder.duels.queries import DuelReport, duels_of, get_duel, report_of, sentence_of
from ladder.duels.services import cancel, start
from ladder.ladders.queries import get_ladder
from ladder.submissions.models import Bot, BotVersion
from ladder.submissions.permissions import check_may_manage


class DuelLine(serializers.ModelSerializer[Duel]):
    """A duel: a new version against an old one, played until a sequential test can tell."""

    url = serializers.HyperlinkedIdentityField("api:duel", lookup_url_kwarg="duel_id")
    bot_id = serializers.IntegerField()
    ladder = serializers.CharField(source="ladder.slug")
    old = serializers.IntegerField(source="old.number", help_text="Number of the version to beat.")
    new = serializers.IntegerField(source="new.number", help_text="Number of the version that should be better.")
    verdict = serializers.SerializerMethodField(help_text="What it says so far, in a sentence.")
    bound = serializers.FloatField(source="test.bound", help_text="The ratio at which it ends, above as below.")
    ratio = serializers.FloatField(help_text="The log likelihood ratio: above 0 it speaks for better.")
    score = serializers.FloatField(help_text="Share of points of the new version, 0.5 before the first set.")
    sets = serializers.IntegerField(help_text="Sets counted; a set is one deal with the new version in each seat once.")

    class Meta:
        model = Duel
        fields: tuple[str, ...] = (
            "id", "url", "bot_id", "ladder", "old", "new", "status", "verdict", "ratio", "bound", "score", "sets",
            "most_sets", "margin", "error", "switch_when_better", "switched", "created_at", "finished_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_verdict(self, duel: Duel) -> str:
        return sentence_of(duel)


class DuelDetail(DuelLine):
    """A duel with its path between the bounds."""

    low = serializers.SerializerMethodField(help_text="95 % interval of the score, by sets.")
    high = serializers.SerializerMethodField()
    won = serializers.SerializerMethodField(help_text="Sets in which the new version got more than half of the points.")
    level = serializers.SerializerMethodField()
    lost = serializers.SerializerMethodField()
    path = serializers.SerializerMethodField(help_text="Pairs of sets and ratio, at most 200.")
    waits_for = serializers.SerializerMethodField(help_text="What the next match waits for; empty when it is played.")

    class Meta(DuelLine.Meta):
        fields = (*DuelLine.Meta.fields, "low", "high", "won", "level", "lost", "path", "waits_for")
        read_only_fields = fields

    @property
    def _report(self) -> DuelReport:
        report: DuelReport = self.context["report"]
        return report

    def get_low(self, duel: Duel) -> float:
        return self._report.low

    def get_high(self, duel: Duel) -> float:
        return self._report.high

    def get_won(self, duel: Duel) -> int:
        return self._report.won

    def get_level(self, duel: Duel) -> int:
        return self._report.level

    def get_lost(self, duel: Duel) -> int:
        return self._report.lost

    @extend_schema_field(serializers.ListField(child=serializers.ListField(child=serializers.FloatField())))
    def get_path(self, duel: Duel) -> list[tuple[int, float]]:
        return list(self._report.path)

    def get_waits_for(self, duel: Duel) -> str:
        return self._report.waits_for


class NewDuel(serializers.Serializer[Any]):
    """Which versions are tested; everything has a default, so that an empty body asks the usual question."""

    new = serializers.IntegerField(required=False, min_value=1, max_value=10**9, help_text="Default: the newest.")
    old = serializers.IntegerField(
        required=False, min_value=1, max_value=10**9, help_text="Default: the active one, or the one before the new."
    )
    ladder = serializers.CharField(
        required=False, max_length=80, help_text="Default: the game's open ladder with the fewest seats."
    )
    switch_when_better = serializers.BooleanField(
        required=False, default=False, help_text="Make the new version the active one if it is better."
    )


class DuelsView(generics.ListAPIView[Duel]):
    """The duels of a bot, for its owner."""

    queryset = Duel.objects.none()
    serializer_class = DuelLine
    filter_backends = ()
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[Duel]:
        if getattr(self, "swagger_fake_view", False):
            return Duel.objects.none()
        bot = get_bot(self.kwargs["bot_id"])
        check_may_manage(self.request.user, bot)
        return duels_of(bot)

    def get_throttles(self) -> list[Any]:
        return [PerMinute(), Costly()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(request=NewDuel, responses={201: DuelDetail})
    def post(self, request: Request, bot_id: int) -> Response:
        """Is my new version better? Unrated sets are played until a sequential test can tell, 800 at most."""
        bot = get_bot(bot_id)
        check_may_manage(request.user, bot)
        asked = NewDuel(data=request.data)
        asked.is_valid(raise_exception=True)
        wanted = asked.validated_data
        duel = start(
            bot=bot,
            by=signed_in(request.user),
            new=version_of(bot, wanted.get("new"), "new"),
            old=version_of(bot, wanted.get("old"), "old"),
            ladder=get_ladder(wanted["ladder"]) if wanted.get("ladder") else None,
            switch_when_better=wanted["switch_when_better"],
        )
        body = _detail(get_duel(duel.pk), request)
        return Response(body, status=status.HTTP_201_CREATED, headers={"Location": body["url"]})


class DuelView(APIView):
    """One duel, for the owner of the bot: how it stands, and its path between the bounds."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=DuelDetail)
    def get(self, request: Request, duel_id: int) -> Response:
        return Response(_detail(_mine(duel_id, request), request))


class CancelDuelView(APIView):
    """End a duel without a verdict."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=DuelDetail)
    def post(self, request: Request, duel_id: int) -> Response:
        duel = _mine(duel_id, request)
        cancel(duel, by=signed_in(request.user))
        return Response(_detail(get_duel(duel.pk), request))


def version_of(bot: Bot, number: int | None, field: str) -> BotVersion | None:
    """The version of this number, None where none was named; raises ValidationError."""
    if number is None:
        return None
    found = bot.versions.select_related("bot").filter(number=number).first()
    if found is None:
        raise serializers.ValidationError({field: [f"{bot.name} has no version {number}."]})
    return found


def _mine(duel_id: int, request: Request) -> Duel:
    """A duel of a bot that the visitor manages; raises Missing or NotYours."""
    duel = get_duel(duel_id)
    check_may_manage(request.user, duel.bot)
    return duel


def _detail(duel: Duel, request: Request) -> dict[str, Any]:
    context = {"request": request, "report": report_of(duel)}
    return dict(DuelDetail(duel, context=context).data)
