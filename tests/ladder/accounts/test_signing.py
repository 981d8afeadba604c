"""Signing up, in and out, by page and by API; locking out; setting a new password."""

from __future__ import annotations

from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from ladder.accounts.forms import SignupForm
from ladder.accounts.lockout import client_address
from ladder.accounts.models import Invite, User
from ladder.accounts.services import invite, make_token, reset_path

pytestmark = pytest.mark.django_db
PASSWORD = "bootlegger-1923"
FORM = {"username": "remus", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def _landing(settings):
    settings.LOGIN_REDIRECT_URL = "/landing/"
    cache.clear()


def sign_up(client: Client, **more: str):
    return client.post(reverse("account_signup"), FORM | more)


def log_in(client: Client, password: str = PASSWORD, username: str = "remus"):
    return client.post(reverse("account_login"), {"login": username, "password": password})


@pytest.fixture
def remus() -> User:
    return User.objects.create_user("remus", password=PASSWORD)


def test_anybody_signs_up_while_sign_up_is_open(client):
    assert sign_up(client).status_code == 302
    assert User.objects.get().role == User.Role.AUTHOR
    assert client.session["_auth_user_id"]


@pytest.mark.parametrize(("more", "place"), [({}, "/submit/"), ({"next": "/tournaments/new/"}, "/tournaments/new/")])
def test_whoever_has_signed_up_is_led_to_the_next_step_or_back(client, more, place):
    assert sign_up(client, **more)["location"] == place


def test_nobody_signs_up_while_sign_up_is_closed(client, settings):
    settings.SIGNUP = "closed"
    sign_up(client)
    assert not User.objects.exists()


def test_an_invitation_lets_as_many_in_as_it_says(client, settings):
    settings.SIGNUP = "invite"
    code = invite(by=None, uses=1).code
    assert sign_up(client, invite=code).status_code == 302
    answer = sign_up(Client(), username="capone", invite=code)
    assert b"used up" in answer.content
    assert list(User.objects.values_list("username", flat=True)) == ["remus"]


def test_a_form_with_another_mistake_leaves_the_invitation_unused(client, settings):
    settings.SIGNUP = "invite"
    made = invite(by=None)
    sign_up(client, invite=made.code, password2="something else")
    assert Invite.objects.get().uses_left == 1


@pytest.mark.parametrize(("code", "status"), [("", 200), ("guess", 200), ("\x00", 400), ("x" * 200, 200)])
def test_a_wrong_invitation_makes_no_account(client, settings, code, status):
    settings.SIGNUP = "invite"
    assert sign_up(client, invite=code).status_code == status
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["house", "Admin", "a b", "../x", "<b>", "\u202ex", "x" * 41, ".dot", ""])
def test_names_that_mislead_are_refused(client, name):
    assert sign_up(client, username=name).status_code == 200
    assert not User.objects.exists()


def test_a_name_is_taken_in_every_case(client, remus):
    assert sign_up(client, username="REMUS").status_code == 200
    assert User.objects.count() == 1


@pytest.mark.parametrize("password", ["short", "1234567890123", "password12"])
def test_weak_passwords_are_refused(client, password):
    sign_up(client, password1=password, password2=password)
    assert not User.objects.exists()


def test_two_accounts_may_give_one_address_and_neither_learns_of_the_other(client):
    sign_up(client, email="one@example.org")
    answer = sign_up(Client(), username="second", email="one@example.org")
    assert answer.status_code == 302
    assert b"already" not in answer.content


def test_log_in_takes_the_name_in_any_case_and_log_out_needs_a_post(client, remus):
    assert log_in(client, username="REMUS").status_code == 302
    client.get(reverse("account_logout"))
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def test_six_wrong_passwords_lock_a_visitor_out_in_whatever_case_the_name_is_written(client, remus):
    for number in range(6):
        log_in(client, "wrong", "Remus" if number % 2 else "remus")
    answer = log_in(client)
    assert answer.status_code == 429
    assert answer["Retry-After"] == "900"
    assert b"15 minutes" in answer.content


def test_a_lock_out_by_page_holds_for_the_api(client, remus):
    for _ in range(6):
        log_in(client, "wrong")
    answer = client.post("/api/v1/auth/login/", {"username": "remus", "password": PASSWORD}, "application/json")
    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "locked_out"
    assert answer["Retry-After"] == "900"


def test_a_one_time_link_sets_a_password_once(client, remus):
    path = reset_path(remus)
    page = client.get(path, follow=True)
    new = {"password1": "moonshine-1929", "password2": "moonshine-1929"}
    client.post(page.redirect_chain[-1][0], new)
    remus.refresh_from_db()
    assert remus.check_password("moonshine-1929")
    assert Client().get(path).context["token_fail"]


def test_the_reset_page_says_whom_to_ask_where_no_mail_is_sent(client, remus, mailoutbox):
    answer = client.post(reverse("account_reset_password"), {"email": "remus@example.org"})
    assert b"Ask an administrator" in answer.content
    assert mailoutbox == []


