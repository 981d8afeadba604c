"""How often a visitor may come is counted at the broker, in one step for all processes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import BaseCache

from ladder.broker import cache_url
from ladder.cache import ForgivingRedisCache
from tests.ladder.valkey import running_valkey
from tests.local_cache import LocalCache


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_valkey(tmp_path_factory.mktemp("data")) as url:
        yield cache_url(url)


@pytest.fixture(params=[ForgivingRedisCache, LocalCache])
def visits(request: pytest.FixtureRequest, shared: str) -> BaseCache:
    cache: BaseCache = request.param(shared, {"KEY_PREFIX": "rumrunner:cache"})
    cache.clear()
    return cache


def test_so_many_visits_are_allowed_and_the_next_is_told_when_to_come_back(visits: Any) -> None:
    waits = [visits.visit("a", now=1e9 + second, period_s=60, most=3) for second in range(5)]
    assert waits == [0, 0, 0, 57, 56]


def test_a_visit_is_forgotten_after_its_period(visits: Any) -> None:
    assert [visits.visit("a", now=1e9 + at, period_s=60, most=1) for at in (0, 59.5, 60, 61)] == [0, 0.5, 0, 59]


def test_visitors_are_counted_apart(visits: Any) -> None:
    assert [visits.visit(who, now=1e9, period_s=60, most=1) for who in ("a", "b", "a")] == [0, 0, 60]


def test_who_may_come_less_often_than_before_waits_for_the_oldest_visit(visits: Any) -> None:
    allowed = ((0, 2), (1, 2), (2, 1))
    assert [visits.visit("a", now=1e9 + at, period_s=60, most=most) for at, most in allowed] == [0, 0, 58]


def test_visits_that_come_at_once_are_all_counted(shared: str) -> None:
    caches = [ForgivingRedisCache(shared, {"KEY_PREFIX": "rumrunner:cache"}) for _ in range(4)]
    with ThreadPoolExecutor(8) as crowd:
        waits = crowd.map(lambda n: caches[n % 4].visit("crowd", now=1e9, period_s=60, most=25), range(200))
        assert sum(wait == 0 for wait in waits) == 25


def test_while_the_broker_is_away_everybody_may_come(tmp_path: Path) -> None:
    away = ForgivingRedisCache(f"unix://{tmp_path}/none.sock", {"KEY_PREFIX": "rumrunner:cache"})
    assert [away.visit("a", now=1e9, period_s=60, most=1) for _ in range(3)] == [0, 0, 0]


def test_a_broker_that_was_started_anew_counts_on(tmp_path: Path) -> None:
    with running_valkey(tmp_path) as url:
        cache: Any = ForgivingRedisCache(cache_url(url), {"KEY_PREFIX": "rumrunner:cache"})
        waits = [cache.visit("a", now=1e9, period_s=60, most=2)]
        client = cache._visit.registered_client
        client.script_flush()  # it knows no script,
        waits.append(cache.visit("a", now=1e9, period_s=60, most=2))
        client.client_kill_filter(_type="normal", skipme=False)  # and has no line to anybody
        waits.append(cache.visit("a", now=1e9, period_s=60, most=2))
    assert waits == [0, 0, 60]
