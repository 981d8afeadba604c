"""How allauth behaves here."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Sign-up is open, by invitation or closed; mails are sent only where mail is configured."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.SIGNUP != "closed"

    def is_safe_url(self, url: str | None) -> bool:
        """Whether to go there next; what is no address, such as `http://[`, is nowhere to go."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        if settings.MAIL_URL:
            super().send_mail(template_prefix, email, context)
