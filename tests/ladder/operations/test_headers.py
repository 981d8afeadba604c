"""Headers that nobody sends by accident: every one of them gets an answer, from the application as servers run it."""

from __future__ import annotations

import io
from typing import Any

import pytest

from ladder.operations.headers import PlainRequest
from ladder.wsgi import application

pytestmark = pytest.mark.django_db
PATHS = ("/", "/api/v1/bots/?search=a", "/accounts/login/", "/oembed/?url=x", "/nowhere/", "/api/nowhere/")
UNREADABLE = (
    "text/plain; charset*=bogus''utf-8",
    "text/plain; charset*=undefined''%41",
    "text/plain; charset=\0",
    "multipart/form-data; boundary*=bogus''x",
)
NOT_FOR_TEXT = (
    "text/plain; charset=hex",
    "text/plain; charset=undefined",
    "text/plain; charset=idna",
    "multipart/form-data; boundary=x; charset=hex",
    "application/x-www-form-urlencoded; charset=rot13",
)


def environ(address: str, method: str = "GET", body: bytes = b"", **more: str) -> dict[str, Any]:
    """What a web server hands over for a request."""
    path, _, query = address.partition("?")
    return {
        "REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, "SCRIPT_NAME": "",
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost", "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http", "wsgi.errors": io.StringIO(), **more,
    }  # fmt: skip


def status_of(asked: dict[str, Any]) -> int:
    found: list[str] = []
    list(application(asked, lambda status, headers, problem=None: found.append(status)))
    return int(found[0].partition(" ")[0])


@pytest.mark.parametrize("sent", [*UNREADABLE, *NOT_FOR_TEXT])
def test_no_content_type_makes_the_service_fail(sent: str) -> None:
    for address in PATHS:
        for method, body in (("GET", b""), ("POST", b"username=a&next=%2F")):
            assert status_of(environ(address, method, body, CONTENT_TYPE=sent)) < 500


def test_an_address_is_read_as_utf_8_whatever_the_content_type_says() -> None:
    asked = environ("/?search=%C3%A9%2BAAA-", CONTENT_TYPE="text/plain; charset=utf-7")
    assert PlainRequest(asked).GET["search"] == "é+AAA-"


def test_json_is_read_whatever_follows_its_type() -> None:
    body = b'{"username": "nobody", "password": "none"}'
    for sent in ("application/json; charset=utf-16", "application/json; charset*=bogus''x"):
        assert status_of(environ("/api/v1/auth/login/", "POST", body, CONTENT_TYPE=sent)) == 401


def test_a_cookie_with_a_nul_is_not_looked_for() -> None:
    sent = 'theme=dark; sessionid="\\000abcdefgh"'
    assert PlainRequest(environ("/", HTTP_COOKIE=sent)).COOKIES == {"theme": "dark"}
