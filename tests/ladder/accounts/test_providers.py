"""Signing in through an OpenID Connect provider that really runs, on loopback."""

from __future__ import annotations

import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from ladder.accounts.models import User
from ladder.accounts.providers import login_providers
from ladder.accounts.services import invite

pytestmark = pytest.mark.django_db
SECRET = "a-secret-that-no-log-shows"
KEY = "k" * 32


class Provider(ThreadingHTTPServer):
    """A provider that vouches for one person, and can be told to misbehave."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.person: dict[str, object] = {}
        self.audience = "rumrunner"
        self.challenge = ""
        self.is_broken = False


class Answers(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        names = {
            "authorization_endpoint": "authorize",
            "token_endpoint": "token",
            "userinfo_endpoint": "me",
            "jwks_uri": "keys",
        }
        config = {"issuer": self.server.url} | {key: f"{self.server.url}/{name}" for key, name in names.items()}
        self.answer({"/.well-known/openid-configuration": config, "/me": self.server.person}.get(self.path))

    def do_POST(self) -> None:
        sent = {
            key: value[0]
            for key, value in parse_qs(self.rfile.read(int(self.headers["content-length"])).decode()).items()
        }
        proof = urlsafe_b64encode(sha256(sent["code_verifier"].encode()).digest()).decode().rstrip("=")
        if (sent["client_secret"], sent["code"], proof) != (SECRET, "code", self.server.challenge):
            self.answer(None)
            return
        told = {"iss": self.server.url, "aud": self.server.audience, "exp": time.time() + 60, "iat": time.time()}
        self.answer(
            {"access_token": "t", "token_type": "Bearer", "id_token": jwt.encode(told | self.server.person, KEY)}
        )

    def answer(self, body: object) -> None:
        self.send_response(404 if body is None else 200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b"<nonsense" if self.server.is_broken else json.dumps(body).encode())

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    provider = Provider()
    thread = threading.Thread(target=provider.serve_forever, args=(0.05,))
    thread.start()
    yield provider
    provider.shutdown()
    thread.join()
    provider.server_close()


@pytest.fixture
def provider(running: Provider, settings, monkeypatch) -> Provider:
    running.person = {"sub": "1", "email": "remus@example.org", "email_verified": True, "preferred_username": "remus"}
    running.audience, running.is_broken = "rumrunner", False
    for name, value in {"URL": running.url, "CLIENT": "rumrunner", "SECRET": SECRET, "NAME": "the club"}.items():
        monkeypatch.setenv(f"RUMRUNNER_OIDC_{name}", value)
    settings.SOCIALACCOUNT_PROVIDERS = login_providers()
    settings.LOGIN_REDIRECT_URL = "/landing/"
    return running


def come_back(client: Client, provider: Provider, button: str = "", **more: str):
    """Press the button, be sent to the provider, and come back with its code."""
    sent = client.post(f"/accounts/oidc/login/{button}")
    assert sent.status_code == 302, sent.content
    asked = {key: value[0] for key, value in parse_qs(urlsplit(sent["location"]).query).items()}
    assert sent["location"].startswith(f"{provider.url}/authorize?")
    provider.challenge = asked["code_challenge"]
    return client.get("/accounts/oidc/login/callback/", {"code": "code", "state": asked["state"], **more})


def sign_up(client: Client, **more: str):
    return client.post(reverse("socialaccount_signup"), {"username": "remus", "email": "remus@example.org", **more})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_stranger_chooses_a_name_and_comes_back_as_the_same_person(client, provider):
    assert b"Sign in with the club" in client.get(reverse("account_login")).content
    assert come_back(client, provider)["location"] == reverse("socialaccount_signup")
    assert b"Choose a username" in client.get(reverse("socialaccount_signup")).content
    assert sign_up(client)["location"] == "/submit/"
    user = User.objects.get()
    assert (user.username, user.has_usable_password()) == ("remus", False)
    assert EmailAddress.objects.get().verified
    again = Client()
    assert come_back(again, provider)["location"] == "/landing/"
    assert again.session["_auth_user_id"] == str(user.pk)


def test_without_the_settings_there_is_no_button_and_no_way(client):
    assert b"Sign in with" not in client.get(reverse("account_login")).content
    assert client.post("/accounts/oidc/login/").status_code == 404


@pytest.mark.parametrize("is_verified", [True, False])
def test_accounts_are_joined_by_an_address_that_both_sides_verified(client, provider, is_verified):
    mine = User.objects.create_user("mine", email="remus@example.org", password="bootlegger-1923")
    EmailAddress.objects.create(user=mine, email="remus@example.org", verified=is_verified, primary=True)
    come_back(client, provider)
    assert is_signed_in(client) is is_verified
    assert SocialAccount.objects.filter(user=mine).exists() is is_verified
    mine.refresh_from_db()
    assert mine.has_usable_password()


def test_an_address_that_the_provider_has_not_verified_lets_nobody_in(client, provider):
    mine = User.objects.create_user("mine", email="remus@example.org")
    EmailAddress.objects.create(user=mine, email="remus@example.org", verified=True, primary=True)
    provider.person["email_verified"] = False
    answer = come_back(client, provider)
    assert (answer.status_code, b"not verified" in answer.content) == (403, True)
    assert not is_signed_in(client)
    assert not SocialAccount.objects.exists()


def test_a_token_for_another_site_is_refused_and_no_log_has_the_secret(client, provider, caplog):
    provider.audience = "another site"
    answer = come_back(client, provider)
    assert (answer.status_code, b"Not signed in" in answer.content) == (401, True)
    assert not is_signed_in(client)
    assert "log-in by a provider failed" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize("state", ["", "forged"])
def test_an_answer_that_nobody_asked_for_is_refused(client, provider, state):
    answer = come_back(client, provider, state=state)
    assert (answer.status_code, b"Not signed in" in answer.content) == (401, True)
    assert not is_signed_in(client)


def test_a_provider_that_talks_nonsense_or_is_away_makes_a_page(client, provider, settings):
    provider.is_broken = True
    answers = [client.post("/accounts/oidc/login/")]
    settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"] = "http://127.0.0.1:9"
    answers += [client.post("/accounts/oidc/login/"), client.get("/accounts/oidc/login/callback/?code=c&state=s")]
    assert [answer.status_code for answer in answers] == [502, 502, 401]
    assert all(b"Not signed in" in answer.content for answer in answers)


def test_the_button_is_a_form_that_another_site_can_t_send(provider):
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/accounts/oidc/login/").status_code == 403
    assert strict.get("/accounts/oidc/login/").status_code == 200, "a link only asks"


def test_closed_sign_up_is_closed_to_them_too(client, provider, settings):
    settings.SIGNUP = "closed"
    answer = come_back(client, provider)
    assert (answer.status_code, is_signed_in(client)) == (200, False)
    assert not User.objects.exists()


def test_an_invitation_is_asked_for_and_used(client, provider, settings):
    settings.SIGNUP = "invite"
    come_back(client, provider)
    assert b"Invitation code" in client.get(reverse("socialaccount_signup")).content
    assert sign_up(client, invite="guess").status_code == 200
    assert not User.objects.exists()
    assert sign_up(client, invite=invite(by=None).code)["location"] == "/submit/"


@pytest.mark.parametrize(
    ("variables", "complaint"),
    [
        ({"OIDC_URL": "https://login.example.org"}, "RUMRUNNER_OIDC_CLIENT is empty"),
        ({"OIDC_URL": "http://login.example.org", "OIDC_CLIENT": "me", "OIDC_SECRET": SECRET}, "not https"),
        ({"OIDC_URL": "login", "OIDC_CLIENT": "me", "OIDC_SECRET": SECRET}, "must begin with"),
        ({"GITHUB_SECRET": SECRET}, "RUMRUNNER_GITHUB_CLIENT is empty"),
    ],
)
def test_settings_that_can_t_work_are_named_without_the_secret(monkeypatch, variables, complaint):
    for name, value in variables.items():
        monkeypatch.setenv(f"RUMRUNNER_{name}", value)
    with pytest.raises(ImproperlyConfigured, match=complaint) as refused:
        login_providers()
    assert SECRET not in str(refused.value)


def test_github_needs_its_two_settings_and_the_options(monkeypatch):
    monkeypatch.setenv("RUMRUNNER_GITHUB_CLIENT", "me")
    monkeypatch.setenv("RUMRUNNER_GITHUB_SECRET", SECRET)
    assert login_providers()["github"]["APPS"] == [{"client_id": "me", "secret": SECRET}]
    monkeypatch.setattr("ladder.accounts.providers.find_spec", lambda name: None)
    with pytest.raises(ImproperlyConfigured, match="make options"):
        login_providers()


def test_whoever_is_signed_in_connects_the_two_whatever_the_address(client, provider):
    mine = User.objects.create_user("mine", password="bootlegger-1923")
    client.force_login(mine, backend="django.contrib.auth.backends.ModelBackend")
    provider.person["email_verified"] = False
    come_back(client, provider, "?process=connect")
    assert SocialAccount.objects.get().user == mine
    assert client.get(reverse("socialaccount_connections")).status_code == 200
