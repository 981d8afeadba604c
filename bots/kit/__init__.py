"""What a bot author takes: the bot's side of the protocol and a toolbox to search with.

from bots.kit import Bot, Turn, run

class Mine(Bot):
    def act(self, turn: Turn) -> str:
        return turn.rng.choice(turn.legal)

run(Mine())
"""

from __future__ import annotations

from bots.kit.protocol import Bot, Match, Turn, log, run
from bots.kit.search import Budget, Choice, best_by_one_step, best_by_playouts, best_by_tree, rank_utilities

__all__ = [
    "Bot",
    "Budget",
    "Choice",
    "Match",
    "Turn",
    "best_by_one_step",
    "best_by_playouts",
    "best_by_tree",
    "log",
    "rank_utilities",
    "run",
]
