"""What the stream makes of a request: which match, from where on, and a clear answer to everything else."""

from __future__ import annotations

import json
from http import HTTPStatus

import pytest

from ladder.live.channels import Bookmark
from ladder.live.requests import EVENTS, LONGEST, BadRequest, answer, read_request

ATTEMPT = "0123456789ab"


def get(target: str, *headers: str) -> bytes:
    return "\r\n".join((f"GET {target} HTTP/1.1", "Host: rum.example", *headers)).encode()


def refused(head: bytes) -> BadRequest:
    with pytest.raises(BadRequest) as problem:
        read_request(head)
    return problem.value


@pytest.mark.parametrize(
    ("target", "match_id"),
    [
        ("/matches/7", 7),
        ("/matches/7/", 7),
        ("/stream/matches/12", 12),
        ("/matches/7?after=", 7),
        ("/matches/999999999999999999", 999_999_999_999_999_999),
        ("http://rum.example/matches/3", 3),
    ],
)
def test_a_match_is_found_wherever_the_stream_is_mounted(target: str, match_id: int) -> None:
    asked = read_request(get(target))
    assert (asked.match_id, asked.place) == (match_id, Bookmark())


@pytest.mark.parametrize("target", ["/healthz", "/stream/healthz", "/healthz?x=1"])
def test_the_health_of_the_stream_is_no_match(target: str) -> None:
    assert read_request(get(target)).match_id is None


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "/matches/",
        "/matches/0",
        "/matches/-1",
        "/matches/07",
        "/matches/1x",
        "/matches/1/2",
        "/matches/" + "9" * 19,
    ],
)
def test_anything_else_is_not_found_and_says_what_would_be(target: str) -> None:
    problem = refused(get(target))
    assert (problem.status, problem.code) == (HTTPStatus.NOT_FOUND, "not_found")
    assert "try /matches/1" in str(problem)


def test_a_long_path_is_shown_in_part_only() -> None:
    assert len(str(refused(get("/" + "x" * 1500)))) < 150


@pytest.mark.parametrize("method", ["POST", "HEAD", "DELETE", "OPTIONS"])
def test_only_get_is_answered(method: str) -> None:
    problem = refused(f"{method} /matches/1 HTTP/1.1".encode())
    assert problem.status == HTTPStatus.METHOD_NOT_ALLOWED
    assert str(problem) == f"Use GET, not {method}."


@pytest.mark.parametrize(
    "head",
    [b"", b"\r\n", b"hello", b"GET /matches/1", b"GET  /matches/1 HTTP/1.1", b"GET /a b HTTP/1.1", b"get / HTTP/1.1",
     b"GET / HTTP/2.0", b"\x16\x03\x01\x02\x00", "GET /é\u2028 HTTP/1.1".encode("utf-16")],
)  # fmt: skip
def test_what_is_no_request_is_told_so(head: bytes) -> None:
    assert refused(head).status == HTTPStatus.BAD_REQUEST


def test_an_address_that_can_t_be_split_is_no_crash() -> None:
    assert refused(get("//[")).status == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize(("extra", "is_taken"), [(0, True), (1, False)])
def test_a_request_has_its_length(extra: int, is_taken: bool) -> None:
    head = get("/matches/1", "X: ")
    head += b"x" * (LONGEST - len(head) + extra)
    if is_taken:
        assert read_request(head).match_id == 1
    else:
        assert refused(head).status == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE


@pytest.mark.parametrize(
    ("target", "headers", "place"),
    [
        ("/matches/1", [f"Last-Event-ID: {ATTEMPT}.12"], Bookmark(ATTEMPT, 12)),
        ("/matches/1", [f"last-event-id:{ATTEMPT}.12"], Bookmark(ATTEMPT, 12)),
        (f"/matches/1?after={ATTEMPT}.3", [], Bookmark(ATTEMPT, 3)),
        (f"/matches/1?after={ATTEMPT}.3", [f"Last-Event-ID: {ATTEMPT}.12"], Bookmark(ATTEMPT, 12)),
        (f"/matches/1?after={ATTEMPT}.3&after={ATTEMPT}.9", [], Bookmark(ATTEMPT, 3)),
        ("/matches/1?after=now", [], Bookmark()),
        ("/matches/1", [f"Last-Event-ID: {ATTEMPT}.1234567"], Bookmark()),
        ("/matches/1", [f"Last-Event-ID: {ATTEMPT.upper()}.1"], Bookmark()),
    ],
)
def test_a_watcher_comes_back_by_header_or_address(target: str, headers: list[str], place: Bookmark) -> None:
    assert read_request(get(target, *headers)).place == place


@pytest.mark.parametrize(
    ("header", "forwarded"),
    [
        ("X-Forwarded-For: 10.0.0.1", ("10.0.0.1",)),
        ("x-forwarded-for: 10.0.0.1, 10.0.0.2 ,", ("10.0.0.1", "10.0.0.2")),
        ("X-Other: 10.0.0.1", ()),
        ("no header at all", ()),
    ],
)
def test_what_proxies_forward_is_told_in_their_order(header: str, forwarded: tuple[str, ...]) -> None:
    assert read_request(get("/matches/1", header)).forwarded == forwarded


def test_a_refusal_is_json_in_the_shape_of_the_api() -> None:
    head, _, body = BadRequest(HTTPStatus.NOT_FOUND, "not_found", "Nothing “here”.").as_bytes().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 404 Not Found\r\n")
    assert json.loads(body) == {"error": {"code": "not_found", "message": "Nothing “here”."}}
    assert f"Content-Length: {len(body)}".encode() in head


@pytest.mark.parametrize(("status", "waits"), [(HTTPStatus.SERVICE_UNAVAILABLE, True), (HTTPStatus.OK, False)])
def test_a_full_house_says_when_to_come_back(status: HTTPStatus, waits: bool) -> None:
    assert (b"Retry-After: 5\r\n" in answer(status, b"{}")) is waits


def test_events_are_kept_by_nobody_and_read_by_any_page() -> None:
    for line in (b"Content-Type: text/event-stream", b"Cache-Control: no-store", b"Access-Control-Allow-Origin: *"):
        assert line + b"\r\n" in EVENTS
    assert EVENTS.endswith(b"retry: 2000\n\n")
