"""What several tests of the service begin with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.harness import Parents, Service, running
from tests.service.ports import free_port
from tests.service.postgres import remove_postgres, start_postgres_with_tables


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int, Parents]]:
    """A folder and a port that one service has after another: Django is set up for all of them once."""
    parents: Parents = {}
    yield tmp_path_factory.getbasetemp() / "service", free_port(), parents
    for parent in parents.values():
        if parent is not None:
            parent.end()


@pytest.fixture(params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, place: tuple[Path, int, Parents]) -> Iterator[Service]:
    """Tables and nothing that runs, on each database."""
    data, port, parents = place
    with running(data) as service:
        service.parents = parents
        if request.param == "postgresql":
            start_postgres_with_tables(service, port=port)
        else:
            service.make_tables()
        yield service
        service.parents = {}  # which end with a service
    remove_postgres(service)
    shutil.rmtree(data)
