"""What the stream says of itself in the broker: that it is there, on which port, and how many watch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

import orjson
import redis
from django.conf import settings
from django.http import HttpRequest

from ladder.cache import near_cache
from ladder.matches.broadcast import PREFIX, broker

KEY = f"{PREFIX}stream"
KEPT_S = 15
REMEMBERED_S = 3


@dataclass(frozen=True, slots=True)
class StreamReport:
    """The stream as it last showed itself."""

    port: int
    spectators: int
    matches: int


def send_report(report: StreamReport) -> None:
    """Fire and forget: the next one comes in seconds."""
    try:
        broker().set(KEY, orjson.dumps(asdict(report)), ex=KEPT_S)
    except (redis.RedisError, OSError):
        return


def last_report() -> StreamReport | None:
    """None when the stream has not reported recently, or the broker is away."""
    try:
        found = broker().get(KEY)
        return StreamReport(**orjson.loads(found)) if found else None
    except (redis.RedisError, OSError, ValueError, TypeError):
        return None


def stream_address(request: HttpRequest) -> str | None:
    """Where a browser that sees this page reaches the stream; None where it can't, and asks the site instead."""
    report = near_cache().get_or_set("live-stream", lambda: last_report() or 0, REMEMBERED_S)
    if not report:
        return None
    if settings.LIVE_URL:
        return settings.LIVE_URL
    if settings.PROXIES or settings.HTTPS:
        return None  # only the proxy knows whether it lets the port through
    host = request.get_host()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return f"http://{name}:{report.port}"


def origin_of(address: str) -> str | None:
    """What a page's policy must allow for an address to be asked; None for the site's own."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else None
