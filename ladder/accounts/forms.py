"""Forms that allauth's pages and the account page show."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from ladder.accounts.models import ApiToken, User
from ladder.accounts.services import LONGEST_TOKEN_DAYS, TOKEN_DAYS, InviteRefused, use_invite


class SignupForm(allauth_forms.SignupForm):
    """allauth's form, asking for a code while sign-up is by invitation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if settings.SIGNUP == "invite":
            self.fields["invite"] = forms.CharField(
                label="Invitation code", max_length=40, widget=forms.TextInput(attrs={"autocomplete": "off"})
            )

    def try_save(self, request: HttpRequest) -> Any:
        """A code that was used up a moment ago leaves no account behind."""
        with transaction.atomic():
            user, response = super().try_save(request)
            if user and "invite" in self.fields:
                use_invite(self.cleaned_data["invite"])
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


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """allauth's form, which says what to do where no mail is sent."""

    def clean(self) -> dict[str, Any]:
        if not settings.MAIL_URL:
            raise forms.ValidationError(
                "This site sends no email. Ask an administrator for a one-time link to set a new password."
            )
        return dict(super().clean() or self.cleaned_data)


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(max_length=ApiToken._meta.get_field("name").max_length, help_text="e.g. my laptop")
    days = forms.IntegerField(min_value=1, max_value=LONGEST_TOKEN_DAYS, initial=TOKEN_DAYS, label="Valid for (days)")


class DeleteAccountForm(forms.Form):
    """The password, as proof that the owner means it."""

    password = forms.CharField(widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}))

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)

    def clean_password(self) -> str:
        if not self.user.check_password(self.cleaned_data["password"]):
            raise forms.ValidationError("This is not your account’s password.")
        return str(self.cleaned_data["password"])
