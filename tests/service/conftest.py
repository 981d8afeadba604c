"""What several tests of the service begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.harness import Service, running
from tests.service.postgres import remove_postgres, start_postgres_with_tables


@pytest.fixture(params=["sqlite", "postgresql"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Service]:
    """Tables and nothing that runs, on each database."""
    with running(tmp_path / "data") as service:
        if request.param == "postgresql":
            start_postgres_with_tables(service)
        else:
            service.make_tables()
        yield service
    remove_postgres(service)