def test_where_mail_is_configured_the_link_comes_by_mail(client, settings, mailoutbox):
    settings.MAIL_URL = "smtp://example.org"
    User.objects.create_user("remus", "remus@example.org", PASSWORD)
    client.post(reverse("account_reset_password"), {"email": "remus@example.org"})
    assert "/accounts/password/reset/key/" in mailoutbox[0].body


def test_the_command_prints_a_link_that_works(client, remus):
    out = StringIO()
    call_command("reset_link", "REMUS", stdout=out)
    answer = client.get(urlsplit(out.getvalue().strip()).path)
    assert answer.status_code == 302
    with pytest.raises(CommandError, match="nobody"):
        call_command("reset_link", "nobody")


def test_the_command_prints_an_invitation():
    out = StringIO()
    call_command("invite", "--uses", "3", "--note", "the class", stdout=out)
    made = Invite.objects.get(code=out.getvalue().strip())
    assert (made.uses_left, made.note) == (3, "the class")
    with pytest.raises(CommandError, match="--uses 0"):
        call_command("invite", "--uses", "0")


def test_a_password_is_changed_only_with_the_old_one(client, remus):
    client.force_login(remus)
    new = {"password1": "moonshine-1929", "password2": "moonshine-1929"}
    client.post(reverse("account_change_password"), new | {"oldpassword": "wrong"})
    assert User.objects.get().check_password(PASSWORD)
    client.post(reverse("account_change_password"), new | {"oldpassword": PASSWORD})
    assert User.objects.get().check_password("moonshine-1929")


def test_one_visitor_behind_a_proxy_does_not_lock_out_the_others(client, remus, settings):
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": 1}
    mallory, friend = ({"headers": {"X-Forwarded-For": f"198.51.100.9, 203.0.113.{number}"}} for number in (5, 6))
    form = {"login": "remus", "password": "wrong"}
    answers = [client.post(reverse("account_login"), form, **mallory) for _ in range(7)]
    assert answers[-1].status_code == 429
    form["password"] = PASSWORD
    assert client.post(reverse("account_login"), form, **mallory).status_code == 429
    assert client.post(reverse("account_login"), form, **friend).status_code == 302


def test_nobody_escapes_a_lock_out_by_naming_another_address(client, remus):
    for number in range(7):
        answer = client.post(
            reverse("account_login"), {"login": "remus", "password": "wrong"},
            headers={"X-Forwarded-For": f"203.0.113.{number}"},
        )  # fmt: skip
    assert answer.status_code == 429


@pytest.mark.parametrize(
    ("forwarded", "expected"),
    [("203.0.113.5", "203.0.113.5"), ("::1", "::1"), ("unknown", "127.0.0.1"), ("", "127.0.0.1")],
)
def test_what_is_no_address_is_not_written_down_as_one(rf, settings, forwarded, expected):
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": 1}
    assert client_address(rf.get("/", headers={"X-Forwarded-For": forwarded})) == expected


def test_a_new_password_makes_all_tokens_useless(client, remus):
    theirs = make_token(User.objects.create_user("rival", password=PASSWORD))
    make_token(remus)
    client.force_login(remus)
    new = {"password1": "moonshine-1929", "password2": "moonshine-1929"}
    client.post(reverse("account_change_password"), new | {"oldpassword": "wrong"})
    assert remus.api_tokens.count() == 1
    client.post(reverse("account_change_password"), new | {"oldpassword": PASSWORD})
    assert list(AuthToken.objects.values_list("named__pk", flat=True)) == [theirs.id]


def test_a_password_set_by_a_link_makes_all_tokens_useless_and_logging_in_none(client, remus):
    make_token(remus)
    log_in(client)
    assert AuthToken.objects.count() == 1
    remus.refresh_from_db()
    other = Client()
    page = other.get(reset_path(remus), follow=True)
    other.post(page.redirect_chain[-1][0], {"password1": "moonshine-1929", "password2": "moonshine-1929"})
    assert not AuthToken.objects.exists()


@pytest.mark.parametrize("place", ["account_login", "account_signup"])
@pytest.mark.parametrize("next_page", ["http://[", "//[", "http://[::1"])
def test_an_address_to_go_on_to_that_is_none_is_passed_over(client, place, next_page):
    assert client.get(reverse(place), {"next": next_page}).status_code == 200


def test_whoever_goes_on_to_an_address_that_is_none_lands_at_home(client, remus):
    answer = client.post(reverse("account_login"), {"login": "remus", "password": PASSWORD, "next": "http://["})
    assert (answer.status_code, answer["location"]) == (302, "/landing/")


def test_a_name_taken_while_the_form_was_looked_at_is_told(client, monkeypatch):
    """As when a form is sent twice: both look for the name before either has it."""
    look = SignupForm.clean

    def look_and_lose(form: SignupForm) -> dict:
        cleaned = look(form)
        User.objects.create_user("remus", password=PASSWORD)
        return cleaned

    monkeypatch.setattr(SignupForm, "clean", look_and_lose)
    answer = sign_up(client)
    assert answer.status_code == 409
    assert "signed up a moment ago" in answer.content.decode()
    assert "_auth_user_id" not in client.session
