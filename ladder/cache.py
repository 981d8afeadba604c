"""A cache that is never worth an error: while the broker is away every look-up misses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError


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

    def clear(self) -> None:
        """Its own keys alone: the broker's messages are in the same database."""
        self._try(self._delete_all, None)

    def _delete_all(self) -> None:
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*", count=1000):
            client.delete(key)
