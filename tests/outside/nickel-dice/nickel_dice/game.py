"""Nickel Dice as a Game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

from engines.api import Game, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot, Words
from engines.chance import draw
from engines.reading import (
    Unreadable,
    compare,
    fields,
    heading,
    listed,
    names,
    refused_as,
    require,
    text,
    whole,
    within,
)
from engines.reading import (
    seed as seed_at,
)
from nickel_dice.state import BID, FACES, INTS, KEEP, MOST_SEATS, DiceState
from nickel_dice.words import DiceWords

SNAPSHOT_FIELDS = ("game", "rules_version", "seats", "options", "seed", "first", "rolled", "actions")
Dice = tuple[int, int]


class NickelDice(Game):
    """Rules of Nickel Dice."""

    name: ClassVar[str] = "nickel_dice"
    title: ClassVar[str] = "Nickel Dice"
    rules_version: ClassVar[int] = 1
    seats: ClassVar[range] = range(2, MOST_SEATS + 1)
    options: ClassVar[Mapping[str, tuple[Json, ...]]] = {}
    max_choices: ClassVar[int] = 1 + FACES + 1  # a die to keep, at most every bid of its turn, a doubt
    words: ClassVar[Words] = DiceWords()
    first_ladders: ClassVar[tuple[int, ...]] = (2, 3)

    def new(self, *, seats: int = 2, seed: int = 0, **options: Json) -> DiceState:
        self.check_setup(seats=seats, seed=seed, options=options)
        rolled = tuple((_roll(seed, f"{seat}/a"), _roll(seed, f"{seat}/b")) for seat in range(seats))
        return DiceState(seed=seed, first=draw(seed, "first", seats), rolled=rolled)

    def restore(self, snapshot: Snapshot) -> DiceState:
        with refused_as(InvalidSnapshot, f"no snapshot of {self.name}"):
            given = fields({"snapshot": snapshot}, "snapshot", SNAPSHOT_FIELDS)
            seats, _ = heading(given, self)
            rolled = tuple(_dice(given, seat) for seat in range(len(listed(given, "rolled", seats))))
            first = whole(given, "first", 0, seats - 1)
            state = DiceState(seed=seed_at(given, "seed"), first=first, rolled=rolled)
            return _played(state, names(given, "actions", INTS))

    def imagine(self, observation: Observation, rng: Random) -> DiceState:
        with refused_as(InvalidObservation, f"no observation of {self.name}"):
            require(type(observation) is dict, "an observation is an object")
            seats, _ = heading(observation, self)
            seat = whole(observation, "seat", 0, seats - 1)
            log = _log(observation, seats)
            kept = [_kept(observation, owner, log) for owner in range(seats)]
            rolled = tuple(_dice(observation, seat) if o == seat else _imagined(kept[o], rng) for o in range(seats))
            first = log[0][0] if log else whole(observation, "to_act", 0, seats - 1)
            state = DiceState(seed=rng.getrandbits(128), first=first, rolled=rolled)
            secrets = [rng.choice(dice) if known is None else known for dice, known in zip(rolled, kept, strict=True)]
            _played(state, [KEEP + secrets[actor] - 1 if action is None else action for actor, action in log])
            compare(observation, state.observe(seat))
            return state


def _roll(seed: int, label: str) -> int:
    return 1 + draw(seed, f"die/{label}", FACES)


def _played(state: DiceState, actions: list[int] | tuple[int, ...]) -> DiceState:
    for action in actions:
        state.apply(action)
    return state


def _dice(given: Json, seat: int) -> Dice:
    rows = listed(given, "rolled")
    with within("rolled"):
        dice = listed(rows, seat, 2)
        with within(seat):
            return whole(dice, 0, 1, FACES), whole(dice, 1, 1, FACES)


def _imagined(kept: int | None, rng: Random) -> Dice:
    """Two dice that nobody else saw; a kept one that the end has shown is among them."""
    one, other = 1 + rng.randrange(FACES), 1 + rng.randrange(FACES)
    return (kept or one, other)


def _log(observation: Json, seats: int) -> list[tuple[int, int | None]]:
    """Who did what; None where it was not seen."""
    lines = listed(observation, "log")
    done: list[tuple[int, int | None]] = []
    for place in range(len(lines)):
        with within("log"):
            actor, _, words = text(lines, place).partition(" ")
            if actor not in ("0", "1", "2")[:seats] or (words not in INTS and words != "keep ?"):
                raise Unreadable("is no seat and action", place)
        done.append((int(actor), INTS.get(words)))
    return done


def _kept(observation: Json, seat: int, log: list[tuple[int, int | None]]) -> int | None:
    """The face under a seat's cup, None if it is not known."""
    own = [action for actor, action in log if actor == seat and action is not None and action < BID]
    if own:
        return own[0] - KEEP + 1
    is_over = observation.get("phase") == "over"
    with within("kept"):
        return whole(listed(observation, "kept", None), seat, 1, FACES) if is_over else None


GAME = NickelDice()
DiceState.game = GAME
