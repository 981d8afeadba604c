"""Tokens, roles, notifications, export and deletion."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.timezone import now
from knox.models import AuthToken

from ladder.accounts.models import AuditEntry, Notification, User
from ladder.accounts.permissions import is_organiser
from ladder.accounts.queries import tokens_of, unread_count
from ladder.accounts.services import (
    MOST_TOKENS,
    AccountKept,
    TokenRefused,
    appoint,
    make_token,
    notify,
    read_notifications,
    revoke_token,
)
from ladder.privacy.deletion import delete_account
from ladder.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def remus() -> User:
    return User.objects.create_user("remus", "remus@example.org", "bootlegger-1923")


@pytest.fixture
def rival() -> User:
    return User.objects.create_user("rival")


def test_the_role_decides_who_is_staff(remus):
    appoint(remus, User.Role.ADMINISTRATOR)
    assert (remus.is_staff, remus.is_superuser) == (True, True)
    appoint(User.objects.create_user("second", role="administrator"), User.Role.ADMINISTRATOR)
    appoint(remus, User.Role.ORGANISER, by=remus)
    remus.refresh_from_db()
    assert (remus.is_staff, remus.is_superuser, is_organiser(remus)) == (False, False, True)
    assert AuditEntry.objects.filter(actor=remus, action="appoint").exists()


def test_the_last_administrator_stays(remus):
    appoint(remus, User.Role.ADMINISTRATOR)
    with pytest.raises(AccountKept, match="remus is the last administrator"):
        appoint(remus, User.Role.AUTHOR)
    with pytest.raises(AccountKept):
        delete_account(remus)


def test_createsuperuser_makes_an_administrator():
    assert User.objects.create_superuser("root").role == User.Role.ADMINISTRATOR


def test_the_database_refuses_a_name_in_another_case(remus):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Remus")


def test_a_token_is_kept_as_a_hash_only(remus):
    fresh = make_token(remus, name="laptop")
    kept = AuthToken.objects.get()
    assert fresh.token not in (kept.digest, kept.token_key)
    assert [token.name for token in tokens_of(remus)] == ["laptop"]


def test_one_name_is_for_one_token(remus, rival):
    make_token(remus, name="laptop")
    with pytest.raises(TokenRefused, match="laptop"):
        make_token(remus, name="laptop")
    make_token(rival, name="laptop")
    assert AuthToken.objects.count() == 2


def test_there_are_only_so_many_tokens_but_expired_ones_make_room(remus):
    for number in range(MOST_TOKENS):
        make_token(remus, name=str(number))
    with pytest.raises(TokenRefused, match="Revoke one"):
        make_token(remus)
    AuthToken.objects.filter(named__name="0").update(expiry=now() - timedelta(days=1))
    assert len(tokens_of(remus)) == MOST_TOKENS - 1
    make_token(remus)


@pytest.mark.parametrize("days", [0, -1, 367])
def test_a_token_expires_within_a_year(remus, days):
    with pytest.raises(Refused, match=str(days)):
        make_token(remus, days=days)


def test_only_the_owner_revokes_a_token(remus, rival):
    fresh = make_token(remus)
    assert not revoke_token(rival, fresh.id)
    assert revoke_token(remus, fresh.id)
    assert not AuthToken.objects.exists()


def test_the_token_page_shows_the_secret_once(client, remus):
    client.force_login(remus)
    page = client.post(reverse("accounts:tokens"), {"name": "laptop", "days": "30"})
    secret = page.context["fresh"].token
    assert secret.encode() in page.content
    assert secret.encode() not in client.get(reverse("accounts:tokens")).content
    twice = client.post(reverse("accounts:tokens"), {"name": "laptop", "days": "30"})
    assert b"already have a token" in twice.content


def test_the_token_page_revokes(client, remus, rival):
    fresh = make_token(remus)
    client.force_login(rival)
    assert client.post(reverse("accounts:revoke", args=[fresh.id])).status_code == 404
    client.force_login(remus)
    assert client.post(reverse("accounts:revoke", args=[fresh.id])).status_code == 302
    assert tokens_of(remus) == []


def test_news_is_told_to_people_only(remus):
    assert notify(None, "qualified", "nobody reads this") is None
    notify(remus, Notification.Kind.QUALIFIED, "x" * 1000, "/bots/1/")
    assert len(remus.notifications.get().text) == 300
    assert unread_count(remus) == 1
    assert read_notifications(remus) == 1
    assert unread_count(remus) == 0


def test_the_export_has_everything_but_secrets(client, remus):
    fresh = make_token(remus, name="laptop")
    notify(remus, "qualified", "hello")
    client.force_login(remus)
    answer = client.get(reverse("accounts:export"))
    told = json.loads(answer.content)
    assert told["account"]["email"] == "remus@example.org"
    assert [token["name"] for token in told["tokens"]] == ["laptop"]
    assert fresh.token not in answer.content.decode()
    assert remus.password not in answer.content.decode()


def test_an_account_is_deleted_only_with_its_password(client, remus):
    client.force_login(remus)
    client.post(reverse("accounts:delete"), {"password": "wrong"})
    assert User.objects.filter(username="remus").exists()
    client.post(reverse("accounts:delete"), {"password": "bootlegger-1923"})
    assert not User.objects.filter(username="remus").exists()
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("page", ["tokens", "export", "delete"])
def test_account_pages_ask_strangers_to_log_in(client, page):
    answer = client.get(reverse(f"accounts:{page}"))
    assert answer["Location"].startswith(reverse("account_login"))
