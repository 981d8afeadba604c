"""A broker, and matches that are played on paper as a worker would tell of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from ladder.live import polling
from ladder.matches import broadcast
from tests.ladder.valkey import running_valkey


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_valkey(tmp_path_factory.mktemp("broker")) as url:
        yield url


@pytest.fixture
def broker(address: str, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    settings.CELERY_BROKER_URL = address
    monkeypatch.setattr(broadcast, "KEPT_S", 600)  # no thread keeps alive what is told on paper
    broadcast.broker.cache_clear()
    client = broadcast.broker()
    client.flushall()
    polling.CHANNELS.clear()
    yield client
    broadcast.broker.cache_clear()
