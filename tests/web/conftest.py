from __future__ import annotations

from random import Random

import pytest
from django.core.cache import cache

from ladder import pipeline


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages need no broker: nothing is sent, and nothing waits."""
    monkeypatch.setattr(pipeline, "_send", lambda task, **options: None)
    monkeypatch.setattr(pipeline, "_messages_waiting", lambda queue: 0)
    cache.clear()


@pytest.fixture
def rng() -> Random:
    return Random(11)
