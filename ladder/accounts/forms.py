"""Forms that allauth's pages show."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.socialaccount.forms import SignupForm as SocialSignupForm
from django import forms
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from ladder.accounts.services import InviteRefused, NameTaken, use_invite


class Invited(allauth_forms.BaseSignupForm):  # type: ignore[misc]  # allauth has no types
    """Asks for a code while sign-up is by invitation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if settings.SIGNUP == "invite":
            self.fields["invite"] = forms.CharField(
                label="Invitation code", max_length=40, widget=forms.TextInput(attrs={"autocomplete": "off"})
            )

    def try_save(self, request: HttpRequest) -> Any:
        """A code that was used up a moment ago leaves no account behind; raises NameTaken for a name taken since."""
        try:
            with transaction.atomic():
                user, response = super().try_save(request)
                if user and "invite" in self.fields:
                    use_invite(self.cleaned_data["invite"])
        except IntegrityError:
            raise NameTaken(self.cleaned_data["username"]) from None
        return user, response

    def clean_invite(self) -> str:
        code = self.cleaned_data["invite"]
        try:
            with transaction.atomic():
                use_invite(code)
                transaction.set_rollback(True)  # only a look: the use is taken when the account is made
        except InviteRefused as refused:
            raise forms.ValidationError(refused.message) from None
        return str(code)


class SignupForm(Invited, allauth_forms.SignupForm):  # type: ignore[misc]  # allauth has no types
    """allauth's form for a name and a password."""


class ForeignSignupForm(Invited, SocialSignupForm):  # type: ignore[misc]  # allauth has no types
    """allauth's form for somebody whom a provider vouches for."""


class ResetPasswordForm(allauth_forms.ResetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """allauth's form, which says what to do where no mail is sent."""

    def clean(self) -> dict[str, Any]:
        if not settings.MAIL_URL:
            raise forms.ValidationError(
                "This site sends no email. Ask an administrator for a one-time link to set a new password."
            )
        return dict(super().clean() or self.cleaned_data)
