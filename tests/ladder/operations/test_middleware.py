"""Text with a NUL in it: 400 everywhere, whatever the database can do with it."""

from __future__ import annotations

import io

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from rest_framework.exceptions import ParseError

from ladder.api.wire import OrjsonParser
from tests.ladder.cast import make_ladder

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path", ["/ladders/{slug}/?q=%00", "/matches/?ladder=a%00b", "/?x=%00", "/api/v1/bots/?owner=%00"]
)
def test_a_nul_in_a_query_is_refused(client: Client, path: str) -> None:
    answer = client.get(path.format(slug=make_ladder().slug))
    assert answer.status_code == 400
    assert "NUL" in answer.content.decode()


@pytest.mark.parametrize("path", ["/authors/a%00b/", "/authors/%00/picture.png", "/api/v1/authors/%00/follow/"])
def test_a_nul_in_a_path_is_looked_for_in_no_table(
    client: Client, path: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert client.get(path).status_code == 404


def test_what_only_looks_like_a_nul_is_none(client: Client) -> None:
    assert client.get(f"/ladders/{make_ladder().slug}/?q=%2500").status_code == 200


@pytest.mark.parametrize(("theme", "status"), [("dark\0", 400), ("dark", 302)])
def test_a_nul_in_a_form_is_refused(client: Client, theme: str, status: int) -> None:
    assert client.post(reverse("web:theme"), {"theme": theme}).status_code == status


@pytest.mark.parametrize(
    "body",
    [rb'"\u0000"', rb'{"a": [1, {"b": "x\u0000"}]}', rb'{"\u0000": 1}', b"[" * 1000 + rb'"\u0000"' + b"]" * 1000],
)
def test_a_nul_anywhere_in_a_json_body_is_refused(body: bytes) -> None:
    with pytest.raises(ParseError, match="NUL"):
        OrjsonParser().parse(io.BytesIO(body))


def test_a_body_that_writes_about_nul_is_taken() -> None:
    assert OrjsonParser().parse(io.BytesIO(rb'["\\u0000"]')) == ["\\u0000"]
