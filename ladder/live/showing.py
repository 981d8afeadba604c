"""One attempt at a match as anybody may see it: public frames, made once for all who watch."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from uuid import UUID

import orjson

from arena import PUBLIC, Camera, MatchOrder, PlayedAction
from engines.api import EngineError

A_STEP = 100  # actions that are taken at once, so that one long match does not hold up the others


class Showing:
    """The frames of one attempt so far, each as the JSON that viewers get; nothing hidden ever comes into one."""

    def __init__(self, order: MatchOrder, lease: UUID) -> None:
        self.attempt = attempt_name(lease)
        self._state = order.known().new(seats=len(order.seats), seed=order.seed, **order.options)
        self._camera = Camera(PUBLIC)
        self.is_broken = False  # its actions are not those of our rules: another version plays it
        self.texts: list[str] = []
        self.frames = [self._frame(None)]

    @property
    def plies(self) -> int:
        return len(self.frames) - 1

    def take(self, texts: Iterable[str]) -> None:
        """Play on by these actions; a showing that can't follow stands still."""
        try:
            for text in texts:
                self._play(text)
        except EngineError:
            self.is_broken = True

    def _play(self, text: str) -> None:
        seat = self._state.to_act
        if self.is_broken or seat is None:
            return
        self._state.apply(self._state.parse(text))
        self.texts.append(text)
        self.frames.append(self._frame(PlayedAction(seat, text, 0.0, 0.0)))

    def _frame(self, played: PlayedAction | None) -> bytes:
        return orjson.dumps(self._camera.take(self._state, played).as_json())


def attempt_name(lease: UUID) -> str:
    """What outsiders call an attempt: it tells them apart and says nothing of the lease, which is a worker's secret."""
    return blake2b(lease.bytes, digest_size=6, person=b"attempt").hexdigest()
