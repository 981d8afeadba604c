"""Capone as a Game: new games, restored ones and imagined ones."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from engines.api import Game, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot, Words
from engines.capone.imagination import imagine
from engines.capone.scoring import INCOME
from engines.capone.snapshots import read_snapshot
from engines.capone.state import CaponeState, empty_table
from engines.capone.tables import MOST_SEATS, YEAR_LIMIT
from engines.capone.turns import begin
from engines.capone.words import CaponeWords
from engines.reading import heading, refused_as, seed


class Capone(Game):
    """Three to six families, one million to launder."""

    name: ClassVar[str] = "capone"
    title: ClassVar[str] = "Capone"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(3, MOST_SEATS + 1)
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = {"income": tuple(INCOME)}
    # A bound for one seat in one year:
    #   6 in the exchange (5 returns and done);
    #   3 in each of 5 turns (card, place, guards; every other card asks for less);
    #   14 puts: a put takes a member from home to a site, and within a year members come back home only by the one
    #     Takeover card (at most the 6 members a site can hold, CA 4.4) and by bails, counted below; 8 + 6 = 14;
    #   2 in the settlement (rehire, invest).
    # That is 37 a year for 40 years. Bails: each frees a member arrested by the one FBI card of a year, so there are
    # at most 40 in a game, each with one more put at most: 80. 40 * 37 + 80 = 1560.
    max_choices: ClassVar[int] = YEAR_LIMIT * (6 + 5 * 3 + 14 + 2) + YEAR_LIMIT * 2
    words: ClassVar[Words] = CaponeWords()
    first_ladders: ClassVar[tuple[int, ...]] = (4,)
    draw_probability: ClassVar[float] = 0.005

    def new(self, /, *, seats: int = 4, seed: int = 0, **options: Json) -> CaponeState:
        chosen = self.check_setup(seats=seats, seed=seed, options=options)
        state = empty_table(seats=seats, seed=seed, income=chosen["income"])
        begin(state)
        return state

    def restore(self, snapshot: Snapshot) -> CaponeState:
        with refused_as(InvalidSnapshot, f"no snapshot of {self.name}"):
            seats, options = heading(snapshot, self)
            state = empty_table(seats=seats, seed=seed(snapshot, "seed"), income=options["income"])
            read_snapshot(snapshot, state)
            return state

    def imagine(self, observation: Observation, rng: Random) -> CaponeState:
        with refused_as(InvalidObservation, f"no observation of {self.name}"):
            return imagine(observation, self, rng)


GAME = Capone()
CaponeState.game = GAME
