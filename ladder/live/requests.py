"""What a watcher's browser asks for: one line and a few headers, of which two count."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

import orjson

from ladder.live.channels import Bookmark

LONGEST = 8 * 1024
LINE = re.compile(r"([A-Z]{1,10}) (\S{1,2000}) HTTP/1\.[01]")
MATCH = re.compile(r".{0,200}/matches/([1-9][0-9]{0,17})/?")
EVENTS = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n"
    b"Access-Control-Allow-Origin: *\r\nX-Accel-Buffering: no\r\nX-Content-Type-Options: nosniff\r\n\r\nretry: 2000\n\n"
)


class BadRequest(ValueError):
    """What came is answered with this status and sentence."""

    def __init__(self, status: HTTPStatus, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code

    def as_bytes(self) -> bytes:
        body = orjson.dumps({"error": {"code": self.code, "message": str(self)}})
        return answer(self.status, body)


@dataclass(frozen=True, slots=True)
class Asked:
    """A match and the place from which on it is wanted; no match means the state of the stream itself."""

    match_id: int | None
    place: Bookmark
    forwarded: tuple[str, ...]


def read_request(head: bytes) -> Asked:
    """Raises BadRequest for anything but a look at a match or at the stream's health."""
    if len(head) > LONGEST:
        raise BadRequest(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_large", "The request is too long.")
    first, *lines = head.decode("latin-1").split("\r\n")
    found = LINE.fullmatch(first)
    if not found:
        raise BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", "This is not an HTTP request.")
    if found[1] != "GET":
        raise BadRequest(HTTPStatus.METHOD_NOT_ALLOWED, "method_not_allowed", f"Use GET, not {found[1]}.")
    return _asked(found[2], _headers(lines))


def _headers(lines: list[str]) -> dict[str, str]:
    split = (line.partition(":") for line in lines if ":" in line)
    return {name.strip().lower(): value.strip() for name, _, value in split}


def _asked(target: str, headers: dict[str, str]) -> Asked:
    try:
        parts = urlsplit(target)
    except ValueError:
        raise BadRequest(HTTPStatus.BAD_REQUEST, "bad_request", "The address can't be read.") from None
    forwarded = tuple(part.strip() for part in headers.get("x-forwarded-for", "").split(",") if part.strip())
    if parts.path.endswith("/healthz"):
        return Asked(None, Bookmark(), forwarded)
    found = MATCH.fullmatch(parts.path)
    if not found:
        shown = parts.path[:80]
        raise BadRequest(HTTPStatus.NOT_FOUND, "not_found", f"There is nothing at {shown}; try /matches/1.")
    after = headers.get("last-event-id") or "".join(parse_qs(parts.query).get("after", [""])[:1])
    return Asked(int(found[1]), Bookmark.read(after), forwarded)


def answer(status: HTTPStatus, body: bytes) -> bytes:
    """A whole answer with a JSON body."""
    later = "Retry-After: 5\r\n" if status == HTTPStatus.SERVICE_UNAVAILABLE else ""
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nAccess-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\n{later}"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body
