"""What a bot author takes: the bot's side of the protocol and a toolbox to search with.

from bots.kit import Bot, Turn, run

class Mine(Bot):
    def act(self, turn: Turn) -> str:
        return turn.rng.choice(turn.legal)

run(Mine())
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bots.kit.protocol import Bot, Match, Turn, log, run

if TYPE_CHECKING:
    from bots.kit.search import Budget, SearchResult, best_by_one_step, best_by_playouts, best_by_tree, rank_utilities

__all__ = [
    "Bot",
    "Budget",
    "Match",
    "SearchResult",
    "Turn",
    "best_by_one_step",
    "best_by_playouts",
    "best_by_tree",
    "log",
    "rank_utilities",
    "run",
]


def __getattr__(name: str) -> object:
    """What searches is imported when it is first asked for, so that a bot without it starts sooner."""
    if name == "search" or name in __all__:
        search = import_module("bots.kit.search")
        return search if name == "search" else getattr(search, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
