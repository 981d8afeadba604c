"""Whose log-in an attempt is, where it came from, and what somebody who is locked out is told."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.test import RequestFactory

from ladder.accounts.lockout import answer, attempted_name, client_address


def posted(**fields: str) -> HttpRequest:
    return RequestFactory().post("/accounts/login/", fields)


@pytest.mark.parametrize(
    ("fields", "credentials", "name"),
    [
        ({"login": "Ann"}, None, "ann"),
        ({"username": "ANN"}, None, "ann"),
        ({"username": "ann", "login": "bob"}, None, "ann"),
        ({"login": "bob"}, {"username": "Ann"}, "ann"),
        ({}, None, ""),
        ({}, {}, ""),
        ({"login": "Ä" * 300}, None, "ä" * 255),
    ],
)
def test_a_name_counts_in_one_case_wherever_it_was_typed(fields: dict, credentials: dict | None, name: str) -> None:
    assert attempted_name(posted(**fields), credentials) == name


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "10.0.0.9", "127.0.0.1"),
        (1, "10.0.0.9", "10.0.0.9"),
        (1, "6.6.6.6, 10.0.0.9", "10.0.0.9"),
        (2, "6.6.6.6, 10.0.0.8, 10.0.0.9", "10.0.0.8"),
        (1, "nonsense", "127.0.0.1"),
        (1, "::1", "::1"),
    ],
)
def test_an_address_is_believed_of_trusted_proxies_only(settings, proxies: int, forwarded: str, address: str) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": proxies}
    request = RequestFactory(headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR="127.0.0.1").get("/")
    assert client_address(request) == address


@pytest.mark.parametrize("minutes", [1, 15])
def test_programs_are_told_in_the_api_s_shape(settings, minutes: int) -> None:
    settings.AXES_COOLOFF_TIME = timedelta(minutes=minutes)
    reply = answer(RequestFactory().post("/api/v1/auth/login/"))
    assert (reply.status_code, reply["Retry-After"]) == (429, str(60 * minutes))
    error = json.loads(reply.content)["error"]
    assert error["code"] == "locked_out"
    assert f"Try again in {minutes} minutes" in error["message"]


@pytest.mark.django_db
def test_people_get_a_page(settings) -> None:
    settings.AXES_COOLOFF_TIME = timedelta(minutes=15)
    request = RequestFactory().post("/accounts/login/")
    request.user, request.session = AnonymousUser(), {}
    reply = answer(request)
    assert (reply.status_code, reply["Retry-After"]) == (429, "900")
    assert "ask an administrator to unlock you" in reply.content.decode()
