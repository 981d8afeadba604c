"""A backup moves the service from SQLite to PostgreSQL without losing a byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.harness import Service, running
from tests.service.postgres import remove_postgres, start_postgres

pytestmark = [pytest.mark.service, pytest.mark.slow]
FURNISH = """
from ladder.accounts.models import User
from ladder.accounts.services import make_token, notify
user = User.objects.create_user("remus", password="bootlegger-1923")
make_token(user, name="laptop")
notify(user, "qualified", "It plays – “really”.")
"""
TOLD = """
import hashlib, orjson
from django.apps import apps
def told(model):
    names = [field.attname for field in model._meta.concrete_fields]
    rows = [[bytes(v).hex() if isinstance(v, (bytes, memoryview)) else v for v in row]
            for row in model._base_manager.order_by("pk").values_list(*names)]
    return [len(rows), hashlib.sha256(orjson.dumps(rows, default=str)).hexdigest()]
skipped = ("sessions.Session",)
answer({m._meta.label: told(m) for m in apps.get_models(include_auto_created=True) if m._meta.label not in skipped})
"""
ADD = """
from ladder.accounts.models import User
answer([User.objects.create_user("latecomer").pk, max(User.objects.values_list("pk", flat=True))])
"""


@pytest.fixture
def services(tmp_path: Path) -> Iterator[tuple[Service, Service]]:
    with running(tmp_path / "old", RUMRUNNER_DEMO="false") as old, running(tmp_path / "new") as new:
        start_postgres(new)
        yield old, new
    remove_postgres(new)


def test_a_service_moves_to_postgresql(services: tuple[Service, Service], tmp_path: Path) -> None:
    old, new = services
    file = str(tmp_path / "backup.zip")
    old.make_tables()
    old.manage("first_start")
    old.ask(FURNISH)
    before = old.ask(TOLD)
    assert before["submissions.Bundle"][0] > 0
    old.manage("backup", file)
    new.manage("restore", file)
    assert new.ask(TOLD) == before
    added, highest = new.ask(ADD)
    assert added == highest
