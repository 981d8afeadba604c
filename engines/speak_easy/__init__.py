"""Speak Easy: 25 hidden pieces a side, and a Speakeasy to find."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from engines.api import Game, Json, Observation, Snapshot
from engines.speak_easy.imagination import imagine
from engines.speak_easy.snapshots import RULES_VERSION, check_snapshot, replay
from engines.speak_easy.state import SpeakEasyState, new_state
from engines.speak_easy.tables import PIECES_A_SIDE, PLY_LIMIT


class SpeakEasy(Game):
    """The rules of Speak Easy."""

    name = "speak_easy"
    title = "Speak Easy"
    rules_version = RULES_VERSION
    seats = range(2, 3)
    options: ClassVar[dict[str, tuple[Json, ...]]] = {}
    max_choices = PIECES_A_SIDE + PLY_LIMIT // 2

    def new(self, *, seats: int = 2, seed: int = 0, **options: Json) -> SpeakEasyState:
        self.check_setup(seats=seats, seed=seed, options=options)
        return new_state(seed)

    def restore(self, snapshot: Snapshot) -> SpeakEasyState:
        seed, first = check_snapshot(snapshot)
        return replay(SpeakEasyState(seed, first), snapshot)

    def imagine(self, observation: Observation, rng: Random) -> SpeakEasyState:
        return imagine(observation, rng)


GAME = SpeakEasy()
SpeakEasyState.game = GAME

__all__ = ["GAME"]
