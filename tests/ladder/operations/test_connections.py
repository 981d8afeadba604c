"""Connections that say nothing, or do not finish what they began, keep nobody from being served."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.harness import ROOT
from tests.service.ports import free_port

THREADS, PATIENCE_S = 2, 300
APPLICATION = """
from ladder.operations import connections
connections.SILENCE_S = {silence_s}
def application(environ, start_response):
    said = b"" if environ["PATH_INFO"] == "/unread" else environ["wsgi.input"].read()
    body = said + environ["PATH_INFO"].encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"""


@pytest.fixture(params=[1000.0])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    (tmp_path / "tiny.py").write_text(APPLICATION.format(silence_s=request.param))
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "tiny:application", "--bind", f"127.0.0.1:{port}", "--threads"]
    command += [str(THREADS), "--worker-class", "ladder.operations.connections.PatientWorker", "--no-control-socket"]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}", "RUMRUNNER_DATA": str(tmp_path / "data")}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment)
    until = time.monotonic() + PATIENCE_S
    while socket.socket().connect_ex(("127.0.0.1", port)):
        assert time.monotonic() < until
        time.sleep(0.05)
    yield process, port
    process.terminate()
    process.wait(PATIENCE_S)


def dial(port: int, *words: bytes) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    for word in words:
        line.sendall(word)
    return line


def is_hung_up_on(line: socket.socket) -> bool:
    """Wait for the end of a line; what was sent and never read makes it a reset."""
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def ask(port: int, path: str = "/hello") -> bytes:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    line.request("GET", path)
    return line.getresponse().read()


def test_many_silent_connections_leave_the_threads_to_those_who_ask(server) -> None:
    _, port = server
    silent = [dial(port) for _ in range(60)]
    silent += [dial(port, b"GET /slow HTTP/1.1\r\nHost: x\r\n") for _ in range(20)]
    assert [ask(port) for _ in range(3)] == [b"/hello"] * 3
    silent[-1].sendall(b"\r\n")
    assert silent[-1].recv(12) == b"HTTP/1.1 200"


def test_whoever_is_answered_before_the_body_was_read_may_ask_again_on_the_same_line(server) -> None:
    line = http.client.HTTPConnection("127.0.0.1", server[1], timeout=PATIENCE_S)
    for path in ("/unread", "/unread", "/read"):
        line.request("POST", path, body=b"." * 2_000_000)
        assert line.getresponse().read().endswith(path.encode())
        assert line.sock is not None


@pytest.mark.parametrize(
    ("path", "header", "status", "code"),
    [("/" + "x" * 9000, "x", 414, "uri_too_long"), ("/", "x" * 9000, 431, "headers_too_large")],
)
def test_what_the_server_itself_refuses_has_the_shape_of_the_api_s_errors(server, path, header, status, code) -> None:
    line = http.client.HTTPConnection("127.0.0.1", server[1], timeout=PATIENCE_S)
    line.request("GET", path, headers={"X-Long": header})
    answer = line.getresponse()
    assert (answer.status, answer.headers["Content-Type"]) == (status, "application/json")
    told = json.loads(answer.read())["error"]
    assert told["code"] == code
    assert told["message"].startswith(answer.reason)


short_silence = pytest.mark.parametrize("server", [1.0], indirect=True)


@short_silence
def test_what_is_never_asked_or_never_ended_is_hung_up_on(server) -> None:
    _, port = server
    beginnings = (b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000)
    assert all(is_hung_up_on(line) for line in [dial(port, words) for words in beginnings])
    assert ask(port) == b"/hello"


def test_a_request_in_pieces_is_answered(server) -> None:
    _, port = server
    line = dial(port, b"POST /parts HTTP/1.1\r\nHo")
    for word in (b"st: x\r\nContent-Length: 4\r\n", b"\r\n", b"gin", b"!"):
        time.sleep(0.1)
        line.sendall(word)
    heard = b""
    while not heard.endswith(b"gin!/parts"):
        heard += line.recv(4096)
    assert heard.startswith(b"HTTP/1.1 200")


def test_a_connection_is_used_again(server) -> None:
    _, port = server
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    for path in ("/one", "/two"):
        line.request("GET", path)
        assert line.getresponse().read() == path.encode()


@short_silence
def test_a_body_that_never_comes_ends_by_itself(server) -> None:
    _, port = server
    waiting = [dial(port, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n") for _ in range(THREADS)]
    assert ask(port) == b"/hello"
    for line in waiting:
        while line.recv(4096):
            pass


def test_the_server_stops_though_somebody_says_nothing(server) -> None:
    process, port = server
    idle = dial(port)
    assert ask(port) == b"/hello"
    process.terminate()
    assert process.wait(PATIENCE_S) == 0
    assert idle.recv(1) == b""
