from __future__ import annotations

import pytest

from ladder import pipeline


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the pipeline would have sent to the broker; unit tests have none."""
    messages: list[str] = []

    def send(task: str, **options: object) -> None:
        messages.append(task)

    monkeypatch.setattr(pipeline, "_send", send)
    monkeypatch.setattr(pipeline, "_messages_waiting", lambda queue: 0)
    return messages
