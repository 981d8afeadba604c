"""The cache of a test process: what the broker does in one step is done here in Python."""

from __future__ import annotations

from django.core.cache.backends.locmem import LocMemCache


class LocalCache(LocMemCache):
    """Counts visits as ``ladder.cache.ForgivingRedisCache`` does."""

    def visit(self, key: str, *, now: float, period_s: int, most: int) -> float:
        kept = [at for at in self.get(key, []) if at > now - period_s]
        if len(kept) >= most:
            return float(kept[-1] + period_s - now)
        self.set(key, [now, *kept], period_s)
        return 0
