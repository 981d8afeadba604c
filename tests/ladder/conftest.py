from __future__ import annotations

import pytest
from django.core.cache import cache

from ladder import pipeline
from ladder.accounts.models import User
from ladder.ladders.models import Ladder
from ladder.matches.registration import Facts, Registration
from tests.ladder.cast import make_ladder, make_user


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    """Throttles and short caches begin anew."""
    cache.clear()


@pytest.fixture(autouse=True)
def _fresh_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test lets its worker hear of the service is forgotten after it."""
    monkeypatch.setattr(Registration, "facts", Facts())
    monkeypatch.setattr(Registration, "left", ())


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the pipeline would have sent to the broker; unit tests have none."""
    messages: list[str] = []

    def send(task: str, **options: object) -> None:
        messages.append(task)

    monkeypatch.setattr(pipeline, "send", send)
    monkeypatch.setattr(pipeline, "messages_waiting", lambda queue: 0)
    return messages


@pytest.fixture
def ladder() -> Ladder:
    return make_ladder()


@pytest.fixture
def owner() -> User:
    return make_user("owner")
