"""Tokens and notifications of one person: limits, order, and that nobody touches another's."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils.timezone import now
from knox.models import AuthToken

from ladder.accounts.models import Notification, User
from ladder.accounts.queries import get_author, notifications_of, tokens_of, unread_count
from ladder.accounts.services import (
    LONGEST_TEXT,
    LONGEST_TOKEN_DAYS,
    TokenRefused,
    forget_expired_tokens,
    hear_followed,
    make_token,
    notify,
    notify_all,
    read_notifications,
    revoke_token,
)
from ladder.refusals import Missing, Refused
from ladder.tokens.models import ApiToken
from tests.ladder.cast import make_user

pytestmark = pytest.mark.django_db
KIND = Notification.Kind.ACCOUNT


@pytest.fixture
def ann() -> User:
    return make_user("ann")


@pytest.fixture
def bob() -> User:
    return make_user("bob")


@pytest.mark.parametrize("days", [1, LONGEST_TOKEN_DAYS])
def test_a_token_lasts_as_long_as_it_was_asked_to(ann: User, days: int) -> None:
    fresh = make_token(ann, name="laptop", days=days)
    assert timedelta(days=days, seconds=-60) < fresh.expires_at - now() <= timedelta(days=days)


@pytest.mark.parametrize("days", [0, LONGEST_TOKEN_DAYS + 1])
def test_the_field_that_is_wrong_is_named(ann: User, days: int) -> None:
    with pytest.raises(Refused) as refused:
        make_token(ann, days=days)
    assert (refused.value.field, refused.value.status) == ("days", 400)


def test_a_token_without_a_name_is_called_by_its_beginning(ann: User) -> None:
    fresh = make_token(ann)
    assert fresh.name == f"token {fresh.token[:6]}"


def test_a_refused_token_leaves_no_secret_behind(ann: User) -> None:
    make_token(ann, name="laptop")
    with pytest.raises(TokenRefused, match="'laptop'"):
        make_token(ann, name="laptop")
    assert (AuthToken.objects.count(), ApiToken.objects.count()) == (1, 1)


def test_tokens_are_listed_newest_first_without_those_past_their_day(ann: User, bob: User) -> None:
    for name in ("one", "two", "three"):
        make_token(ann, name=name)
    make_token(bob, name="other")
    AuthToken.objects.filter(named__name="two").update(expiry=now() - timedelta(seconds=1))
    assert [token.name for token in tokens_of(ann)] == ["three", "one"]


def test_only_one_s_own_tokens_past_their_day_are_forgotten(ann: User, bob: User) -> None:
    for user in (ann, bob):
        make_token(user, name="old")
        make_token(user, name="new")
    AuthToken.objects.filter(named__name="old").update(expiry=now() - timedelta(days=1))
    forget_expired_tokens(ann)
    assert list(ApiToken.objects.filter(user=ann).values_list("name", flat=True)) == ["new"]
    assert ApiToken.objects.filter(user=bob).count() == 2


def test_a_token_is_revoked_once(ann: User) -> None:
    fresh = make_token(ann)
    assert [revoke_token(ann, fresh.id), revoke_token(ann, fresh.id), revoke_token(ann, 0)] == [True, False, False]
    assert not ApiToken.objects.exists()


def test_the_database_keeps_one_name_for_one_token(ann: User) -> None:
    make_token(ann, name="laptop")
    auth, _ = AuthToken.objects.create(user=ann)
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.create(user=ann, name="laptop", auth=auth)


@pytest.mark.parametrize("nobody", [None, AnonymousUser()])
def test_nobody_is_told_nothing(nobody: object) -> None:
    assert notify(nobody, KIND, "hello") is None
    assert not Notification.objects.exists()


@pytest.mark.parametrize(("length", "kept"), [(LONGEST_TEXT, LONGEST_TEXT), (LONGEST_TEXT + 1, LONGEST_TEXT)])
def test_a_text_fits_and_a_cut_one_says_so(ann: User, length: int, kept: int) -> None:
    told = notify(ann, KIND, "é" * length)
    assert len(told.text) == kept
    assert told.text.endswith("…") is (length > LONGEST_TEXT)


def test_an_unknown_kind_of_news_is_a_mistake_of_ours(ann: User) -> None:
    with pytest.raises(ValueError, match="gossip"):
        notify(ann, "gossip", "hello")


def test_many_are_told_at_once(ann: User, bob: User, django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        assert notify_all([ann, bob], KIND, "x" * 1000, "/bots/1/") == 2
    assert set(Notification.objects.values_list("user__username", "url")) == {("ann", "/bots/1/"), ("bob", "/bots/1/")}
    assert notify_all([], KIND, "hello") == 0


def test_news_come_newest_first_and_only_one_s_own(ann: User, bob: User) -> None:
    for text in ("one", "two"):
        notify(ann, KIND, text)
    notify(bob, KIND, "other")
    assert [one.text for one in notifications_of(ann)] == ["two", "one"]


def test_news_are_read_once_and_only_those_that_were_named(ann: User, bob: User) -> None:
    first, second = notify(ann, KIND, "one"), notify(ann, KIND, "two")
    other = notify(bob, KIND, "three")
    assert read_notifications(ann, [first.pk, other.pk, 999]) == 1
    assert (unread_count(ann), unread_count(bob)) == (1, 1)
    assert [read_notifications(ann), read_notifications(ann)] == [1, 0]
    second.refresh_from_db()
    assert second.read_at is not None


def test_an_empty_list_reads_nothing(ann: User) -> None:
    notify(ann, KIND, "one")
    assert read_notifications(ann, []) == 0
    assert unread_count(ann) == 1


@pytest.mark.parametrize("wanted", [True, False])
def test_who_wants_no_news_of_others_says_so(ann: User, wanted: bool) -> None:
    hear_followed(ann, wanted)
    assert ann.hears_followed is wanted
    ann.refresh_from_db()
    assert ann.hears_followed is wanted


@pytest.mark.parametrize("name", ["nobody", "", "x" * 5000, "sleeper"])
def test_an_author_who_is_not_there_is_missing_in_few_words(name: str) -> None:
    User.objects.filter(pk=make_user("sleeper").pk).update(is_active=False)
    with pytest.raises(Missing) as missing:
        get_author(name)
    assert missing.value.message == f"There is no author {name[:40]!r}."


def test_an_author_is_found_by_the_exact_name(ann: User) -> None:
    assert get_author("ann") == ann
