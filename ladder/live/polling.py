"""The news of a match for browsers that cannot reach the stream: from channels kept in this process."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from ladder.live.channels import Bookmark, Channel
from ladder.live.reception import refresh

MOST = 64
FRESH_S = 0.4
_lock = threading.Lock()
CHANNELS: OrderedDict[int, tuple[Channel, float]] = OrderedDict()


def news_after(match_id: int, after: str) -> bytes:
    """All that somebody at a place has not been told, as JSON; may raise DatabaseError."""
    place = Bookmark.read(after)
    with _lock:
        channel = _channel(match_id)
        told = [one.as_json() for one in channel.news(place)]
    return b'{"events":[%s]}' % b",".join(told)


def _channel(match_id: int) -> Channel:
    """The channel of a match, not older than a moment; the one that nobody asked for longest makes room."""
    channel, at = CHANNELS.pop(match_id, (Channel(match_id), -1.0))
    if time.monotonic() - at > FRESH_S:
        refresh([channel])
        at = time.monotonic()
    CHANNELS[match_id] = (channel, at)
    while len(CHANNELS) > MOST:
        CHANNELS.popitem(last=False)
    return channel
