"""Ways to play any game at random: every table it can be played at, whole games, positions from all over them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random

from engines.api import Game, Json, Observation, State


@dataclass(frozen=True, slots=True)
class Setup:
    """One way to sit down to a game: the number of seats and the options."""

    game: Game
    seats: int
    options: tuple[tuple[str, Json], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.name, str(self.seats), *(f"{key}={value}" for key, value in self.options)])

    @property
    def name(self) -> str:
        return self.game.name

    def new(self, seed: int) -> State:
        return self.game.new(seats=self.seats, seed=seed, **dict(self.options))


def setups_of(game: Game) -> list[Setup]:
    """Every number of seats with every combination of options."""
    choices = [[(option, value) for value in values] for option, values in sorted(game.options.items())]
    return [Setup(game, seats, options) for seats in game.seats for options in product(*choices)]


def edge_setups_of(game: Game) -> list[Setup]:
    """The smallest and the largest table: enough where the cost is high."""
    setups = setups_of(game)
    return list(dict.fromkeys((setups[0], setups[-1])))


class EndlessGame(RuntimeError):
    """A game that goes on after more choices than it may have."""


@lru_cache(maxsize=256)
def played(setup: Setup, seed: int) -> tuple[int, ...]:
    """The actions of one random game; raises EndlessGame."""
    actions: list[int] = []
    state, rng = setup.new(seed), Random(f"{setup}/{seed}")
    while state.to_act is not None:
        if len(actions) > setup.seats * setup.game.max_choices:
            raise EndlessGame(f"the random game of seed {seed} is not over after {len(actions)} actions")
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


def views(state: State, seats: int) -> list[Observation]:
    """What each seat sees, and what all eyes see."""
    return [state.observe(seat) for seat in (*range(seats), None)]


def over_the_wire(value: Json) -> Json:
    """The value as it is after a journey as JSON text."""
    return json.loads(json.dumps(value))
