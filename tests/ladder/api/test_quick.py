"""A plain read is answered past the framework, with what the framework answers."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.db import OperationalError
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


def test_where_nobody_is_counted_a_plain_read_says_what_it_varies_by_as_the_framework_does(
    world: World, settings: Any
) -> None:
    settings.API_A_MINUTE = 0
    quickly = asked("bots/{bot}/", world)
    with patch.object(quick, "is_plain", return_value=False):
        assert quickly == asked("bots/{bot}/", world)


def test_a_plain_read_with_too_many_parameters_is_refused_as_by_the_framework(world: World) -> None:
    path = "bots/{bot}/?" + "&".join(f"a{number}=1" for number in range(1001))
    quickly = asked(path, world)
    with patch.object(quick, "is_plain", return_value=False):
        assert quickly == asked(path, world)
    assert quickly[0] == 413


def test_a_plain_read_is_told_that_the_database_is_away_while_debugging_too(world: World, settings: Any) -> None:
    settings.DEBUG = True
    with patch("ladder.api.bots._bot_rows", side_effect=OperationalError("no such file")):
        status, headers, _ = asked("bots/{bot}/", world)
    assert (status, "Retry-After" in headers) == (503, True)


@pytest.mark.parametrize(
    ("told", "status"), [({"HTTP_AUTHORIZATION": "Token abc"}, 401), ({"HTTP_ACCEPT": "text/html"}, 406)]
)
def test_a_leaderboard_that_was_just_read_is_refused_as_one_that_was_not(
    told: dict[str, Any], status: int, world: World
) -> None:
    """What was kept was told to a token that had been revoked, too."""
    forget()
    place = f"/api/v1/ladders/{world.ladder.slug}/leaderboard/"
    assert Client().get(place).status_code == 200
    assert Client().get(place, **told).status_code == status


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
