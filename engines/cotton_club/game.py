"""1923 Cotton Club as a Game: new games, restored ones and imagined ones."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from engines.api import Game, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot, Words
from engines.cotton_club.deal import deal_from_seed
from engines.cotton_club.imagination import imagine_playthrough, lay_out, understand
from engines.cotton_club.snapshots import read_snapshot
from engines.cotton_club.state import CottonClubState, new_state, replay
from engines.cotton_club.tables import EVENTS_DROPPED, NUMBERS
from engines.cotton_club.words import CottonClubWords
from engines.reading import packed, refused_as


def _most_choices() -> int:
    """Drops, one event a round but the first, three pawns that all may tip off and one of Salvatore's, one bribe."""
    rounds, pawns = NUMBERS["rounds"], NUMBERS["pawns"]
    return EVENTS_DROPPED + (rounds - 1) + rounds * (2 * pawns + 1) + 1


class CottonClub(Game):
    """Rules of 1923 Cotton Club."""

    name: ClassVar[str] = "cotton_club"
    title: ClassVar[str] = "1923 Cotton Club"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, 5)
    options: ClassVar[dict[str, tuple[Json, ...]]] = {}
    max_choices: ClassVar[int] = _most_choices()
    words: ClassVar[Words] = CottonClubWords()
    first_ladders: ClassVar[tuple[int, ...]] = (2, 3)
    draw_probability: ClassVar[float] = 0.005

    def new(self, /, *, seats: int = 2, seed: int = 0, **options: Json) -> CottonClubState:
        self.check_setup(seats=seats, seed=seed, options=options)
        return new_state(seats=seats, seed=seed, deal=deal_from_seed(seats=seats, seed=seed))

    def restore(self, snapshot: Snapshot) -> CottonClubState:
        with refused_as(InvalidSnapshot, f"no snapshot of {self.name}"):
            return replay(read_snapshot(snapshot, self))

    def imagine(self, observation: Observation, rng: Random) -> CottonClubState:
        with refused_as(InvalidObservation, f"no observation of {self.name}"):
            seen, table = understand(packed(observation), self)
        return lay_out(table, imagine_playthrough(seen, rng))


GAME = CottonClub()
CottonClubState.game = GAME
