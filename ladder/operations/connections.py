"""The web server's side of a connection: only a request that is there takes one of the few threads.

Browsers open connections ahead of need, and a class of thirty has sixty of them; somebody may also begin a request and
never end it. gunicorn gives each such connection a thread for a while, after which nobody else is served.
"""

from __future__ import annotations

import json
import selectors
import socket
import time
from functools import partial
from typing import Any

from gunicorn import util
from gunicorn.workers.gthread import TConn, ThreadWorker

from ladder.environment import read_int

SILENCE_S = 30.0  # how long a connection may say nothing, or not end what it began to say
AGAIN_S = 0.05  # a request that came in two pieces is looked at again this soon
HEADER_BYTES = 64 * 1024  # a header without an end by then is not waited for any longer than silence is
UNREAD_BYTES = (read_int("RUMRUNNER_UPLOAD_MIB") + 1) * 1024 * 1024
UNREAD_S = 5.0  # for the rest of a body that a refusal did not wait for
CODES = {400: "bad_request", 403: "forbidden", 414: "uri_too_long", 431: "headers_too_large", 500: "server_error"}
END_OF_HEADER = b"\r\n\r\n"


class Connection(TConn):  # type: ignore[misc]  # gunicorn has no types
    """A connection that is waited for, but not for ever."""

    def init(self) -> None:
        super().init()
        self.sock.settimeout(SILENCE_S)


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """Keeps new connections with the poller until the header of their first request is whole."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._begun: list[Connection] = []

    def accept(self, listener: socket.socket) -> None:
        try:
            sock, client = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        connection = Connection(self.cfg, sock, client, listener.getsockname())
        sock.setblocking(False)
        connection.timeout = time.monotonic() + SILENCE_S
        self.pending_conns.append(connection)
        self._watch(connection)

    def _watch(self, connection: Connection) -> None:
        whole = partial(self.on_pending_socket_readable, connection)
        self.poller.register(connection.sock, selectors.EVENT_READ, whole)

    def on_pending_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        if _has_whole_header(client):
            super().on_pending_socket_readable(conn, client)
        else:
            self.poller.unregister(client)
            self._begun.append(conn)

    def _keepalive_after(self, conn: Connection, keepalive: bool) -> bool:
        """Read past what was left of a body, as large as one may be: the answer has promised that the line stays."""
        return keepalive and bool(conn.parser.finish_body(time.monotonic() + UNREAD_S, UNREAD_BYTES))

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        begun, self._begun = self._begun, []
        if not self.alive:
            for connection in self.pending_conns:
                connection.timeout = 0.0  # whoever has asked nothing yet does not hold up the end
        super().wait_for_and_dispatch_events(min(timeout, AGAIN_S) if begun else timeout)
        for connection in begun:
            if connection in self.pending_conns:
                self._watch(connection)


def refuse(client: socket.socket, status: int, reason: str, message: str) -> None:
    """What no application can answer, as an address that is too long, is refused as the API refuses."""
    told = {"error": {"code": CODES.get(status, "bad_request"), "message": f"{reason}. {message}".strip()}}
    body = json.dumps(told).encode()
    head = f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/json\r\n"
    util.write_nonblock(client, f"{head}Content-Length: {len(body)}\r\n\r\n".encode("latin-1") + body)


util.write_error = refuse  # gunicorn asks nobody how its own refusals look


def _has_whole_header(client: socket.socket) -> bool:
    """Also when there is nothing to wait for any more, because the other side has gone."""
    try:
        heard = client.recv(HEADER_BYTES, socket.MSG_PEEK)
    except OSError:
        return True
    return not heard or END_OF_HEADER in heard
