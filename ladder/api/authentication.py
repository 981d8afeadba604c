"""Who calls: a knox token in one query, or the browser's session."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest
from django.utils.timezone import now
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

EXPECTED = "Authorization: Token …"
WORDS = (b"token", b"bearer")


def token_sent(request: HttpRequest | Request) -> bytes | None:
    """What follows ``Token`` or ``Bearer`` in the Authorization header; other schemes are somebody else's."""
    word, *rest = get_authorization_header(cast("Request", request)).split() or [b""]
    return b" ".join(rest) if word.lower() in WORDS else None


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc]  # knox has no types
    """``Authorization: Token …``; looked up by its hash, so that a wrong or expired one costs one query."""

    def authenticate(self, request: Request) -> tuple[Any, AuthToken] | None:
        token = token_sent(request)
        if token is None:
            return None
        if not token or b" " in token:
            raise AuthenticationFailed(f"The Authorization header must hold one token: `{EXPECTED}`.")
        return self.authenticate_credentials(token)

    def authenticate_credentials(self, token: bytes) -> tuple[Any, AuthToken]:
        try:
            digest = hash_token(token.decode("ascii"))
        except UnicodeDecodeError:
            raise AuthenticationFailed("A token has only letters and digits. Make a new one at auth/login/.") from None
        found = AuthToken.objects.filter(digest=digest, expiry__gt=now()).select_related("user").first()
        if found is None:
            raise AuthenticationFailed("This token is unknown, expired or revoked. Make a new one at auth/login/.")
        if not found.user.is_active:
            raise AuthenticationFailed("This account is disabled. Ask an administrator.")
        return found.user, found


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes the token."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token …` (or `Bearer …`) with a token from `auth/login/` or `auth/tokens/`.",
        }
