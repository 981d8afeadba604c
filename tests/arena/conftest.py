"""Every arena test has the little game, and a sandbox folder that fits the engines of this minute."""

from __future__ import annotations

import os
import zlib

import pytest

from arena.sandbox import sandbox_folder, warm
from engines import GAMES
from tests.arena.countdown import Countdown

STARTS = ("warm", "cold")
ONE_START = "RUMRUNNER_TEST_ONE_START"  # where it is set, each test has one start of the two


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if ONE_START in os.environ:
        items[:] = [item for item in items if is_its_turn(item)]


def is_its_turn(item: pytest.Item) -> bool:
    """Whether a test has its one start; about half of them have the one, and half the other, in every run the same."""
    told = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    start = told.pop("starts", None)
    name = f"{item.name.partition('[')[0]} {sorted((key, str(value)) for key, value in told.items())}"
    return start in (None, STARTS[zlib.crc32(name.encode()) % 2])


@pytest.fixture(scope="session", autouse=True)
def folder() -> sandbox_folder.SandboxFolder:
    sandbox_folder.game_digests()  # kept from now on, without the game that is there for these tests alone
    return sandbox_folder.set_up()


@pytest.fixture(autouse=True)
def countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "countdown", Countdown())


@pytest.fixture(params=STARTS)
def starts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Bots forked from a warm parent, and bots begun anew: what holds for one must hold for the other."""
    warm.try_again()  # a test before this one may have ended the parent
    monkeypatch.setenv("RUMRUNNER_STARTS", request.param)
    return str(request.param)
