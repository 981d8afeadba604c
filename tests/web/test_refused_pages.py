"""What a page says when the service says no: its status, what to do, and no more than that."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation, TooManyFilesSent
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.timezone import now

from ladder.accounts.models import User
from ladder.outages import RETRY_AFTER_S
from ladder.refusals import Conflict, Forbidden, Missing, QuotaExceeded, Refused
from ladder.web.errors import (
    CODES,
    NEXT,
    TITLES,
    TellRefusals,
    bad_request,
    error_page,
    forbidden,
    not_found,
    unavailable,
)
from tests.ladder.cast import make_user

pytestmark = pytest.mark.django_db


def asked(path: str = "/bots/1/", user: User | AnonymousUser | None = None) -> HttpRequest:
    request = RequestFactory().get(path)
    request.user = user or AnonymousUser()
    request.session = {}
    return request


def refused(problem: Exception, path: str = "/bots/1/") -> HttpResponse | None:
    return TellRefusals(lambda request: HttpResponse()).process_exception(asked(path), problem)


def test_every_status_has_a_title_and_a_code() -> None:
    assert set(TITLES) == set(CODES)
    assert set(NEXT) <= set(TITLES)


@pytest.mark.parametrize("status", TITLES)
def test_an_error_is_a_page_for_people_and_json_for_programs(status: int) -> None:
    page = error_page(asked(), status, "What was <wrong>.", "What to do.")
    assert page.status_code == status
    for words in (TITLES[status], "What was &lt;wrong&gt;.", "What to do."):
        assert words in page.content.decode()
    told = error_page(asked("/api/v1/bots/"), status, "Wrong.", "Do this.")
    assert (told.status_code, json.loads(told.content)) == (
        status,
        {"error": {"code": CODES[status], "message": "Wrong. Do this."}},
    )


@pytest.mark.parametrize(
    ("problem", "status"),
    [
        (Refused("no"), 400),
        (Forbidden("no"), 403),
        (Missing("no"), 404),
        (Conflict("no"), 409),
        (QuotaExceeded("no"), 429),
        (Refused("no", status=507), 400),
        (Refused("no", status=413), 413),
    ],
)
def test_a_refusal_is_told_in_its_own_words_with_its_status(problem: Refused, status: int) -> None:
    page = refused(problem)
    assert page is not None
    assert page.status_code == status
    assert NEXT.get(status, "Nothing was changed.") in page.content.decode()


@pytest.mark.parametrize(("free_in", "least", "most"), [(timedelta(minutes=10), 300, 600), (None, 0, 0)])
def test_a_quota_says_when_to_come_back(free_in: timedelta | None, least: int, most: int) -> None:
    page = refused(QuotaExceeded("enough", free_at=None if free_in is None else now() + free_in))
    assert page is not None
    assert least <= int(page.get("Retry-After", "0")) <= most


def test_refusals_under_the_api_are_the_api_s_and_failures_are_django_s() -> None:
    assert refused(Refused("no"), "/api/v1/bots/") is None
    assert refused(ValueError("ours")) is None


@pytest.mark.parametrize("path", ["/", "/api/v1/bots/"])
def test_a_database_that_is_away_is_told_with_a_time(path: str) -> None:
    page = refused(OperationalError("could not connect to server"), path)
    assert page is not None
    assert (page.status_code, page["Retry-After"]) == (503, str(RETRY_AFTER_S))
    assert "could not connect" not in page.content.decode()


def test_who_asked_is_not_looked_up_again_while_the_database_is_away() -> None:
    request = asked(user=User(username="ann"))
    unavailable(request, OperationalError("x"))
    assert isinstance(request.user, AnonymousUser)


@pytest.mark.parametrize(
    ("problem", "status"),
    [(RequestDataTooBig("x"), 413), (TooManyFilesSent("x"), 413), (SuspiciousOperation("x"), 400)],
)
def test_what_django_refuses_is_told_apart(settings, problem: Exception, status: int) -> None:
    settings.UPLOAD_MIB = 7
    page = bad_request(asked(), problem)
    assert page.status_code == status
    assert ("7 MiB" in page.content.decode()) is (status == 413)


@pytest.mark.parametrize(
    ("is_signed_in", "told"), [(False, "Sign in and try again."), (True, "Sign in with the account that owns it.")]
)
def test_who_may_not_is_told_what_would_help(is_signed_in: bool, told: str) -> None:
    user = make_user() if is_signed_in else None
    page = forbidden(asked(user=user)).content.decode()
    assert told in page
    assert "needs another role" in page
    answer = forbidden(asked(user=user), PermissionError("my own reason"))
    assert answer.status_code == 403
    assert "my own reason" in answer.content.decode()


def test_a_long_address_is_shown_in_part_and_never_as_markup() -> None:
    page = not_found(asked("/" + "<b>" * 500)).content.decode()
    assert "<b><b>" not in page
    assert len(page) < 20_000
