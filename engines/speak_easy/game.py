"""Speak Easy as a Game: new games, restored ones and imagined ones."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from engines.api import Game, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot, Words
from engines.chance import draw
from engines.reading import refused_as
from engines.speak_easy.imagination import imagine
from engines.speak_easy.snapshots import read_snapshot
from engines.speak_easy.state import SpeakEasyState, new_state, replay
from engines.speak_easy.tables import PIECES_A_SIDE, PLY_LIMIT
from engines.speak_easy.words import SpeakEasyWords


class SpeakEasy(Game):
    """Rules of Speak Easy."""

    name: ClassVar[str] = "speak_easy"
    title: ClassVar[str] = "Speak Easy"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 3)
    options: ClassVar[dict[str, tuple[Json, ...]]] = {}
    max_choices: ClassVar[int] = PIECES_A_SIDE + PLY_LIMIT // 2
    words: ClassVar[Words] = SpeakEasyWords()
    draw_probability: ClassVar[float] = 0.05

    def new(self, /, *, seats: int = 2, seed: int = 0, **options: Json) -> SpeakEasyState:
        self.check_setup(seats=seats, seed=seed, options=options)
        return new_state(seed, first=draw(seed, "first", 2))  # SE 3.1

    def restore(self, snapshot: Snapshot) -> SpeakEasyState:
        with refused_as(InvalidSnapshot, f"no snapshot of {self.name}"):
            return replay(read_snapshot(snapshot, self))

    def imagine(self, observation: Observation, rng: Random) -> SpeakEasyState:
        with refused_as(InvalidObservation, f"no observation of {self.name}"):
            return imagine(observation, rng, self)


GAME = SpeakEasy()
SpeakEasyState.game = GAME
