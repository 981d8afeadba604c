from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from tests.ladder.api.world import World, make_world


@pytest.fixture(scope="module")
def one_world(django_db_setup: None, django_db_blocker) -> Iterator[World]:
    """Made once for a file of tests; each test's own transaction is within this one."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(one_world: World, db: None) -> World:
    return one_world
