"""Gatsby as a Game: new games, restored ones and imagined ones."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from engines.api import Game, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot, Words
from engines.gatsby.choices import ask
from engines.gatsby.deal import deal_from_seed
from engines.gatsby.imagination import fill, understand, whole_position
from engines.gatsby.snapshots import read_snapshot
from engines.gatsby.state import GatsbyState
from engines.gatsby.tables import ACTION_STEPS, BONUSES, CELLS, FLOOR_BONUS, NONE, TILES, TOP_FLOOR, printed_bonuses
from engines.gatsby.words import GatsbyWords
from engines.reading import packed, refused_as


def _most_choices() -> int:
    """A number of choices that no seat can exceed in one game; BOTS.md tells the count."""
    cells = CELLS - 1  # each takes a token once, and the first lies there from the setup
    single = sum("advance" not in steps and "swap_own" in steps for steps in ACTION_STEPS)
    turns = cells + 2 * TOP_FLOOR + single
    printed = [BONUSES[bonus] for bonus in (*printed_bonuses(_ANY_TILES), *FLOOR_BONUS) if bonus != NONE]
    in_bonuses = sum(1 + _CHOICES_OF_BONUS[letter] for letter in printed)
    in_steps = sum(_CHOICES_OF_STEP.get(step, 0) for steps in ACTION_STEPS for step in steps)
    return 2 + (turns + 1) // 2 + cells + in_bonuses + in_steps


# Choices beyond take or skip; the token of I is counted with the cells.
_CHOICES_OF_BONUS = {"X": 3, "A": 0, "I": 0, "S": 2, "F": 1, "D": 2}
_CHOICES_OF_STEP = {"exchange_first": 2, "swap_own": 2}
_ANY_TILES = tuple((tile, 0) for tile in range(len(TILES)))


class Gatsby(Game):
    """Dorothy and James gather characters at a cabaret, a finance centre and a racetrack."""

    name: ClassVar[str] = "gatsby"
    title: ClassVar[str] = "Gatsby"
    rules_version: ClassVar[int] = 2
    seats: ClassVar[range] = range(2, 3)
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = {}
    max_choices: ClassVar[int] = _most_choices()
    words: ClassVar[Words] = GatsbyWords()

    def new(self, /, *, seats: int = 2, seed: int = 0, **options: Json) -> GatsbyState:
        self.check_setup(seats=seats, seed=seed, options=options)
        deal, at, specials = deal_from_seed(seed)
        state = GatsbyState()
        state.set_up(deal=deal, at=at, specials=specials)
        ask(state)
        return state

    def restore(self, snapshot: Snapshot) -> GatsbyState:
        with refused_as(InvalidSnapshot, f"no snapshot of {self.name}"):
            view, seed = read_snapshot(snapshot)
            return whole_position(view, seed)

    def imagine(self, observation: Observation, rng: Random) -> GatsbyState:
        with refused_as(InvalidObservation, f"no observation of {self.name}"):
            return fill(understand(packed(observation)), rng, rng.getrandbits(128))


GAME = Gatsby()
GatsbyState.game = GAME
