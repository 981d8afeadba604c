"""A cache that is never worth an error: while the broker is away every look-up misses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import ConnectionError, NoScriptError, RedisError

# A visitor's latest visits, newest first: notes this one and answers 0, or answers how long to wait for it.
VISIT = """
local now, period, most = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = tonumber(redis.call('LINDEX', KEYS[1], -1))
while oldest and oldest <= now - period do
  redis.call('RPOP', KEYS[1])
  oldest = tonumber(redis.call('LINDEX', KEYS[1], -1))
end
if redis.call('LLEN', KEYS[1]) >= most then return tostring(oldest + period - now) end
redis.call('LPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return '0'
"""


def near_cache() -> BaseCache:
    """The one in the process itself, where there is one: for what lives for seconds, or is large."""
    return caches["pages" if "pages" in settings.CACHES else "default"]


class OneClient(RedisCacheClient):
    """Keeps the client, which Django makes anew for every look-up: that takes longer than the look-up."""

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        kept = vars(self).setdefault("_clients", {})
        if write not in kept:
            kept[write] = super().get_client(key, write=write)
        return kept[write]


class ForgivingRedisCache(RedisCache):
    """RedisCache whose failures are misses."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient

    def _try(self, call: Callable[[], Any], otherwise: Any) -> Any:
        try:
            return call()
        except (RedisError, OSError):
            return otherwise

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._try(lambda: RedisCache.get(self, key, default, version), default)

    def get_many(self, keys: Any, version: int | None = None) -> Any:
        return self._try(lambda: RedisCache.get_many(self, keys, version), {})

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._try(lambda: RedisCache.set(self, *args, **kwargs), None)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._try(lambda: RedisCache.add(self, *args, **kwargs), True))

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._try(lambda: RedisCache.touch(self, *args, **kwargs), False))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(self._try(lambda: RedisCache.delete(self, key, version), False))

    def visit(self, key: str, *, now: float, period_s: int, most: int) -> float:
        """0, and the visit is counted, or the seconds until it may be: in one step, however many processes ask."""
        told = (self.make_and_validate_key(key), now, period_s, most)
        return float(self._try(lambda: self._counted(told), 0))

    def _counted(self, told: tuple[Any, ...]) -> Any:
        """Past the client's many layers, which take longer than the question; they are for when it went wrong."""
        script = self._visit
        pool = script.registered_client.connection_pool
        line = pool.get_connection()
        try:
            line.send_command("EVALSHA", script.sha, 1, *told)
            return line.read_response()
        except (NoScriptError, ConnectionError):  # the server or this line of it is a new one
            return script(keys=told[:1], args=told[1:])
        finally:
            pool.release(line)

    @cached_property
    def _visit(self) -> Any:
        return self._cache.get_client(None, write=True).register_script(VISIT)

    def clear(self) -> None:
        """Its own keys alone: the broker's messages are in the same database."""
        self._try(self._delete_all, None)

    def _delete_all(self) -> None:
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*", count=1000):
            client.delete(key)
