"""Every endpoint and every kind of visitor, from the table beside this file."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from tests.ladder.api.table import TABLE, Row, a_bot, filled
from tests.ladder.api.world import VISITORS, World

METHODS = ("get", "post", "put", "patch", "delete")


def ask(client: Client, row: Row, world: World):
    """Send the request of a row."""
    places = world.places()
    path = f"/api/{row.path.format(**places)}"
    if row.is_upload:
        return client.post(path, {"file": a_bot()})
    body = filled(row.body, places) if row.method != "GET" else None
    return client.generic(row.method, path, *([_json(body), "application/json"] if body is not None else []))


def _json(body: dict) -> bytes:
    import orjson

    return orjson.dumps(body)


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_who_gets_what(row: Row, world: World):
    got = {}
    for visitor in VISITORS:
        cache.clear()
        with transaction.atomic():
            got[visitor] = ask(world.client(visitor), row, world).status_code
            transaction.set_rollback(True)
    assert got == dict(zip(VISITORS, row.statuses, strict=True))


def endpoints() -> set[tuple[str, str]]:
    """Every method of every path of the API."""
    api = next(each for each in get_resolver().url_patterns if getattr(each, "app_name", "") == "api")
    views = {pattern.name: pattern.callback.view_class for pattern in api.url_patterns}
    return {(method.upper(), name) for name, view in views.items() for method in METHODS if hasattr(view, method)}


def test_no_endpoint_is_missing_from_the_table():
    in_table = {(row.method, row.name) for row in TABLE if row.name != "nowhere"}
    assert endpoints() == in_table


@pytest.mark.parametrize("row", [row for row in TABLE if min(row.statuses) >= 400], ids=str)
def test_every_refusal_has_the_one_shape(row: Row, world: World):
    error = ask(world.client("none"), row, world).json()["error"]
    assert set(error) <= {"code", "message", "fields"}
    assert error["code"]
    assert error["message"]


def test_a_member_without_a_csrf_mark_is_refused_in_the_same_shape(world: World):
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.people["owner"])
    answer = client.post("/api/v1/auth/logout/")
    assert answer.status_code == 403
    assert "CSRF" in answer.json()["error"]["message"]
