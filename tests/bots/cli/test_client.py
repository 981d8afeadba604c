"""The client of the API: where a login is kept, what is sent, and what refusals mean at the keyboard."""

from __future__ import annotations

import io
import json
import os
import stat
from email.message import Message
from http.client import IncompleteRead
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request

import pytest

from bots.cli import client as talking
from bots.cli.client import Client, Login, clean_server, load_login, login_file, save_login
from bots.cli.output import Code, Stop

ANN = Login("http://127.0.0.1:8000", "ann", "0" * 64)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without any login."""
    for name in ("RUMRUNNER_TOKEN", "RUMRUNNER_SERVER", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RUMRUNNER_CONFIG", str(tmp_path))
    return tmp_path


class Wire:
    """Takes what is sent, and answers as told."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.answer: bytes | Exception = b"{}"

    def open(self, request: Request, timeout: float) -> io.BytesIO:
        self.requests.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return io.BytesIO(self.answer)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    line = Wire()
    monkeypatch.setattr(talking, "build_opener", lambda *_: line)
    return line


def refusal(status: int, body: object) -> HTTPError:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return HTTPError("http://x/", status, "no", Message(), io.BytesIO(content))


def told(wire: Wire, answer: bytes | Exception) -> Stop:
    """How a command ends when the server answers like this."""
    wire.answer = answer
    with pytest.raises(Stop) as stopped:
        Client(ANN.server, ANN.token).get("me/")
    return stopped.value


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"RUMRUNNER_CONFIG": "/one", "XDG_CONFIG_HOME": "/two", "HOME": "/three"}, "/one"),
        ({"XDG_CONFIG_HOME": "/two", "HOME": "/three"}, "/two"),
        ({"HOME": "/three"}, "/three/.config"),
        ({"RUMRUNNER_CONFIG": "", "HOME": "/three"}, "/three/.config"),
    ],
)
def test_the_login_is_kept_where_it_is_wanted(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: str
) -> None:
    monkeypatch.delenv("RUMRUNNER_CONFIG")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert login_file() == Path(folder) / "rumrunner" / "login.json"


def test_a_login_comes_back_as_it_was_kept() -> None:
    save_login(ANN)
    save_login(Login("https://rum.example", "bob", "1" * 64))
    assert load_login() == Login("https://rum.example", "bob", "1" * 64)


def test_a_login_is_read_by_its_owner_alone_and_nothing_is_left_beside_it() -> None:
    path = save_login(ANN)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["login.json"]


def test_a_login_that_can_t_be_kept_names_the_file_and_the_way_out(home: Path) -> None:
    (home / "rumrunner").write_text("a file where the folder should be")
    with pytest.raises(Stop, match="Set RUMRUNNER_CONFIG") as stopped:
        save_login(ANN)
    assert stopped.value.code is Code.USAGE
    assert "login.json" in stopped.value.message


def test_a_token_in_the_environment_comes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    save_login(ANN)
    monkeypatch.setenv("RUMRUNNER_TOKEN", "f" * 64)
    assert load_login() == Login("http://127.0.0.1:8000", "", "f" * 64)
    monkeypatch.setenv("RUMRUNNER_SERVER", "rum.example/")
    assert load_login().server == "http://rum.example"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"server": "x"}',
        '{"server": 1, "user": 2}',
        "\x00",
        '{"server": 1, "username": "x", "token": "y"}',
    ],
)
def test_a_login_file_that_is_none_says_to_sign_in_again(content: str) -> None:
    save_login(ANN).write_text(content)
    with pytest.raises(Stop, match=r"can't be read\. Run `rumrunner login SERVER` again") as stopped:
        load_login()
    assert stopped.value.code is Code.SIGN_IN


def test_who_never_signed_in_is_told_how() -> None:
    with pytest.raises(Stop, match="Run `rumrunner login SERVER`") as stopped:
        load_login()
    assert stopped.value.code is Code.SIGN_IN


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("rum.example", "http://rum.example"),
        ("rum.example:8000/", "http://rum.example:8000"),
        ("https://rum.example/", "https://rum.example"),
        ("https://example.org/rum/", "https://example.org/rum"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://127.0.0.1:8000/?next=/#top", "http://127.0.0.1:8000"),
        ("http://example.org/é", "http://example.org/%C3%A9"),
    ],
)
def test_an_address_is_taken_as_people_type_it(typed: str, address: str) -> None:
    assert clean_server(typed) == address


