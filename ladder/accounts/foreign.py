"""People whom a provider outside vouches for: how they come in, and what they see when that fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import structlog
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

log = structlog.get_logger("ladder.accounts")
ERROR_PAGE = "socialaccount/authentication_error.html"
UNVERIFIED = (
    "The provider has not verified your email address, so we can't tell whose account this is. "
    "Verify the address there, then sign in again."
)
AWAY = "The provider is not responding as it should. Try again later, or sign in with your password."


class ForeignAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts are joined by an address that both sides have verified, and by nothing else."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        is_known = sociallogin.is_existing or sociallogin.state.get("process") == AuthProcess.CONNECT
        if not is_known and not any(each.verified for each in sociallogin.email_addresses):
            raise ImmediateHttpResponse(render(request, ERROR_PAGE, {"message": UNVERIFIED}, status=403))

    def can_authenticate_by_email(self, login: SocialLogin, email: str) -> bool:
        """An address that nobody verified here could have been typed in by anybody."""
        return bool(EmailAddress.objects.filter(email__iexact=email, verified=True).count() == 1)

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, exception: Any = None, extra_context: Any = None
    ) -> None:
        log.warning(
            "log-in by a provider failed", provider=provider.id, error=str(error), cause=type(exception).__name__
        )


def guarded(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page of allauth's that asks the provider: one that is away or talks nonsense makes an error page."""
    from requests import RequestException

    @wraps(view)
    def safe(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except (RequestException, KeyError, ValueError) as error:
            log.error("provider away", cause=type(error).__name__)  # noqa: TRY400 - the message may hold a code
            return render(request, ERROR_PAGE, {"message": AWAY}, status=502)

    return safe
