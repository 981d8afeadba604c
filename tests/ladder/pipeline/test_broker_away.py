from __future__ import annotations

import importlib

import pytest
from celery import current_app
from redis.exceptions import ConnectionError as BrokerGone

from ladder import pipeline


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the real sending is tested, so it is not replaced."""


@pytest.mark.parametrize("error", [BrokerGone("gone"), OSError("no socket")])
def test_a_broker_that_is_away_is_no_error(sent, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def gone(*args: object, **options: object) -> None:
        raise error

    real = importlib.import_module("ladder.pipeline")
    monkeypatch.setattr(current_app, "send_task", gone)
    real.send("ladder.pipeline.tick")
    monkeypatch.setattr(current_app, "connection_or_acquire", gone)
    assert pipeline.messages_waiting("matches") == 0
