"""Pieces that every endpoint is made of: numbers in queries, tags, the shape of errors, JSON in and out."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from django.test import RequestFactory
from django.utils.timezone import now
from rest_framework import exceptions
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.authentication import token_sent
from ladder.api.errors import CODES, error, handle
from ladder.api.etags import FOREVER, tagged, unchanged
from ladder.api.pagination import number_asked, whole
from ladder.api.schema import counted, describe_errors
from ladder.api.throttles import Costly, LogIns, PerMinute
from ladder.api.wire import LARGEST_JSON, Negotiation, OrjsonParser, OrjsonRenderer, TooLarge
from ladder.refusals import Conflict, Forbidden, Missing, QuotaExceeded, Refused


def asked(**headers: str) -> Request:
    return Request(RequestFactory(headers=headers).get("/api/v1/games/"))


def told(problem: Exception) -> Response:
    answer = handle(problem, {})
    assert answer is not None
    return answer


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("100", 100), ("007", 7)])
def test_a_number_in_a_query_is_read(text: str, number: int) -> None:
    assert number_asked(text, "limit", 1, 100) == number


@pytest.mark.parametrize("text", ["", "0", "101", "-1", "1.0", "ten", "٣", "²", "1" * 10, " 5", "null"])
def test_a_number_that_is_none_or_out_of_range_is_named_with_its_field(text: str) -> None:
    with pytest.raises(exceptions.ValidationError) as refused:
        number_asked(text, "limit", 1, 100)
    assert refused.value.detail == {"limit": [f"{text[:20]!r} is not a whole number from 1 to 100."]}


def test_a_long_nonsense_is_shown_in_part() -> None:
    with pytest.raises(exceptions.ValidationError) as refused:
        number_asked("9" * 500, "limit", 1, 100)
    assert len(str(refused.value.detail)) < 150


def test_a_short_list_is_a_page_of_its_own() -> None:
    assert whole([1, 2]) == {"next": None, "previous": None, "results": [1, 2]}


@pytest.mark.parametrize("header", ['"abc"', 'W/"abc"', '"x", "abc"', "*", ' "abc" '])
def test_who_has_a_thing_already_is_not_sent_it_again(header: str) -> None:
    answer = unchanged(asked(**{"If-None-Match": header}), "abc")
    assert answer is not None
    assert (answer.status_code, answer["ETag"]) == (304, '"abc"')


@pytest.mark.parametrize("header", ["", "abc", '"abd"', 'w/"abc"', '"ab", "c"'])
def test_who_has_something_else_is_sent_the_thing(header: str) -> None:
    assert unchanged(asked(**{"If-None-Match": header}), "abc") is None


@pytest.mark.parametrize(("private", "word"), [(True, "private"), (False, "public")])
def test_what_never_changes_may_be_kept_for_ever_by_whom_it_concerns(private: bool, word: str) -> None:
    answer = tagged(Response(), "abc", private=private)
    assert answer["Cache-Control"] == f"{word}, max-age={FOREVER}, immutable"


@pytest.mark.parametrize(
    ("refusal", "status", "code"),
    [
        (Refused("no"), 400, "refused"),
        (Forbidden("no"), 403, "forbidden"),
        (Missing("no"), 404, "not_found"),
        (Conflict("no", code="stale_ply"), 409, "stale_ply"),
        (QuotaExceeded("no"), 429, "quota_exceeded"),
        (Http404("no"), 404, "not_found"),
        (PermissionDenied("no"), 403, "forbidden"),
        (exceptions.ParseError("no"), 400, "parse_error"),
    ],
)
def test_every_refusal_has_one_shape(refusal: Exception, status: int, code: str) -> None:
    answer = told(refusal)
    assert (answer.status_code, answer.data) == (status, {"error": {"code": code, "message": "no"}})


def test_a_refusal_that_is_about_a_field_names_it() -> None:
    assert told(Refused("too long", field="name")).data["error"]["fields"] == {"name": ["too long"]}


@pytest.mark.parametrize(
    ("free_in", "least", "most"), [(timedelta(seconds=600), 300, 600), (timedelta(seconds=-5), 1, 1), (None, 0, 0)]
)
def test_a_quota_says_when_to_come_back_if_time_helps(free_in: timedelta | None, least: int, most: int) -> None:
    answer = told(QuotaExceeded("enough", free_at=None if free_in is None else now() + free_in))
    assert least <= int(answer.get("Retry-After", "0")) <= most


def test_a_body_that_is_too_large_names_the_limit(settings) -> None:
    settings.UPLOAD_MIB = 7
    answer = told(RequestDataTooBig("x"))
    assert answer.status_code == 413
    assert "at most 7 MiB" in answer.data["error"]["message"]


@pytest.mark.parametrize(
    ("detail", "fields", "message"),
    [
        ({"name": ["Too long."]}, {"name": ["Too long."]}, "name: Too long."),
        (["Nonsense."], {"body": ["Nonsense."]}, "body: Nonsense."),
        ({"seats": [{}, {"bot": ["Unknown."]}]}, {"seats.1.bot": ["Unknown."]}, "seats.1.bot: Unknown."),
        ({"a": ["one", "two"], "b": ["three"]}, {"a": ["one", "two"], "b": ["three"]}, "a: one b: three"),
        ({"chairs": {"0": {"who": ["No."]}}}, {"chairs.0.who": ["No."]}, "chairs.0.who: No."),
    ],
)
def test_every_complaint_stands_under_the_dotted_name_of_its_field(detail, fields: dict, message: str) -> None:
    answer = told(exceptions.ValidationError(detail))
    assert answer.data["error"] == {"code": "invalid", "message": message, "fields": fields}


@pytest.mark.parametrize(("wait", "header"), [(12, "12"), (0.2, "1"), (None, "1")])
def test_who_asks_too_often_is_told_the_seconds(wait: float | None, header: str) -> None:
    answer = told(exceptions.Throttled(wait=wait))
    assert (answer.status_code, answer["Retry-After"]) == (429, header)
    assert f"Try again in {header} s." in answer.data["error"]["message"]


def test_who_is_not_signed_in_is_told_what_to_send() -> None:
    assert "Authorization: Token" in told(exceptions.NotAuthenticated()).data["error"]["message"]


def test_a_method_that_is_not_there_points_to_the_docs() -> None:
    answer = told(exceptions.MethodNotAllowed("PUT"))
    assert answer.status_code == 405
    assert "PUT" in answer.data["error"]["message"]
    assert "/api/docs/" in answer.data["error"]["message"]


def test_our_own_failure_is_left_to_the_site() -> None:
    assert handle(ZeroDivisionError("ours"), {}) is None


def test_no_two_kinds_of_failure_share_a_code() -> None:
    assert len(set(CODES.values())) == len(CODES)


def test_fields_are_left_out_where_there_are_none() -> None:
    assert error("x", "y", 400, {}).data == {"error": {"code": "x", "message": "y"}}


@dataclass(frozen=True)
class Point:
    x: int


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, b""),
        ({"a": 1}, b'{"a":1}'),
        (Point(3), b'{"x":3}'),
        ({1: "é"}, '{"1":"é"}'.encode()),
        (datetime(2026, 11, 17, 8, tzinfo=UTC), b'"2026-11-17T08:00:00Z"'),
        (datetime(2026, 11, 17, 8, tzinfo=timezone(timedelta(hours=2))), b'"2026-11-17T08:00:00+02:00"'),
    ],
)
def test_answers_are_written_as_json(value: object, written: bytes) -> None:
    assert OrjsonRenderer().render(value) == written


@pytest.mark.parametrize("body", [b"", b"{", b"nonsense", b"{'a': 1}", b"[1,]", b"\xff", b"NaN"])
def test_a_body_that_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(exceptions.ParseError, match="The body is not JSON"):
        OrjsonParser().parse(io.BytesIO(body))


@pytest.mark.parametrize(("size", "is_taken"), [(LARGEST_JSON, True), (LARGEST_JSON + 1, False)])
def test_a_body_has_its_limit(size: int, is_taken: bool) -> None:
    body = io.BytesIO(b'"' + b"x" * (size - 2) + b'"')
    if is_taken:
        assert len(OrjsonParser().parse(body)) == size - 2
    else:
        with pytest.raises(TooLarge, match=str(LARGEST_JSON)):
            OrjsonParser().parse(body)


@pytest.mark.parametrize("value", ["a\0", ["\0"], {"a": {"b\0": 1}}, [[{"a": ["x\0y"]}]]])
def test_a_nul_is_found_however_deep_it_lies(value: object) -> None:
    with pytest.raises(exceptions.ParseError, match="NUL"):
        OrjsonParser().parse(io.BytesIO(json.dumps(value).encode()))


def test_text_about_a_nul_is_fine() -> None:
    assert OrjsonParser().parse(io.BytesIO(rb'"\\u0000"')) == "\\u0000"


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("Token abc", b"abc"),
        ("bearer abc", b"abc"),
        ("TOKEN a b", b"a b"),
        ("Token", b""),
        ("Basic abc", None),
        ("", None),
    ],
)
def test_a_token_is_found_after_either_word(header: str, token: bytes | None) -> None:
    assert token_sent(asked(Authorization=header) if header else asked()) == token


@pytest.mark.parametrize("accept", [None, "*/*", "application/json", "text/html", "*/*; q=0.1", "application/*"])
@pytest.mark.parametrize("query", ["", "?format=json", "?format=xml"])
def test_an_answer_is_chosen_as_the_framework_chooses(accept: str | None, query: str) -> None:
    request = Request(RequestFactory().get(f"/{query}", headers={"accept": accept} if accept else {}))

    def chosen(way: DefaultContentNegotiation) -> object:
        try:
            return way.select_renderer(request, [renderer])
        except (exceptions.NotAcceptable, Http404) as refused:
            return type(refused)

    renderer = OrjsonRenderer()
    assert chosen(Negotiation()) == chosen(DefaultContentNegotiation())


@pytest.mark.parametrize(
    ("kind", "a_minute", "rate"),
    [
        (PerMinute, 600, "600/min"),
        (Costly, 600, "120/min"),
        (LogIns, 600, "30/min"),
        (LogIns, 1, "1/min"),
        (PerMinute, 0, None),
    ],
)
def test_every_allowance_is_a_share_of_one_setting(
    settings, kind: type[PerMinute], a_minute: int, rate: str | None
) -> None:
    settings.API_A_MINUTE = a_minute
    assert kind().get_rate() == rate


def test_the_schema_tells_the_limits_of_a_number() -> None:
    assert counted("limit", "How many.", 1, 100).type == {"type": "integer", "minimum": 1, "maximum": 100}


def test_every_operation_of_the_schema_may_fail_in_one_shape() -> None:
    described = describe_errors(
        {"components": {}, "paths": {"/x/": {"get": {"responses": {}}, "parameters": [], "post": {"responses": {}}}}}
    )
    for method in ("get", "post"):
        assert described["paths"]["/x/"][method]["responses"]["default"]["description"].startswith("The request failed")
    assert "Error" in described["components"]["schemas"]
