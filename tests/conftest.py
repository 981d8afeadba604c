"""What every test begins with."""

from __future__ import annotations

import os
import random
import secrets
from collections.abc import Iterator

import pytest

from tests.order import long_ones_first
from tests.service import loaded, tables


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = long_ones_first(items, shares=int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


@pytest.fixture(scope="session", autouse=True)
def _tables_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Services of this run share the tables that the first of them makes."""
    base = tmp_path_factory.getbasetemp()
    tables.keep_in(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="session", autouse=True)
def _libraries_of_this_process() -> Iterator[None]:
    """Services of this process share the libraries that one process has loaded."""
    with loaded.forking():
        yield


@pytest.fixture(autouse=True)
def _chance_of_its_own(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds of matches and tournaments come from the test's name: the same deals in every run and any order."""
    monkeypatch.setattr(secrets, "randbits", random.Random(request.node.nodeid).getrandbits)
