"""Versions of bots: uploading, following the check, choosing the active one, getting the source back."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.exceptions import NotFound, PermissionDenied, ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from ladder.accounts.permissions import signed_in
from ladder.api.bots import get_bot
from ladder.api.etags import tagged, unchanged
from ladder.api.pagination import Pages
from ladder.api.throttles import Costly, PerMinute
from ladder.api.uploads import UploadParser
from ladder.qualifying.activation import activate, withdraw
from ladder.qualifying.queries import log_of, report_of
from ladder.qualifying.trials import check_again
from ladder.submissions.models import BotVersion
from ladder.submissions.permissions import check_may_manage, may_manage, may_see_source
from ladder.submissions.queries import source_of, versions_of
from ladder.submissions.services import upload_version


class VersionLine(serializers.ModelSerializer[BotVersion]):
    """A version as everybody sees it."""

    url = serializers.SerializerMethodField()
    bot_id = serializers.IntegerField()
    sha256 = serializers.CharField(source="bundle_id", help_text="Of the uploaded bytes.")
    is_active = serializers.SerializerMethodField(help_text="Whether it is the one that plays for its bot.")

    class Meta:
        model = BotVersion
        fields: tuple[str, ...] = (
            "url", "bot_id", "number", "status", "is_active", "runtime", "sha256", "uploaded_at", "checked_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_url(self, version: BotVersion) -> str:
        kwargs = {"bot_id": version.bot_id, "number": version.number}
        return reverse("api:version", kwargs=kwargs, request=self.context["request"])

    def get_is_active(self, version: BotVersion) -> bool:
        return version.bot.active_version_id == version.pk


class TrialLine(serializers.Serializer[Any]):
    """One step of a check."""

    order = serializers.IntegerField()
    ladder = serializers.CharField()
    kind = serializers.CharField()
    occasion = serializers.CharField()
    status = serializers.CharField()
    match_id = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    again = serializers.CharField(help_text="The command that replays the trial on your machine, if it failed.")


class VersionDetail(VersionLine):
    """A version; reason, report and log are for its owner and null for others."""

    reason = serializers.CharField(allow_null=True)
    report = TrialLine(many=True, allow_null=True)
    log = serializers.CharField(allow_null=True)

    class Meta(VersionLine.Meta):
        fields = (*VersionLine.Meta.fields, "reason", "report", "log")
        read_only_fields = fields


class Upload(serializers.Serializer[Any]):
    """The bot: a `.py` file, or a `.zip` with a `bot.toml`."""

    file = serializers.FileField()


class ByNumber(Pages):
    """Newest version first."""

    ordering = "-number"


class VersionsView(generics.ListAPIView[BotVersion]):
    """The versions of a bot."""

    queryset = BotVersion.objects.none()
    serializer_class = VersionLine
    pagination_class = ByNumber
    filter_backends = ()
    parser_classes = (UploadParser,)

    def get_queryset(self) -> QuerySet[BotVersion]:
        if getattr(self, "swagger_fake_view", False):
            return BotVersion.objects.none()
        return versions_of(get_bot(self.kwargs["bot_id"]))

    def get_throttles(self) -> list[Any]:
        return [PerMinute(), Costly()] if self.request.method == "POST" else super().get_throttles()

    @extend_schema(request={"multipart/form-data": Upload}, responses={202: VersionDetail})
    def post(self, request: Request, bot_id: int) -> Response:
        """Take in a file as the bot's next version; it is checked by a worker, and its URL tells how that goes."""
        bot = get_bot(bot_id)
        check_may_manage(request.user, bot)  # before a byte of the body is read
        sent = request.FILES.getlist("file")
        if len(sent) != 1:
            raise ValidationError({"file": [f"Send one file in the field `file`, not {len(sent)}."]})
        version = upload_version(
            bot=bot, by=signed_in(request.user), content=sent[0].read(), filename=sent[0].name or ""
        )
        body = _detail(version, request)
        return Response(body, status=status.HTTP_202_ACCEPTED, headers={"Location": body["url"]})


class VersionView(APIView):
    """One version: how its check goes, why it was rejected, what it wrote to its log."""

    @extend_schema(responses=VersionDetail)
    def get(self, request: Request, bot_id: int, number: int) -> Response:
        return Response(_detail(get_version(bot_id, number), request))


class ActivateView(APIView):
    """Let this version play for its bot."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=VersionDetail)
    def post(self, request: Request, bot_id: int, number: int) -> Response:
        version = get_version(bot_id, number)
        activate(version, by=signed_in(request.user))
        return Response(_detail(version, request))


class WithdrawView(APIView):
    """Take this version out of play for good."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses=VersionDetail)
    def post(self, request: Request, bot_id: int, number: int) -> Response:
        version = get_version(bot_id, number)
        withdraw(version, by=signed_in(request.user))
        return Response(_detail(get_version(bot_id, number), request))


class CheckAgainView(APIView):
    """Check a rejected version anew, or have one that waits for a quieter worker go on now."""

    permission_classes = (IsAuthenticated,)
    throttle_classes = (PerMinute, Costly)

    @extend_schema(request=None, responses={202: VersionDetail})
    def post(self, request: Request, bot_id: int, number: int) -> Response:
        version = get_version(bot_id, number)
        check_may_manage(request.user, version.bot)
        check_again(version)
        return Response(_detail(get_version(bot_id, number), request), status=status.HTTP_202_ACCEPTED)


class SourceView(APIView):
    """The uploaded bytes, for the owner alone."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        responses={
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
            304: OpenApiResponse(description="Not modified."),
        }
    )
    def get(self, request: Request, bot_id: int, number: int) -> HttpResponse:
        version = get_version(bot_id, number)
        if not may_see_source(request.user, version):
            raise PermissionDenied("The source is for the owner of the bot.")
        if known := unchanged(request, version.bundle_id, private=True):
            return known
        answer = HttpResponse(source_of(version), content_type="application/octet-stream")
        answer["Content-Disposition"] = f'attachment; filename="{version.filename}"'
        return tagged(answer, version.bundle_id, private=True)


def get_version(bot_id: int, number: int) -> BotVersion:
    """A version by its number; raises NotFound."""
    version = BotVersion.objects.select_related("bot__owner").filter(bot=bot_id, number=number).first()
    if version is None:
        raise NotFound(f"Bot {bot_id} has no version {number}.")
    return version


def _detail(version: BotVersion, request: Request) -> dict[str, Any]:
    mine = may_manage(request.user, version.bot)
    return {
        **VersionLine(version, context={"request": request}).data,
        "reason": version.reason if mine else None,
        "report": report_of(version) if mine else None,
        "log": log_of(version) if mine else None,
    }
