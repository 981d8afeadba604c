"""Whom the caller follows: bots, and authors with all their bots."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.accounts.permissions import signed_in
from ladder.accounts.queries import get_author
from ladder.api.bots import get_bot
from ladder.submissions.following import Followed, follow, followed_by, unfollow
from ladder.submissions.models import Follow

FOLLOWED = OpenApiResponse(description="The caller follows.")
UNFOLLOWED = OpenApiResponse(description="The caller doesn’t follow.")


class FollowLine(serializers.ModelSerializer[Follow]):
    """A bot or an author that the caller follows; the other one of the two is null."""

    bot_id = serializers.IntegerField(allow_null=True)
    bot = serializers.CharField(source="bot.name", default=None, allow_null=True)
    author = serializers.CharField(source="author.username", default=None, allow_null=True)

    class Meta:
        model = Follow
        fields = ("bot_id", "bot", "author", "since")
        read_only_fields = fields


class FollowingView(generics.ListAPIView[Follow]):
    """Whom the caller follows, the latest first."""

    permission_classes = (IsAuthenticated,)
    serializer_class = FollowLine

    def get_queryset(self) -> QuerySet[Follow]:
        if getattr(self, "swagger_fake_view", False):
            return Follow.objects.none()
        return followed_by(signed_in(self.request.user))


class FollowView(APIView):
    """Follow, or follow no longer; either twice is the same as once."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses={204: FOLLOWED})
    def put(self, request: Request, **named: Any) -> Response:
        follow(signed_in(request.user), self.whom(**named))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(request=None, responses={204: UNFOLLOWED})
    def delete(self, request: Request, **named: Any) -> Response:
        unfollow(signed_in(request.user), self.whom(**named))
        return Response(status=status.HTTP_204_NO_CONTENT)

    def whom(self, **named: Any) -> Followed:
        """Who is named in the path; raises NotFound or Missing."""
        return get_bot(named["bot_id"]) if "bot_id" in named else get_author(named["username"])
