"""A file far too large, sent to a real server."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

BOUNDARY = "----boundary"


def test_a_gigabyte_is_refused_before_it_is_sent(live_server):
    address = urlsplit(live_server.url)
    head = (
        f"POST /api/v1/bots/1/versions/ HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {2**30}\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=300) as line:
        line.sendall(head.encode() + b"x" * 1000)
        answer = b""
        while not answer.endswith(b"}}"):
            answer += line.recv(65536)
    assert b" 413 " in answer.splitlines()[0]
    assert b"20 MiB" in answer
