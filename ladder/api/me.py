"""The caller's own account and news."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.accounts.models import Notification, User
from ladder.accounts.permissions import signed_in
from ladder.accounts.queries import notifications_of, unread_count
from ladder.accounts.services import hear_followed, read_notifications
from ladder.privacy.deletion import delete_account
from ladder.privacy.export import account_export


class Account(serializers.Serializer[Any]):
    """Who the caller is."""

    username = serializers.CharField()
    email = serializers.CharField()
    role = serializers.ChoiceField(User.Role.choices)
    joined_at = serializers.DateTimeField(source="date_joined")
    hears_followed = serializers.BooleanField(help_text="Gets notifications about what they follow.")
    unread = serializers.SerializerMethodField(help_text="Notifications not read yet.")

    def get_unread(self, user: User) -> int:
        return unread_count(user)


class AccountWish(serializers.Serializer[Any]):
    """What the caller may change about the account."""

    hears_followed = serializers.BooleanField()


class Confirmed(serializers.Serializer[Any]):
    """The password, as proof that the owner means it."""

    password = serializers.CharField(trim_whitespace=False, max_length=1000)

    def validate_password(self, password: str) -> str:
        if not self.context["user"].check_password(password):
            raise serializers.ValidationError("This is not your account’s password.")
        return password


class NotificationLine(serializers.ModelSerializer[Notification]):
    """Something that happened."""

    class Meta:
        model = Notification
        fields = ("id", "kind", "text", "url", "created_at", "read_at")
        read_only_fields = fields


class ReadThese(serializers.Serializer[Any]):
    """Which notifications were read; without ids, all of them."""

    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1), required=False, max_length=1000
    )


class MeView(APIView):
    """The caller's account."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=Account)
    def get(self, request: Request) -> Response:
        return Response(Account(request.user).data)

    @extend_schema(request=AccountWish, responses=Account)
    def patch(self, request: Request) -> Response:
        wish = AccountWish(data=request.data)
        wish.is_valid(raise_exception=True)
        hear_followed(signed_in(request.user), wish.validated_data["hears_followed"])
        return Response(Account(request.user).data)

    @extend_schema(request=Confirmed, responses={204: OpenApiResponse(description="The account has been deleted.")})
    def delete(self, request: Request) -> Response:
        Confirmed(data=request.data, context={"user": request.user}).is_valid(raise_exception=True)
        delete_account(signed_in(request.user))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ExportView(APIView):
    """Everything kept about the caller."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=dict[str, Any])
    def get(self, request: Request) -> Response:
        return Response(account_export(signed_in(request.user)))


class NotificationsView(generics.ListAPIView[Notification]):
    """What happened to the caller's bots and tournaments, newest first."""

    permission_classes = (IsAuthenticated,)
    serializer_class = NotificationLine

    def get_queryset(self) -> QuerySet[Notification]:
        if getattr(self, "swagger_fake_view", False):
            return Notification.objects.none()
        return notifications_of(signed_in(self.request.user))

    @extend_schema(request=ReadThese, responses={204: OpenApiResponse(description="Notifications marked as read.")})
    def post(self, request: Request) -> Response:
        wanted = ReadThese(data=request.data)
        wanted.is_valid(raise_exception=True)
        read_notifications(signed_in(request.user), wanted.validated_data.get("ids"))
        return Response(status=status.HTTP_204_NO_CONTENT)
