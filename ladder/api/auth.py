"""Logging in and out, and API tokens."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate, logout
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed, NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.accounts.permissions import signed_in
from ladder.accounts.queries import tokens_of
from ladder.accounts.services import LONGEST_TOKEN_DAYS, TOKEN_DAYS, FreshToken, make_token, revoke_token
from ladder.api.pagination import whole
from ladder.api.throttles import LogIns, PerMinute
from ladder.tokens.models import LONGEST_NAME


class NewToken(serializers.Serializer[Any]):
    """What a token is to be called and how long it works."""

    name = serializers.CharField(max_length=LONGEST_NAME, required=False, default="", allow_blank=True)
    days = serializers.IntegerField(min_value=1, max_value=LONGEST_TOKEN_DAYS, required=False, default=TOKEN_DAYS)


class LogIn(NewToken):
    """A name and a password for a token."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class TokenLine(serializers.Serializer[Any]):
    """A token without its secret."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class TokenPage(serializers.Serializer[Any]):
    """All tokens of a person."""

    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = TokenLine(many=True)


class SecretToken(serializers.Serializer[Any]):
    """A token with its secret, shown once."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    token = serializers.CharField()
    expires_at = serializers.DateTimeField()


class LogInView(APIView):
    """Exchange a name and a password for a token."""

    permission_classes = ()
    authentication_classes = ()
    throttle_classes = (PerMinute, LogIns)

    @extend_schema(request=LogIn, responses={201: SecretToken}, auth=[])
    def post(self, request: Request) -> Response:
        wanted = LogIn(data=request.data)
        wanted.is_valid(raise_exception=True)
        given = wanted.validated_data
        user = authenticate(request._request, username=given["username"], password=given["password"])
        if user is None:
            raise AuthenticationFailed("The username or the password is wrong.")
        return Response(make_token(user, name=given["name"], days=given["days"]), status=status.HTTP_201_CREATED)

    def get_authenticate_header(self, request: Request) -> str:
        return "Token"


class LogOutView(APIView):
    """Revoke the token this request came with, or end the browser's session."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(request=None, responses={204: OpenApiResponse(description="Done.")})
    def post(self, request: Request) -> Response:
        if request.auth is not None:
            request.auth.delete()
        else:
            logout(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokensView(APIView):
    """The caller's tokens."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=TokenPage)
    def get(self, request: Request) -> Response:
        return Response(whole(tokens_of(signed_in(request.user))))

    @extend_schema(request=NewToken, responses={201: SecretToken})
    def post(self, request: Request) -> Response:
        wanted = NewToken(data=request.data)
        wanted.is_valid(raise_exception=True)
        fresh: FreshToken = make_token(signed_in(request.user), **wanted.validated_data)
        return Response(fresh, status=status.HTTP_201_CREATED)


class TokenView(APIView):
    """One token of the caller."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={204: OpenApiResponse(description="It is revoked.")})
    def delete(self, request: Request, token_id: int) -> Response:
        if not revoke_token(signed_in(request.user), token_id):
            raise NotFound(f"You have no token {token_id}.")
        return Response(status=status.HTTP_204_NO_CONTENT)
