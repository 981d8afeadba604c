"""Where the embedded Valkey listens: a unix socket in a folder nobody else can enter."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

LONGEST_SOCKET_PATH = 100  # the kernel takes 107 bytes


def socket_path(data: Path) -> Path:
    """The socket of the broker that belongs to a data folder, short enough for the kernel."""
    path = data / "broker" / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"rumrunner-{os.getuid()}-{name}" / "valkey.sock"


def broker_url(data: Path) -> str:
    """The embedded broker as Celery spells it."""
    return f"redis+socket://{socket_path(data)}?virtual_host=0"


def cache_url(broker: str) -> str:
    """The same server as the cache spells it, in a database of its own."""
    if broker.startswith("redis+socket://"):
        path = broker.removeprefix("redis+socket://").partition("?")[0]
        return f"unix://{path}?db=1"
    base, _, last = broker.rpartition("/")
    return f"{base}/1" if last.isdecimal() else f"{broker.rstrip('/')}/1"
