"""A plain read is answered past the framework, with what the framework answers."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.http import HttpRequest
from django.test import Client
from rest_framework.views import APIView

from ladder.api import quick
from tests.ladder.api.world import World

READS = (
    "ladders/{slug}/leaderboard/", "ladders/{slug}/leaderboard/?limit=1", "ladders/{slug}/leaderboard/?cursor=abc",
    "ladders/{slug}/leaderboard/?limit=none", "ladders/nowhere/leaderboard/", "bots/{bot}/", "bots/99999999/",
    "matches/{match}/", "matches/99999999/",
)  # fmt: skip


def forget() -> None:
    for cache in caches.all():
        cache.clear()


def asked(path: str, world: World) -> tuple[int, dict[str, str], bytes]:
    forget()
    where = path.format(slug=world.ladder.slug, bot=world.bot.pk, match=world.finished.pk)
    answer = Client().get(f"/api/v1/{where}")
    return answer.status_code, dict(answer.headers), answer.content


@pytest.mark.parametrize("path", READS)
def test_a_plain_read_has_the_answer_and_the_headers_of_the_framework(path: str, world: World) -> None:
    with patch.object(APIView, "initial", side_effect=AssertionError):
        quickly = asked(path, world)
    with patch.object(quick, "is_plain", return_value=False):
        assert quickly == asked(path, world)


@pytest.mark.parametrize("path", READS)
def test_a_plain_read_is_counted(path: str, world: World, settings: Any) -> None:
    settings.API_A_MINUTE = 1
    assert asked(path, world)[0] != 429
    with patch(f"{__name__}.forget"):
        status, headers, body = asked(f"{path}{'&' if '?' in path else '?'}again=1", world)
    assert (status, int(headers["Retry-After"]) <= 60, b'"throttled"' in body) == (429, True, True)


@pytest.mark.parametrize(
    "told",
    [
        {"HTTP_AUTHORIZATION": "Token abc"},
        {"HTTP_ACCEPT": "text/html"},
        {"HTTP_COOKIE": "sessionid=abc"},
        {"QUERY_STRING": "format=xml"},
        {"REQUEST_METHOD": "HEAD"},
        {"REQUEST_METHOD": "PATCH"},
    ],
)
def test_who_has_a_name_or_a_wish_is_left_to_the_framework(told: dict[str, str], rf: Any) -> None:
    plain: HttpRequest = rf.get("/")
    assert quick.is_plain(plain)
    method = told.pop("REQUEST_METHOD", "GET")
    assert not quick.is_plain(rf.generic(method, "/", **told))
