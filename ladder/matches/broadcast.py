"""Tells what is being played, action by action: a list a topic in the broker, which any number of readers follow.

Whoever plays only appends to a list in memory; a thread tells the broker a few times a second. The list is numbered
by its own length: a broker that lost it, or took something twice, is noticed at the next beat and told all of it again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache

import redis
from django.conf import settings

from ladder.broker import cache_url

PREFIX = "rumrunner:live:"
BEAT_S = 0.25
KEPT_S = 15  # a list that nobody adds to is forgotten after so long
PATIENCE_S = 1.0  # a broker that takes longer is away


class Broadcast:
    """The texts of one topic, and how many of them the broker is known to have."""

    def __init__(self, topic: str) -> None:
        self.key = f"{PREFIX}{topic}"
        self.texts: list[str] = []
        self._told = 0
        self.is_begun = False

    def tell(self) -> None:
        """Send what is new and keep the list alive; everything once more if the broker's list is not what it was."""
        self.is_begun, count = True, len(self.texts)
        try:
            if self.send(self.texts[self._told : count]) != count:
                self._send_anew(self.texts[:count])
            self._told = count
        except (redis.RedisError, OSError):
            self._told = 0  # how much arrived is not known; the next beat finds out by the length

    def send(self, fresh: Sequence[str]) -> int:
        """How long the broker's list is afterwards."""
        pipe = broker().pipeline()
        if fresh:
            pipe.rpush(self.key, *fresh)
        pipe.expire(self.key, KEPT_S)
        pipe.llen(self.key)
        return int(pipe.execute()[-1])

    def _send_anew(self, texts: Sequence[str]) -> None:
        pipe = broker().pipeline()
        pipe.delete(self.key)
        pipe.rpush(self.key, *texts)
        pipe.expire(self.key, KEPT_S)
        pipe.execute()


@contextmanager
def broadcast(topic: str) -> Iterator[list[str]]:
    """A list to append to: what is in it is told a few times a second, and once more at the end; nobody waits.

    What is over before the first beat is told to nobody: its record is there before anyone could follow.
    """
    told, over = Broadcast(topic), threading.Event()
    threading.Thread(target=follow, args=(told, over), name="broadcast", daemon=True).start()
    try:
        yield told.texts
    finally:
        over.set()


def follow(told: Broadcast, over: threading.Event) -> None:
    """Tell what is new until it is over."""
    while not over.wait(BEAT_S):
        told.tell()
    if told.is_begun:
        told.tell()


@cache
def broker() -> redis.Redis:
    """A client that gives up soon: what is live is not worth waiting for."""
    address = cache_url(settings.CELERY_BROKER_URL)
    return redis.Redis.from_url(
        address, socket_timeout=PATIENCE_S, socket_connect_timeout=PATIENCE_S, decode_responses=True
    )


def heard(starts: Mapping[str, int]) -> dict[str, list[str] | None]:
    """What each topic has from a place on; None where nothing is told, be it that the broker is away."""
    try:
        pipe = broker().pipeline(transaction=False)
        for topic, start in starts.items():
            pipe.exists(f"{PREFIX}{topic}")
            pipe.lrange(f"{PREFIX}{topic}", start, -1)
        found = pipe.execute()
    except (redis.RedisError, OSError):
        return dict.fromkeys(starts)
    return {topic: found[2 * n + 1] if found[2 * n] else None for n, topic in enumerate(starts)}
