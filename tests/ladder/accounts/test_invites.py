"""Invitations, reset links, roles and the audit log: edges of each, and who is written down."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.utils.timezone import now

from ladder.accounts.audit import audit
from ladder.accounts.models import AuditEntry, Invite, Notification, User
from ladder.accounts.permissions import is_administrator
from ladder.accounts.services import (
    AccountKept,
    InviteRefused,
    appoint,
    invite,
    keep_an_administrator,
    reset_path,
    use_invite,
)
from ladder.submissions.models import Bot
from tests.ladder.cast import make_user

pytestmark = pytest.mark.django_db


def left(made: Invite) -> int:
    made.refresh_from_db()
    return made.uses_left


def test_a_code_is_used_as_often_as_it_says_and_not_once_more() -> None:
    made = invite(by=None, uses=2)
    for _ in range(2):
        use_invite(made.code)
    with pytest.raises(InviteRefused, match="unknown, used up or expired"):
        use_invite(made.code)
    assert left(made) == 0


def test_spaces_around_a_code_do_no_harm_but_its_case_counts() -> None:
    made = invite(by=None)
    with pytest.raises(InviteRefused):
        use_invite(made.code.swapcase())
    use_invite(f"  {made.code}\n")
    assert left(made) == 0


@pytest.mark.parametrize(
    ("age", "is_open"), [(timedelta(days=29, hours=23), True), (timedelta(days=30, seconds=1), False)]
)
def test_a_code_is_good_for_its_days(age: timedelta, is_open: bool) -> None:
    made = invite(by=None, days=30)
    Invite.objects.update(expires_at=made.expires_at - age)
    if is_open:
        use_invite(made.code)
    else:
        with pytest.raises(InviteRefused):
            use_invite(made.code)


@pytest.mark.parametrize("code", ["", " ", "guessed", "x" * 5000, "' OR 1=1 --"])
def test_a_code_nobody_made_opens_nothing(code: str) -> None:
    invite(by=None)
    with pytest.raises(InviteRefused):
        use_invite(code)


def test_no_two_codes_are_alike_and_the_log_has_none() -> None:
    boss = make_user("boss", User.Role.ADMINISTRATOR)
    codes = {invite(by=boss, note="for the still").code for _ in range(5)}
    assert len(codes) == 5
    entry = AuditEntry.objects.first()
    assert (entry.actor, entry.action, entry.detail) == (boss, "invite", {"uses": 1, "days": 30})
    assert not any(code in f"{entry.target} {entry.detail}" for code in codes)


@pytest.mark.parametrize("words", [
    ["--uses", "0"], ["--days", "0"], ["--uses", "-1"], ["--uses", f"{10**20}"], ["--days", f"{10**9}"],
])  # fmt: skip
def test_the_command_makes_no_code_that_could_not_be_used(words: list[str]) -> None:
    with pytest.raises(CommandError, match=f"{words[0]} {words[1]}.* from 1 to"):
        call_command("invite", *words)
    assert not Invite.objects.exists()


def test_the_command_prints_the_code_it_made() -> None:
    told = StringIO()
    call_command("invite", "--uses", "3", "--days", "7", "--note", "for Ann", stdout=told)
    made = Invite.objects.get(code=told.getvalue().strip())
    assert (made.uses_left, made.note, str(made)) == (3, "for Ann", "for Ann")
    assert timedelta(days=6, hours=23) < made.expires_at - now() <= timedelta(days=7)


@pytest.mark.parametrize("name", ["nobody", "sleeper"])
def test_a_link_is_made_for_people_who_can_sign_in(name: str) -> None:
    sleeper = make_user("sleeper")
    User.objects.filter(pk=sleeper.pk).update(is_active=False)
    with pytest.raises(CommandError, match=f"There is no active user named '{name}'"):
        call_command("reset_link", name)


@pytest.mark.parametrize(
    ("origins", "begins"),
    [("", "http://127.0.0.1:8123/"), ("https://rum.example/,https://b.example", "https://rum.example/")],
)
def test_a_link_begins_with_where_people_reach_the_site(monkeypatch, origins: str, begins: str) -> None:
    make_user("ann")
    for name, value in (("RUMRUNNER_ORIGINS", origins), ("HOST", "127.0.0.1"), ("PORT", "8123")):
        monkeypatch.setenv(name, value)
    told = StringIO()
    call_command("reset_link", "ANN", stdout=told)
    assert told.getvalue().startswith(begins)
    assert "//" not in told.getvalue().removeprefix(begins)


def test_a_link_is_written_down_without_its_key() -> None:
    ann, boss = make_user("ann"), make_user("boss", User.Role.ADMINISTRATOR)
    path = reset_path(ann, by=boss)
    entry = AuditEntry.objects.get(action="reset link")
    assert (entry.actor_name, entry.target) == ("boss", f"user {ann.pk}: ann")
    assert path.split("/")[-2] not in str(entry.detail) + entry.target


@pytest.mark.parametrize("role", list(User.Role))
def test_a_role_is_given_told_and_written_down(role: User.Role) -> None:
    make_user("boss", User.Role.ADMINISTRATOR)
    ann = make_user("ann")
    appoint(ann, role)
    ann.refresh_from_db()
    assert (ann.role, ann.is_staff) == (role, role == User.Role.ADMINISTRATOR)
    assert Notification.objects.get(user=ann).text == f"You are now {role.label.lower()}."
    assert AuditEntry.objects.get(action="appoint").detail == {"before": "author", "now": role}


def test_an_administrator_who_sleeps_does_not_count_as_another_one() -> None:
    boss, second = (make_user(name, User.Role.ADMINISTRATOR) for name in ("boss", "second"))
    keep_an_administrator(boss)
    User.objects.filter(pk=second.pk).update(is_active=False)
    with pytest.raises(AccountKept, match="boss is the last administrator"):
        keep_an_administrator(boss)


def test_who_is_no_administrator_may_always_go() -> None:
    author = make_user()
    keep_an_administrator(author)
    User.objects.filter(pk=author.pk).update(role=User.Role.ADMINISTRATOR)
    author.refresh_from_db()
    with pytest.raises(AccountKept, match="is the last administrator"):
        keep_an_administrator(author)


def test_a_role_that_is_refused_changes_nothing() -> None:
    boss = make_user("boss", User.Role.ADMINISTRATOR)
    with pytest.raises(AccountKept):
        appoint(boss, User.Role.ORGANISER)
    boss.refresh_from_db()
    assert is_administrator(boss)
    assert not AuditEntry.objects.exists()
    assert not Notification.objects.exists()


def test_the_service_writes_down_its_own_acts_without_a_name() -> None:
    entry = audit(None, "tidy", "old logs", rows=3)
    assert (entry.actor, entry.actor_name, entry.detail) == (None, "", {"rows": 3})
    assert str(entry) == "the service: tidy old logs"


def test_a_target_with_a_long_name_is_cut_to_what_fits() -> None:
    bot = Bot.objects.create(name="x" * 40, game="gatsby")
    note = Invite.objects.create(code="c", note="n" * 200, expires_at=now())
    assert audit(None, "look", bot).target == f"bot {bot.pk}: {'x' * 40} (gatsby)"
    assert len(audit(None, "look", note).target) == 120


@pytest.mark.parametrize("name", ["", "-ann", ".ann", "ann lee", "änn", "ann@home", "a" * 41, "ann\n", "<ann>"])
def test_a_name_that_could_mislead_is_refused_by_the_model(name: str) -> None:
    with pytest.raises(ValidationError):
        User(username=name, password="x").full_clean()


@pytest.mark.parametrize("name", ["a", "Ann.Lee-2_", "0", "a" * 40])
def test_a_plain_name_is_taken(name: str) -> None:
    User(username=name, password="x").full_clean()


@pytest.mark.parametrize("spelt", ["Ann", "ANN", "ann"])
def test_people_are_found_however_their_name_is_spelt(spelt: str) -> None:
    ann = make_user("Ann")
    assert User.objects.get_by_natural_key(spelt) == ann
