"""While the database is away every endpoint says so in the one shape, and when to come back."""

from __future__ import annotations

import pytest

from tests.ladder.api.table import TABLE, Row
from tests.ladder.api.test_permissions import ask
from tests.ladder.api.world import World
from tests.ladder.outage import SECRET, database_away

NEEDS_NONE = {"schema", "docs", "nowhere", "games", "game"}


@pytest.mark.parametrize("row", [row for row in TABLE if row.name not in NEEDS_NONE], ids=str)
def test_a_database_that_is_away_is_503_with_a_time_to_come_back(row: Row, world: World) -> None:
    client = world.client("owner")
    with database_away():
        answer = ask(client, row, world)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert answer.json()["error"]["code"] == "unavailable"
    assert "database" in answer.json()["error"]["message"]
    assert SECRET not in answer.content.decode()
