"""Every arena test has the little game, and a sandbox folder that fits the engines of this minute."""

from __future__ import annotations

import pytest

from arena.sandbox import sandbox_folder, warm
from engines import GAMES
from tests.arena.countdown import Countdown


@pytest.fixture(scope="session", autouse=True)
def folder() -> sandbox_folder.SandboxFolder:
    return sandbox_folder.set_up()


@pytest.fixture(autouse=True)
def countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "countdown", Countdown())


@pytest.fixture(params=["warm", "cold"])
def starts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Bots forked from a warm parent, and bots begun anew: what holds for one must hold for the other."""
    warm.try_again()  # a test before this one may have ended the parent
    monkeypatch.setenv("RUMRUNNER_STARTS", request.param)
    return str(request.param)
