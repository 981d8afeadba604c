"""What an answer costs does not grow with what there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from ladder.accounts.services import make_token, notify
from ladder.ratings.services import rate_all
from tests.ladder.api.table import TABLE, Row, get
from tests.ladder.api.test_permissions import ask
from tests.ladder.api.world import World, enlist, make_user, make_version, played

MOST_QUERIES = {"GET": 14, "POST": 30, "PUT": 14, "PATCH": 26, "DELETE": 60}  # with savepoints and the session's own
FILTERED = (
    get("leaderboard", "v1/ladders/{slug}/leaderboard/?search=bot", (200,) * 5),
    get("leaderboard", "v1/ladders/{slug}/leaderboard/?owner=owner", (200,) * 5),
    get("matches", "v1/matches/?bot={bot}", (200,) * 5),
    get("bots", "v1/bots/?owner=owner", (200,) * 5),
)
ROWS = [row for row in (*TABLE, *FILTERED) if row.statuses[2] < 300 and row.name not in {"schema", "docs"}]


@pytest.fixture(scope="module")
def costs(one_world: World, django_db_blocker) -> Iterator[tuple[dict[int, Cost], dict[int, Cost]]]:
    """The queries of every row in a small world and in a larger one."""
    with django_db_blocker.unblock():
        small = {id(row): cost(row, one_world) for row in ROWS}
        with transaction.atomic():
            grow(one_world)
            yield small, {id(row): cost(row, one_world) for row in ROWS}
            transaction.set_rollback(True)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one request answered, and how many queries that took."""

    status: int
    queries: int


def cost(row: Row, world: World) -> Cost:
    client = world.client("owner")
    cache.clear()
    with transaction.atomic(), patch("ladder.parlour.services.fresh_seed", lambda: 7):  # who moves first is drawn
        with CaptureQueriesContext(connection) as asked:
            status = ask(client, row, world).status_code
        transaction.set_rollback(True)
    return Cost(status, len(asked))


def grow(world: World) -> None:
    """More of everything that the table asks about."""
    owner = world.people["owner"]
    others = [enlist(world.ladder, make_user()) for _ in range(6)]
    for other in others:
        played(world.ladder, [world.active, other])
        make_version(bot=world.bot, owner=owner, status="rejected")
        notify(owner, "rejected", "It does not play.")
        make_token(owner)
    enlist(world.ladder, owner)
    rate_all()


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_the_number_of_queries_is_bounded(row: Row, costs):
    small, large = (each[id(row)] for each in costs)
    assert (small.status, large.status) == (row.statuses[2], row.statuses[2])
    assert large.queries <= small.queries
    assert large.queries <= MOST_QUERIES[row.method]


def test_a_leaderboard_asked_for_twice_in_a_moment_costs_no_query(world: World, client):
    path = f"/api/v1/ladders/{world.ladder.slug}/leaderboard/"
    first = client.get(path)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(path).content == first.content
    assert len(asked) == 0


def test_a_page_of_a_leaderboard_costs_one_query(world: World, client):
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"/api/v1/ladders/{world.ladder.slug}/leaderboard/").json()["results"]
    assert len(asked) == 1


@pytest.mark.parametrize("asked", ["", "?cursor=abc", "?order=abc", "?search=abc"])
def test_that_there_is_no_such_ladder_is_told_before_all_else(asked: str, world: World, client):
    told = client.get(f"/api/v1/ladders/nowhere/leaderboard/{asked}")
    assert (told.status_code, told.json()["error"]["code"]) == (404, "not_found")
