"""A state that a seat could be in: what its observation shows, and a uniform deal of all other cards (CA 9)."""

from __future__ import annotations

import marshal
from functools import lru_cache
from random import Random

from engines.api import Game, Json
from engines.capone.rebuild import Hidden, deal, rebuild
from engines.capone.state import CaponeState, empty_table
from engines.reading import compare, heading, or_null, packed, whole


def imagine(observation: Json, game: Game, rng: Random) -> CaponeState:
    """The table that is shown, its hidden cards dealt by chance; its future comes from the same source."""
    table, hidden = _understand(packed(observation), game)
    state = table.copy()
    state.seed = rng.getrandbits(128)
    cards = list(hidden.cards)
    rng.shuffle(cards)
    deal(state, hidden, cards)
    return state


@lru_cache(maxsize=64)
def _understand(observation: bytes, game: Game) -> tuple[CaponeState, Hidden]:
    """One table that shows what an observation tells, and what it hides; a search that imagines often pays once."""
    given = marshal.loads(observation)  # noqa: S302 (it was packed by `imagine`)
    seats, options = heading(given, game)
    seat = or_null(whole, given, "seat", 0, seats - 1)
    table = empty_table(seats=seats, seed=0, income=options["income"])
    hidden = rebuild(given, table)
    shown = table.observe(seat)
    if packed(shown) != observation:
        compare(given, shown)
    return table, hidden
