"""The API's own description: true, complete, and hammered with what it allows and what it does not."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any

import pytest
import requests
import schemathesis
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from drf_spectacular.views import SpectacularAPIView
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import BaseSchema, GenerationMode
from schemathesis.checks import content_type_conformance, not_a_server_error, response_schema_conformance

from ladder.accounts.services import make_token
from ladder.api import docs
from ladder.wsgi import application
from tests.ladder.api.table import TABLE, Row
from tests.ladder.api.test_permissions import ask
from tests.ladder.api.world import World

SCHEMA = "/api/v1/schema/?format=json"
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]


def hammer(world: World, visitor: str, mode: GenerationMode, examples: int) -> int:
    """Send generated requests to every operation, each in a transaction of its own; returns how many were answered."""
    schema = schemathesis.openapi.from_wsgi(SCHEMA, application)
    schema.hook("map_path_parameters")(real_places(world))
    people = world.people
    headers = {"Accept-Encoding": "identity"}
    if visitor in people:
        headers["Authorization"] = f"Token {make_token(people[visitor]).token}"
    answered: list[int] = []

    def send(case: Any) -> None:
        cache.clear()
        with transaction.atomic():
            answer = case.call(headers={**(case.headers or {}), **headers})
            transaction.set_rollback(True)
        case.validate_response(answer, checks=CHECKS)
        answered.append(answer.status_code)

    for operation in schema.get_all_operations():
        generously = settings(
            max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        with suppress(Unsatisfiable):  # what takes nothing can't be asked wrongly
            generously(given(case=operation.ok().as_strategy(generation_mode=mode))(send))()
    return len(answered)


def real_places(world: World) -> Callable[[Any, dict[str, Any]], dict[str, Any]]:
    """Every other number in a path becomes one that there is, so that not all requests end in 404."""
    known = {
        "bot_id": world.bot.pk, "number": 1, "match_id": world.finished.pk, "seat": 0, "token_id": world.token_id,
        "slug": world.ladder.slug, "name": "gatsby", "tournament_id": world.cups["running"].pk,
    }  # fmt: skip

    def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
        return {
            name: known[name] if name in known and len(str(value)) % 2 else value
            for name, value in (path_parameters or {}).items()
        }

    return map_path_parameters


@pytest.fixture(autouse=True)
def _unthrottled(settings) -> None:
    settings.API_A_MINUTE = 0


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_request_makes_the_service_fail(world: World, mode):
    assert hammer(world, "owner", mode, examples=2) > 60


@pytest.mark.soak
@pytest.mark.parametrize("visitor", ["none", "owner", "administrator"])
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_no_request_makes_the_service_fail_however_often(world: World, mode, visitor):
    assert hammer(world, visitor, mode, examples=40) > 600


def test_the_schema_is_valid_and_complete():
    call_command("spectacular", validate=True, fail_on_warn=True, file="/dev/null")


def test_visitors_who_are_first_at_once_wait_for_one_description(monkeypatch: pytest.MonkeyPatch):
    asked, second = [], Event()

    class Slow:
        def get_schema(self, **named: object) -> dict[str, int]:
            asked.append(1)
            if len(asked) > 1:
                second.set()
            second.wait(0.5)
            return {}

    monkeypatch.setattr(SpectacularAPIView, "generator_class", Slow)
    docs._description.cache_clear()
    try:
        with ThreadPoolExecutor(2) as pool:
            both = [pool.submit(docs._described) for _ in range(2)]
        assert [each.result() for each in both] == [{}, {}]
    finally:
        docs._description.cache_clear()
    assert len(asked) == 1


def test_the_schema_names_every_path_and_the_shape_of_errors(client: Client):
    told = client.get(SCHEMA).json()
    assert {"/api/v1/matches/{match_id}/frames/", "/api/v1/bots/{bot_id}/versions/{number}/activate/"} <= set(
        told["paths"]
    )
    answers = [operation["responses"] for path in told["paths"].values() for operation in path.values()]
    assert all("default" in answer for answer in answers)


@pytest.mark.parametrize("row", [row for row in TABLE if row.statuses[2] < 300 and not row.is_upload], ids=str)
def test_every_answer_has_the_shape_that_the_schema_says(row: Row, world: World):
    """As the owner gets it; what generated requests reach is a matter of luck."""
    schema = described()
    path, _, _ = f"/api/{row.path.format(**world.places())}".partition("?")
    template = next((each for each in schema if re.fullmatch(re.sub(r"{\w+}", "[^/]+", each), path)), None)
    if template is None:
        pytest.skip("no part of the described API")
    schema[template][row.method].validate_response(as_sent(ask(world.client("owner"), row, world), path))


@functools.cache
def described() -> BaseSchema:
    """The API's description, asked for once: it is the same for every row."""
    return schemathesis.openapi.from_wsgi(SCHEMA, application)


def as_sent(answer: HttpResponse, path: str) -> schemathesis.Response:
    """An answer of Django's test client as schemathesis reads one."""
    headers = {name.lower(): [value] for name, value in answer.items()}
    request = requests.Request("GET", f"http://testserver{path}").prepare()
    return schemathesis.Response(answer.status_code, headers, answer.getvalue(), request, elapsed=0.0, verify=False)
