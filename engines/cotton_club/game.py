"""1923 Cotton Club as a Game: new games, restored ones and imagined ones."""

from __future__ import annotations

import json
from random import Random
from typing import ClassVar

from engines.api import Game, IllegalAction, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot
from engines.cotton_club.deal import deal_from_seed
from engines.cotton_club.imagination import imagine_playthrough
from engines.cotton_club.observation import GAME_NAME, RULES_VERSION
from engines.cotton_club.quotes import quote
from engines.cotton_club.rounds import EVENTS_DROPPED
from engines.cotton_club.snapshots import Playthrough, read_snapshot
from engines.cotton_club.state import CottonClubState
from engines.cotton_club.tables import NUMBERS


def _most_choices() -> int:
    """Drops, one event a round but the first, three pawns that all may tip off and one of Salvatore's, one bribe."""
    rounds, pawns = NUMBERS["rounds"], NUMBERS["pawns"]
    return EVENTS_DROPPED + (rounds - 1) + rounds * (2 * pawns + 1) + 1


class CottonClub(Game):
    """Rules of 1923 Cotton Club."""

    name: ClassVar[str] = GAME_NAME
    title: ClassVar[str] = "1923 Cotton Club"
    rules_version: ClassVar[int] = RULES_VERSION
    seats: ClassVar[range] = range(2, 5)
    options: ClassVar[dict[str, tuple[Json, ...]]] = {}
    max_choices: ClassVar[int] = _most_choices()

    def new(self, *, seats: int = 2, seed: int = 0, **options: Json) -> CottonClubState:
        self.check_setup(seats=seats, seed=seed, options=options)
        return CottonClubState(seats=seats, seed=seed, deal=deal_from_seed(seats=seats, seed=seed))

    def restore(self, snapshot: Snapshot) -> CottonClubState:
        try:
            return _replay(read_snapshot(snapshot))
        except IllegalAction as reason:
            raise InvalidSnapshot(f"the actions can't be played: {reason}") from reason

    def imagine(self, observation: Observation, rng: Random) -> CottonClubState:
        try:
            state = _replay(imagine_playthrough(observation, rng))
        except IllegalAction as reason:
            raise InvalidObservation(f"the log can't be played: {reason}") from reason
        _compare(state.observe(observation["seat"]), observation)
        return state


def _replay(course: Playthrough) -> CottonClubState:
    state = CottonClubState(seats=course.seats, seed=course.seed, deal=course.deal)
    for action in course.actions:
        state.apply(action)
    return state


def _compare(played: Observation, observation: Observation) -> None:
    """Raise InvalidObservation unless both are the same JSON, types included."""
    if _same(played, observation):
        return
    for field, value in played.items():
        if field not in observation:
            raise InvalidObservation(f"the field {field!r} is missing")
        if not _same(value, observation[field]):
            raise InvalidObservation(f"{field} is {quote(observation[field])}; log and shown cards say otherwise")
    raise InvalidObservation(f"unknown fields: {quote([key for key in observation if key not in played])}")


def _same(one: Json, other: Json) -> bool:
    """Whether both are the same JSON; True is not 1, and 1.0 is not 1."""
    try:
        return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return False


GAME = CottonClub()
CottonClubState.game = GAME