def test_a_request_names_the_token_the_program_and_the_path(wire: Wire) -> None:
    Client(ANN.server, ANN.token).get("bots/?owner=ann")
    (request,) = wire.requests
    assert (request.get_method(), request.full_url) == ("GET", "http://127.0.0.1:8000/api/v1/bots/?owner=ann")
    assert request.get_header("Authorization") == f"Token {'0' * 64}"
    assert request.get_header("User-agent") == "rumrunner"
    assert request.data is None


def test_without_a_token_none_is_sent(wire: Wire) -> None:
    Client(ANN.server).get("games/")
    assert not wire.requests[0].has_header("Authorization")


@pytest.mark.parametrize("told", ["http://127.0.0.1:8000", "https://127.0.0.1:8000", "http://elsewhere.example/rum"])
def test_an_address_from_an_answer_is_asked_where_the_token_belongs(wire: Wire, told: str) -> None:
    Client(ANN.server, ANN.token).get(f"{told}/api/v1/bots/7/versions/3/")
    assert wire.requests[0].full_url == "http://127.0.0.1:8000/api/v1/bots/7/versions/3/"


@pytest.mark.parametrize(
    "address", ["http://elsewhere.example/api/v1/me/", "https://127.0.0.1:8000/", "file:///etc/passwd"]
)
def test_no_redirection_carries_a_token_to_another_server(address: str) -> None:
    request = Request("http://127.0.0.1:8000/api/v1/me/", headers={"Authorization": "Token 0"})
    with pytest.raises(Stop, match="redirects you to") as stopped:
        talking._StayThere().redirect_request(request, None, 302, "Found", Message(), address)
    assert stopped.value.code is Code.SERVER


def test_a_redirection_within_a_server_is_followed() -> None:
    request = Request("http://127.0.0.1:8000/api/v1/me", headers={"Authorization": "Token 0"})
    followed = talking._StayThere().redirect_request(
        request, None, 301, "", Message(), "http://127.0.0.1:8000/api/v1/me/"
    )
    assert followed is not None
    assert followed.get_header("Authorization") == "Token 0"


@pytest.mark.parametrize("token", ["ab\ncd", "a b", "\u20ac", "ab\r\nX: y"])
def test_a_token_that_no_header_can_carry_is_refused_before_it_is_sent(wire: Wire, token: str) -> None:
    with pytest.raises(Stop, match="Copy it again") as stopped:
        Client(ANN.server, token).get("me/")
    assert (stopped.value.code, wire.requests) == (Code.SIGN_IN, [])


@pytest.mark.parametrize(
    "typed", [f"http://{'a' * 70}.example", "http://a..b", "http://[::1", "ftp://x", "http://x:99999"]
)
def test_an_address_that_nobody_can_have_is_refused(typed: str) -> None:
    with pytest.raises(Stop, match="is not the address of a server"):
        clean_server(typed)


def test_a_refusal_that_is_cut_off_is_the_server_s_trouble(wire: Wire) -> None:
    cut = HTTPError("http://x/", 500, "no", Message(), None)
    cut.read = lambda *_: (_ for _ in ()).throw(IncompleteRead(b"{", 99))  # type: ignore[method-assign]
    assert "having problems (it answered 500)" in told(wire, cut).message


def test_an_answer_without_end_is_cut(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talking, "LARGEST_ANSWER", 5)
    assert told(wire, b'{"username": "ann"}').kind == "wrong_version"


