"""Every arena test has the little game, and a sandbox folder that fits the engines of this minute."""

from __future__ import annotations

import os
import zlib

import pytest

from arena.sandbox import sandbox_folder, warm
from arena.sandbox.places import is_root
from engines import GAMES
from tests.arena.countdown import Countdown

STARTS = ("warm", "cold")
# Root tries each bot of these one way, the ordinary user beside it the other; whoever runs alone tries both.
SHARED = ("test_warm", "test_hostile", "test_layers", "test_survival", "test_runtimes", "test_whispers", "test_blame")
TRIED = "RUMRUNNER_TEST_STARTS"
BOTH, THE_USERS = "both", "the user's"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What the other one tries is left to the long form."""
    whose = os.environ.get(TRIED) or ("root's" if is_root() else BOTH)
    for item in items:
        if item.path.stem in SHARED and not is_its_turn(item, whose):
            item.add_marker(pytest.mark.soak)


def is_its_turn(item: pytest.Item, whose: str) -> bool:
    """About half of all tests begin warm for one of the two and cold for the other, in every run the same."""
    told = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    start = told.pop("starts", None)
    name = f"{item.name.partition('[')[0]} {sorted((key, str(value)) for key, value in told.items())}"
    return whose == BOTH or start in (None, STARTS[(zlib.crc32(name.encode()) + (whose == THE_USERS)) % 2])


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
