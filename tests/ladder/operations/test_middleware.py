"""Text with a NUL in it: 400 everywhere, whatever the database can do with it."""

from __future__ import annotations

import io

import pytest
from django.test import Client
from django.urls import reverse
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


def test_what_only_looks_like_a_nul_is_none(client: Client) -> None:
    assert client.get(f"/ladders/{make_ladder().slug}/?q=%2500").status_code == 200


@pytest.mark.parametrize(("theme", "status"), [("dark\0", 400), ("dark", 302)])
def test_a_nul_in_a_form_is_refused(client: Client, theme: str, status: int) -> None:
    assert client.post(reverse("web:theme"), {"theme": theme}).status_code == status


@pytest.mark.parametrize("body", [rb'"\u0000"', rb'{"a": [1, {"b": "x\u0000"}]}', rb'{"\u0000": 1}'])
def test_a_nul_anywhere_in_a_json_body_is_refused(body: bytes) -> None:
    with pytest.raises(ParseError, match="NUL"):
        OrjsonParser().parse(io.BytesIO(body))


def test_a_body_that_writes_about_nul_is_taken() -> None:
    assert OrjsonParser().parse(io.BytesIO(rb'["\\u0000"]')) == ["\\u0000"]