@pytest.mark.parametrize(
    ("act", "method", "body"),
    [
        (lambda client: client.post("bots/", {"name": "é"}), "POST", {"name": "é"}),
        (lambda client: client.post("duels/7/cancel/"), "POST", {}),
        (lambda client: client.patch("bots/7/", {"is_hidden": True}), "PATCH", {"is_hidden": True}),
        (lambda client: client.delete("bots/7/", {"name": "x"}), "DELETE", {"name": "x"}),
    ],
)
def test_changes_are_sent_as_json(wire: Wire, act: Any, method: str, body: object) -> None:
    act(Client(ANN.server))
    (request,) = wire.requests
    assert (request.get_method(), request.get_header("Content-type")) == (method, "application/json")
    assert json.loads(request.data) == body  # type: ignore[arg-type]


def test_a_file_goes_byte_for_byte_with_a_name_that_ends_no_header(wire: Wire) -> None:
    Client(ANN.server).upload("bots/7/versions/", 'a"b\r\nX: y.py', b"--\r\n\x00print()\r\n")
    (request,) = wire.requests
    kind = str(request.get_header("Content-type"))
    mark = kind.removeprefix("multipart/form-data; boundary=").encode()
    assert isinstance(request.data, bytes)
    head, _, rest = request.data.partition(b"\r\n\r\n")
    assert head.splitlines()[1] == b'Content-Disposition: form-data; name="file"; filename="abX: y.py"'
    assert rest == b"--\r\n\x00print()\r\n" + b"\r\n--" + mark + b"--\r\n"


def test_an_answer_without_content_is_nothing(wire: Wire) -> None:
    wire.answer = b""
    assert Client(ANN.server).get("me/") is None


@pytest.mark.parametrize(
    ("status", "code", "kind"), [(400, Code.NO, "refused"), (409, Code.NO, "refused"), (503, Code.SERVER, "refused")]
)
def test_a_refusal_is_told_in_the_words_of_the_server(wire: Wire, status: int, code: Code, kind: str) -> None:
    stopped = told(wire, refusal(status, {"error": {"code": "refused", "message": "Not like this."}}))
    assert (stopped.message, stopped.code, stopped.kind) == ("Not like this.", code, kind)


def test_a_token_that_is_refused_says_where_to_sign_in(wire: Wire) -> None:
    stopped = told(wire, refusal(401, {"error": {"code": "not_authenticated", "message": "No such token."}}))
    assert stopped.message == "No such token. Sign in again: rumrunner login http://127.0.0.1:8000"
    assert stopped.code is Code.SIGN_IN


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"error": "no"}', b'{"error": {"code": "x"}}', b"null"])
def test_a_refusal_in_another_shape_comes_from_another_kind_of_server(wire: Wire, body: bytes) -> None:
    assert told(wire, refusal(404, body)).kind == "wrong_version"
    assert "having problems (it answered 502)" in told(wire, refusal(502, body)).message


@pytest.mark.parametrize(
    "problem", [URLError("timed out"), ConnectionResetError("reset by peer"), TimeoutError("timed out")]
)
def test_a_server_that_can_t_be_reached_is_told_so_with_the_reason(wire: Wire, problem: Exception) -> None:
    stopped = told(wire, problem)
    assert (stopped.code, stopped.kind) == (Code.SERVER, "unreachable")
    assert str(getattr(problem, "reason", problem)) in stopped.message


@pytest.mark.parametrize(
    ("games", "said"),
    [
        ([{"name": "gatsby", "rules_version": 99}], "plays gatsby by rules version 99"),
        ([{"name": "capone", "rules_version": 1}], "plays gatsby not at all"),
    ],
)
def test_other_rules_are_told_with_both_versions(wire: Wire, games: list[dict[str, object]], said: str) -> None:
    wire.answer = json.dumps({"results": games}).encode()
    with pytest.raises(Stop, match=said) as stopped:
        Client(ANN.server).check_rules("gatsby")
    assert stopped.value.kind == "wrong_version"


@pytest.mark.parametrize("answer", [b"[]", b"{}", b'{"results": [1]}', b'{"results": [{"name": "x"}]}', b"null"])
def test_what_does_not_list_games_is_no_rumrunner(wire: Wire, answer: bytes) -> None:
    wire.answer = answer
    with pytest.raises(Stop, match="does not speak version 1"):
        Client(ANN.server).rules_versions()
