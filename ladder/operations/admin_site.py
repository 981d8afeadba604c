"""The operator's desk."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

# What an operator looks for, and under it the tables that answer, each with what is done there.
GROUPS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "Play",
        {
            "matches.Match": "Find a match; void it, replay it, or try again what was set aside",
            "matches.Worker": "Which machines play, and why one does not; take one out of play",
            "ladders.Ladder": "Open, close and pause ladders; set how they rate; close a season",
            "tournaments.Tournament": "Pause, resume or cancel where the organiser can’t",
        },
    ),
    (
        "Bots",
        {
            "submissions.BotVersion": "Quarantine and release versions; check one again",
            "submissions.Bot": "Who owns which bot, and which version plays",
        },
    ),
    (
        "People",
        {
            "accounts.User": "Roles, locks, links for a new password, deletion",
            "accounts.Invite": "Codes for signing up",
            "account.EmailAddress": "Addresses, and whether they were confirmed",
            "knox.AuthToken": "Tokens of programs; delete one to lock its program out",
        },
    ),
    (
        "What happened",
        {
            "accounts.AuditEntry": "Who did what on this desk and elsewhere",
            "axes.AccessAttempt": "Failed sign-ins that are counted towards a lock",
            "axes.AccessFailureLog": "Every failed sign-in",
            "axes.AccessLog": "Sign-ins and sign-outs",
        },
    ),
    (
        "Sign-in through providers",
        {
            "socialaccount.SocialAccount": "Which account belongs to whom at a provider",
            "socialaccount.SocialApp": "Providers that were set here and not in the environment",
            "socialaccount.SocialToken": "What providers gave out",
        },
    ),
)
NAMES = {
    "accounts.User": "Accounts",
    "accounts.Invite": "Invitations",
    "knox.AuthToken": "API tokens",
    "axes.AccessAttempt": "Counted attempts",
    "axes.AccessFailureLog": "Failed sign-ins",
    "axes.AccessLog": "Sign-ins",
    "socialaccount.SocialAccount": "Linked accounts",
    "socialaccount.SocialApp": "Providers",
    "socialaccount.SocialToken": "Provider tokens",
}


class LadderAdminSite(AdminSite):
    site_header = "Rumrunner administration"
    site_title = "Rumrunner"
    index_title = "The operator’s desk"

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The tables, and above them how the service is."""
        from ladder.operations.admin.overview import overview  # not before the models are there

        return super().index(request, {"overview": overview(), **(extra_context or {})})

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The site's own page, with all its ways to sign in; whoever is signed in and may not is told so."""
        from django.contrib.auth.views import redirect_to_login  # not before the models are there

        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied("The operator’s desk is for administrators.")
        return redirect_to_login(
            request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index"), reverse("account_login")
        )

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The tables by what an operator looks for; what no group names stands at the end."""
        apps = super().get_app_list(request, app_label)
        if app_label:
            return apps
        left = {model["model"]._meta.label: model for app in apps for model in app["models"]}
        grouped = [_group(name, tables, left) for name, tables in GROUPS]
        rest = _group("Others", dict.fromkeys(list(left), ""), left)
        return [group for group in [*grouped, rest] if group["models"]]


def _group(name: str, tables: dict[str, str], left: dict[str, Any]) -> dict[str, Any]:
    """A group as Django's templates read an app; takes its tables out of those that are left."""
    found = [(label, left.pop(label)) for label in tables if label in left]
    models = [model | {"does": tables[label], "name": NAMES.get(label, model["name"])} for label, model in found]
    return {
        "name": name,
        "app_label": name.split()[0].lower(),
        "app_url": "",
        "has_module_perms": True,
        "models": models,
    }


class LadderAdminConfig(AdminConfig):
    default_site = "ladder.operations.admin_site.LadderAdminSite"
