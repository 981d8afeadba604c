"""A real broker for tests that need nothing else of a service."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from ladder.broker import broker_url, cache_url, server_command


@contextmanager
def running_valkey(data: Path) -> Iterator[str]:
    """The address of an embedded Valkey, as Celery spells it; stopped afterwards."""
    server = subprocess.Popen(server_command(data), stdout=subprocess.DEVNULL)
    try:
        _wait(cache_url(broker_url(data)))
        yield broker_url(data)
    finally:
        server.terminate()
        server.wait()


def _wait(url: str) -> None:
    until = time.monotonic() + 300
    while True:
        try:
            redis.Redis.from_url(url).ping()
            return
        except redis.RedisError:
            assert time.monotonic() < until, f"no broker at {url}"
            time.sleep(0.02)
