"""Forms of the pages about one's own account."""

from __future__ import annotations

from typing import Any

from django import forms

from ladder.accounts.models import User
from ladder.accounts.services import LONGEST_TOKEN_DAYS, TOKEN_DAYS
from ladder.tokens.models import ApiToken


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(max_length=ApiToken._meta.get_field("name").max_length, help_text="e.g. my laptop")
    days = forms.IntegerField(min_value=1, max_value=LONGEST_TOKEN_DAYS, initial=TOKEN_DAYS, label="Valid for (days)")


class BotForm(forms.Form):
    """What a bot is called and what its author says of it."""

    name = forms.CharField(max_length=40)
    description = forms.CharField(max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 4}))
    plays_people = forms.BooleanField(
        required=False,
        label="People may play against it",
        help_text="Signed-in people can choose it as an opponent. These games are unrated.",
    )


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
