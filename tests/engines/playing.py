"""Every table of every game of the house, and fingerprints of whole games.

``python -m tests.engines.playing`` prints a digest of whole games of every setup, one line each.
"""

from __future__ import annotations

import json
from hashlib import blake2b

from engines import GAMES
from engines import playing as any_game
from engines.playing import Setup, over_the_wire, play_on, played, positions, views, walk

__all__ = [
    "ALL_SETUPS", "EDGE_SETUPS", "Setup", "digest", "is_sampled", "over_the_wire", "play_on", "played", "positions",
    "setups_of", "views", "walk",
]  # fmt: skip


def setups_of(name: str) -> list[Setup]:
    """Every number of seats with every combination of options."""
    return any_game.setups_of(GAMES[name])


ALL_SETUPS = [setup for name in sorted(GAMES) for setup in setups_of(name)]
EDGE_SETUPS = [setup for name in sorted(GAMES) for setup in any_game.edge_setups_of(GAMES[name])]


def is_sampled(setup: Setup) -> bool:
    """Whether it is of the half that has every number of seats, and every value of an option, more than once."""
    options = [setup.game.options[name].index(value) for name, value in setup.options]
    return not options or (setup.game.seats.index(setup.seats) + sum(options)) % 2 == 0


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
