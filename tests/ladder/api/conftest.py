from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.ladder.api.world import World, make_world


@pytest.fixture(autouse=True)
def _no_memory() -> None:
    """Throttles and short caches begin anew."""
    cache.clear()


@pytest.fixture
def world(db: None) -> World:
    return make_world()
