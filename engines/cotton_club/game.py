"""1923 Cotton Club as a Game: new games, restored ones and imagined ones."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import ClassVar

from engines.api import Game, IllegalAction, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot
from engines.cotton_club.actions import FIRST_ADD, FIRST_DROP
from engines.cotton_club.deal import deal_from_seed
from engines.cotton_club.imagination import Seen, imagine_playthrough, read_observation
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
            text = json.dumps(observation, sort_keys=True)
        except (TypeError, ValueError, RecursionError) as reason:
            raise InvalidObservation(f"{quote(observation)} is not JSON: {reason}") from reason
        seen, table = _understand(text)
        return _lay_out(table, imagine_playthrough(seen, rng))


@lru_cache(maxsize=64)
def _understand(text: str) -> tuple[Seen, CottonClubState]:
    """What an observation tells, and one table that shows it; the same for every imagining, so a search pays once."""
    observation = json.loads(text)
    seen = read_observation(observation)
    try:
        table = _replay(imagine_playthrough(seen, Random(0)))
    except IllegalAction as reason:
        raise InvalidObservation(f"the log can't be played: {reason}") from reason
    _compare(table.observe(seen.seat), observation)
    return seen, table


def _lay_out(table: CottonClubState, course: Playthrough) -> CottonClubState:
    """The table with its hidden things as the play-through has them; what all see depends on none of them."""
    state = table.copy()
    state.seed, state.deal = course.seed, course.deal
    state.log = None
    hands = [list(hand) for hand in course.deal.hands]
    dropped: list[list[int]] = [[] for _ in hands]
    added: list[list[int]] = [[] for _ in hands]
    for (seat, _), action in zip(table.entries(), course.actions, strict=True):
        state.log = (state.log, seat, action)
        if action >= FIRST_DROP:
            event = action - (FIRST_ADD if action >= FIRST_ADD else FIRST_DROP)
            hands[seat].remove(event)
            (added if action >= FIRST_ADD else dropped)[seat].append(event)
    state.hands = [tuple(hand) for hand in hands]
    state.dropped = [tuple(events) for events in dropped]
    top = len(course.deal.event_pile) - state.event_pile - 1
    state.event_row = tuple(
        (by, course.deal.event_pile[top] if by is None else added[by][-1]) for by, _ in table.event_row
    )
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
