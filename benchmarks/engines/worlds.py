"""How long `restore` and `imagine` take with the engines on the path: a script that older trees can be asked with too.

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


def microseconds(act: Callable[[], object], passes: int) -> float:
    """The cpu time of the fastest of some passes over all positions, for each of them."""
    spent = []
    for _ in range(passes):
        gc.collect()
        began = time.process_time()
        act()
        spent.append(time.process_time() - began)
    return min(spent) / POSITIONS * 1e6


def figures(game: Game, seats: int, passes: int) -> dict[str, float]:
    """What a restored position costs, a first world, and ten worlds of one observation."""
    states = positions(game, seats)
    snapshots = [state.snapshot() for state in states]
    views = [state.observe(state.to_act) for state in states]
    rng = Random(1929)

    def imagine(worlds: int) -> None:
        for view in views:
            for _ in range(worlds):
                game.imagine(view, rng)

    return {
        "restore": microseconds(lambda: [game.restore(one) for one in snapshots], passes),
        "first world": microseconds(lambda: imagine(1), passes),
        "ten worlds": microseconds(lambda: imagine(WORLDS), passes),
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
