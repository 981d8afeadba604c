"""Ports for servers of tests; also while one is restarted, nobody else can be given its own."""

from __future__ import annotations

import random
import socket
from contextlib import suppress
from pathlib import Path

CONNECTIONS = Path("/proc/sys/net/ipv4/ip_local_port_range")  # the kernel's own, for whoever connects somewhere
LOWEST = 10_000
TRIES = 100
_given: set[int] = set()


def free_port() -> int:
    """A TCP port of the loopback that nobody has now, below those of connections where there is room."""
    below = range(LOWEST, max(LOWEST, int(CONNECTIONS.read_text().split()[0])))
    chosen = random.SystemRandom().sample(below, min(TRIES, len(below)))
    for port in (*chosen, 0):  # 0 leaves it to the kernel
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found = int(probe.getsockname()[1])
            if found not in _given:
                _given.add(found)
                return found
    raise OSError("no TCP port of the loopback is free")
