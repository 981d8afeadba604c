"""A server of a test keeps its port, whoever connects somewhere meanwhile."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.service import ports
from tests.service.ports import free_port


def test_no_connection_is_ever_given_the_port_of_a_server_and_no_server_that_of_another() -> None:
    lowest, highest = map(int, ports.CONNECTIONS.read_text().split())
    found = [free_port() for _ in range(50)]
    assert len(set(found)) == 50
    assert not set(found) & set(range(lowest, highest + 1))


def test_where_connections_leave_no_room_below_the_kernel_chooses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "range").write_text("1024\t65535\n")
    monkeypatch.setattr(ports, "CONNECTIONS", tmp_path / "range")
    assert free_port() > 0


def test_a_port_that_somebody_has_is_not_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        (tmp_path / "range").write_text(f"{port + 1}\t65535\n")
        monkeypatch.setattr(ports, "CONNECTIONS", tmp_path / "range")
        monkeypatch.setattr(ports, "LOWEST", port)
        assert free_port() != port
