"""What the watchers of one match are told: that it begins, each frame, and how it stands with it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from uuid import UUID

import orjson

from ladder.live.showing import Showing

MOST_FRAMES = 120  # in one event
SILENCE_S = 5.0
PLACE = re.compile(r"([0-9a-f]{12})\.([0-9]{1,6})")


class Phase(StrEnum):
    """How it stands with a match, for those who watch."""

    WAITING = "waiting"  # queued: not begun, or to begin anew
    PLAYING = "playing"
    SILENT = "silent"  # being played, but nothing has been heard for a while
    OVER = "over"  # played, while another match of its set is still to be
    SETTLED = "settled"  # the whole set is: everything may be seen
    OFF = "off"  # cancelled or void


LAST = (Phase.SETTLED, Phase.OFF)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """What a watcher has already: the frames of an attempt before `ply`, and the last phase it was told."""

    attempt: str = ""
    ply: int = 0
    phase: Phase | None = None

    @classmethod
    def read(cls, text: str) -> Bookmark:
        """From the id of the last event a watcher saw; anything else is the beginning."""
        found = PLACE.fullmatch(text)
        return cls(found[1], int(found[2])) if found else cls()

    def __str__(self) -> str:
        return f"{self.attempt}.{self.ply}"


@dataclass(frozen=True, slots=True)
class News:
    """One event: its name, the place a watcher has reached with it, and JSON."""

    name: str
    place: Bookmark
    data: bytes

    def as_event(self) -> bytes:
        """As a browser's EventSource reads it; JSON has no line ends of its own."""
        return b"id: %s\nevent: %s\ndata: %s\n\n" % (str(self.place).encode(), self.name.encode(), self.data)

    def as_json(self) -> bytes:
        return b'{"id":"%s","event":"%s","data":%s}' % (str(self.place).encode(), self.name.encode(), self.data)


@dataclass(slots=True, eq=False)
class Channel:
    """One match for all who watch it."""

    match_id: int
    showing: Showing | None = None
    lease: UUID | None = None
    phase: Phase | None = None  # none before it was looked up
    looked_at: float = -60.0
    heard_at: float = field(default_factory=time.monotonic)

    @property
    def is_final(self) -> bool:
        return self.phase in LAST

    @property
    def version(self) -> tuple[str, int, Phase | None]:
        """Changes whenever there is something to tell."""
        return (*((self.showing.attempt, self.showing.plies) if self.showing else ("", 0)), self.phase)

    def begin(self, showing: Showing, lease: UUID) -> None:
        self.showing, self.lease, self.heard_at = showing, lease, time.monotonic()

    def listen(self, texts: list[str] | None) -> None:
        """Take in what was heard of a running match: actions, that there were none, or nothing at all."""
        assert self.showing is not None
        now = time.monotonic()
        if texts is not None or not self.showing.plies:
            self.heard_at = now
            self.showing.take(texts or [])
        self.phase = Phase.SILENT if now - self.heard_at > SILENCE_S else Phase.PLAYING

    def news(self, place: Bookmark) -> Iterator[News]:
        """What somebody at a place has not been told, in order."""
        showing, phase = self.showing, self.phase
        if showing is not None and self.shows_frames:
            for one in _frames(showing, place):
                place = one.place
                yield one
        if phase is not None and phase != place.phase:
            yield News("phase", replace(place, phase=phase), orjson.dumps({"phase": phase}))

    @property
    def shows_frames(self) -> bool:
        """Once a set is settled its replay tells all, and one that was called off has none."""
        return self.phase in (Phase.PLAYING, Phase.SILENT, Phase.OVER)


def _frames(showing: Showing, place: Bookmark) -> Iterator[News]:
    """What follows a place; nothing yet for who has more than a process that was just started and is catching up."""
    if place.attempt != showing.attempt:
        place = replace(place, attempt=showing.attempt, ply=0)
        yield News("begin", place, orjson.dumps({"attempt": showing.attempt}))
    last = len(showing.frames)
    while place.ply < last:
        stop = min(place.ply + MOST_FRAMES, last)
        data = b"[%s]" % b",".join(showing.frames[place.ply : stop])
        place = replace(place, ply=stop)
        yield News("frames", place, data)
