"""Who else may say who somebody is: an OpenID Connect provider and GitHub, each where settings name it."""

from __future__ import annotations

from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from ladder.environment import read, read_url

APPS = "allauth.socialaccount.providers"
OIDC, GITHUB = "openid_connect", "github"
PROVIDER_ID = "oidc"  # in the addresses of our pages, which the provider has to know


def login_providers() -> dict[str, dict[str, Any]]:
    """What allauth has to know of each configured provider; raises ImproperlyConfigured, which shows no secret."""
    found = {OIDC: _oidc(), GITHUB: _app("GITHUB", "RUMRUNNER_GITHUB_CLIENT", "RUMRUNNER_GITHUB_SECRET")}
    chosen = {name: {"APPS": [app], "OAUTH_PKCE_ENABLED": True} for name, app in found.items() if app}
    if chosen and (find_spec("jwt") is None or find_spec("requests") is None):
        raise ImproperlyConfigured(
            "Signing in through another service is set up (RUMRUNNER_OIDC_URL or RUMRUNNER_GITHUB_CLIENT), but the "
            "packages it needs are not installed. Run `make options`, or unset it."
        )
    return chosen


def _oidc() -> dict[str, Any] | None:
    app = _app("OIDC", "RUMRUNNER_OIDC_URL", "RUMRUNNER_OIDC_CLIENT", "RUMRUNNER_OIDC_SECRET")
    if app is None:
        return None
    issuer = read_url("RUMRUNNER_OIDC_URL", ("https", "http")).rstrip("/")
    if urlsplit(issuer).scheme == "http" and not _is_this_machine(urlsplit(issuer).hostname):
        raise ImproperlyConfigured(
            f"RUMRUNNER_OIDC_URL={issuer!r} is not https: anybody in between could sign in as anybody."
        )
    return app | {"provider_id": PROVIDER_ID, "name": read("RUMRUNNER_OIDC_NAME"), "settings": {"server_url": issuer}}


def _is_this_machine(host: str | None) -> bool:
    try:
        return ip_address(host or "").is_loopback
    except ValueError:
        return host == "localhost"


def _app(kind: str, *names: str) -> dict[str, Any] | None:
    """Client and secret of a provider whose variables are all set; None if none is."""
    missing = [name for name in names if not read(name)]
    if len(missing) == len(names):
        return None
    if missing:
        raise ImproperlyConfigured(f"{missing[0]} is empty, but other settings of {kind} are not. Set all, or none.")
    return {"client_id": read(f"RUMRUNNER_{kind}_CLIENT"), "secret": read(f"RUMRUNNER_{kind}_SECRET")}
