"""An installation in which the names of tokens belonged to accounts comes up to date where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from ladder.accounts.models import User
from ladder.accounts.services import make_token

pytestmark = pytest.mark.django_db(transaction=True)  # SQLite changes no table inside a transaction


@pytest.fixture
def recorded() -> Iterator[MigrationRecorder]:
    """What such an installation has noted of its migrations."""
    recorder = MigrationRecorder(connection)
    assert ("accounts", "0002_tokens") in recorder.applied_migrations(), "what a migration replaces is noted with it"
    recorder.record_unapplied("tokens", "0001_initial")
    yield recorder
    if ("tokens", "0001_initial") not in recorder.applied_migrations():
        recorder.record_applied("tokens", "0001_initial")


def test_the_table_of_tokens_is_taken_over_with_its_rows(recorded: MigrationRecorder) -> None:
    remus = User.objects.create_user("remus", password="bonded warehouse")
    make_token(remus, name="laptop")
    call_command("migrate", stdout=StringIO())
    assert ("tokens", "0001_initial") in recorded.applied_migrations()
    assert [token.name for token in remus.api_tokens.all()] == ["laptop"]
