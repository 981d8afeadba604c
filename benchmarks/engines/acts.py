"""How long a move, `restore` and `imagine` take with the engines on the path: a script for older trees too.

It imports nothing but the engines' contract, which earlier commits have as well, and prints JSON.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterable
from random import Random

from engines import GAMES, Game, State

POSITIONS = 96  # more than any game remembers, so that a pass over all of them finds nothing remembered
WORLDS = 10
MOVES_IN = 6  # games


def positions(game: Game, seats: int) -> list[State]:
    """Every seventh position of random games, as many as are wanted."""
    rng = Random(1923)
    found: list[State] = []
    while len(found) < POSITIONS:
        state = game.new(seats=seats, seed=rng.getrandbits(64))
        ply = 0
        while state.to_act is not None and len(found) < POSITIONS:
            if ply % 7 == 0:
                found.append(state.copy())
            state.apply(rng.choice(state.legal_actions()))
            ply += 1
    return found


def microseconds(act: Callable[[], object], passes: int, times: int) -> float:
    """The cpu time of the fastest of some passes, for each of the times that something is done in it."""
    spent = []
    for _ in range(passes):
        gc.collect()
        began = time.process_time()
        act()
        spent.append(time.process_time() - began)
    return min(spent) / times * 1e6


def play_randomly(game: Game, seats: int) -> int:
    """Whole games by random moves, the same in every tree; how many moves they took."""
    rng, moves = Random(1920), 0
    for seed in range(MOVES_IN):
        state = game.new(seats=seats, seed=seed)
        while state.to_act is not None:
            legal = state.legal_actions()
            state.apply(legal[int(rng.random() * len(legal))])
            moves += 1
    return moves


def figures(game: Game, seats: int, passes: int) -> dict[str, float]:
    """What a move with its legal actions costs, a restored position, a first world, and ten worlds of one view."""
    states = positions(game, seats)
    snapshots = [state.snapshot() for state in states]
    views = [state.observe(state.to_act) for state in states]
    rng = Random(1929)

    def imagine(worlds: int) -> None:
        for view in views:
            for _ in range(worlds):
                game.imagine(view, rng)

    moves = play_randomly(game, seats)
    return {
        "move": microseconds(lambda: play_randomly(game, seats), passes, moves),
        "restore": microseconds(lambda: [game.restore(one) for one in snapshots], passes, POSITIONS),
        "first world": microseconds(lambda: imagine(1), passes, POSITIONS),
        "ten worlds": microseconds(lambda: imagine(WORLDS), passes, POSITIONS),
    }


def measure(names: Iterable[str], passes: int) -> dict[str, dict[str, float]]:
    """The figures of each game with its smallest and its largest number of seats."""
    tables = [(GAMES[name], seats) for name in names for seats in sorted({GAMES[name].seats[0], GAMES[name].seats[-1]})]
    return {f"{game.name}-{seats}": figures(game, seats, passes) for game, seats in tables}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--passes", type=int, default=3)
    wanted = parser.parse_args()
    print(json.dumps(measure(wanted.games, wanted.passes)))
