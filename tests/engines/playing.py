"""Ways to play every game of the house at random, shared by the tests of all engines.

``python -m tests.engines.playing`` prints a digest of whole games of every setup, one line each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import product
from random import Random
from typing import Any

from engines import GAMES, Game, State


@dataclass(frozen=True)
class Setup:
    """One way to sit down to a game: its name, the number of seats and the options."""

    name: str
    seats: int
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.name, str(self.seats), *(f"{key}={value}" for key, value in self.options)])

    @property
    def game(self) -> Game:
        return GAMES[self.name]

    def new(self, seed: int) -> State:
        return self.game.new(seats=self.seats, seed=seed, **dict(self.options))


def setups_of(name: str) -> list[Setup]:
    """Every number of seats with every combination of options."""
    game = GAMES[name]
    choices = [[(option, value) for value in values] for option, values in sorted(game.options.items())]
    return [Setup(name, seats, options) for seats in game.seats for options in product(*choices)]


ALL_SETUPS = [setup for name in sorted(GAMES) for setup in setups_of(name)]
# the smallest and the largest table of each game: enough where the cost is high
EDGE_SETUPS = [s for name in sorted(GAMES) for s in dict.fromkeys((setups_of(name)[0], setups_of(name)[-1]))]


@lru_cache(maxsize=256)
def played(setup: Setup, seed: int) -> tuple[int, ...]:
    """The actions of one random game."""
    state, rng, actions = setup.new(seed), Random(f"{setup}/{seed}"), []
    while state.to_act is not None:
        actions.append(rng.choice(state.legal_actions()))
        state.apply(actions[-1])
    return tuple(actions)


def walk(setup: Setup, seed: int) -> Iterator[State]:
    """The same state before each action of a random game and once more when it is over."""
    state = setup.new(seed)
    for action in played(setup, seed):
        yield state
        state.apply(action)
    yield state


def positions(setup: Setup, seed: int, count: int) -> list[State]:
    """Copies from all over one random game: the first position, the last, and others drawn between."""
    last = len(played(setup, seed))
    between = Random(f"positions/{setup}/{seed}").sample(range(1, last), min(count - 2, last - 1))
    wanted = {0, last, *between}
    return [state.copy() for ply, state in enumerate(walk(setup, seed)) if ply in wanted]


def play_on(state: State, rng: Random) -> State:
    """Random actions until the game is over; the same state."""
    while state.to_act is not None:
        state.apply(rng.choice(state.legal_actions()))
    return state


def views(state: State, seats: int) -> list[dict[str, Any]]:
    """What each seat sees, and what all eyes see."""
    return [state.observe(seat) for seat in (*range(seats), None)]


def over_the_wire(value: Any) -> Any:
    """The value as it is after a journey as JSON text."""
    return json.loads(json.dumps(value))


def digest(setup: Setup, seed: int) -> str:
    """A fingerprint of a whole random game: actions, texts, what was seen on the way, and the last snapshot."""
    told = blake2b(digest_size=16)
    for ply, (state, action) in enumerate(zip(walk(setup, seed), played(setup, seed), strict=False)):
        seen = views(state, setup.seats) if ply % 20 == 0 else None
        told.update(json.dumps([state.to_act, state.legal_actions(), state.format(action), seen]).encode())
    told.update(json.dumps([state.snapshot(), views(state, setup.seats)]).encode())
    return told.hexdigest()


def main() -> None:
    for setup in ALL_SETUPS:
        print(setup, digest(setup, 11))


if __name__ == "__main__":
    main()
