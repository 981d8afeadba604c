"""A state that a seat could be in: what its observation shows, and a uniform deal of all other cards (CA 9)."""

from __future__ import annotations

from random import Random

from engines.api import Game, Json
from engines.capone.rebuild import Hidden, deal, rebuild
from engines.capone.state import CaponeState, empty_table
from engines.reading import compare, heading, or_null, packed, whole

KEPT = 64  # observations that are remembered
_understood: dict[bytes, tuple[CaponeState, Hidden]] = {}


def imagine(observation: Json, game: Game, rng: Random) -> CaponeState:
    """The table that is shown, its hidden cards dealt by chance; its future comes from the same source."""
    seed = rng.getrandbits(128)
    seen = packed(observation)
    if seen in _understood:
        table, hidden = _understood[seen]
        state = table.copy()
        deal(state, hidden, hidden.shuffled(rng))
    else:
        state = _understand(observation, seen, game, rng).copy()
    state.seed = seed
    return state


def _understand(given: Json, seen: bytes, game: Game, rng: Random) -> CaponeState:
    """One table that shows what an observation tells; a search that imagines often pays once."""
    seats, options = heading(given, game)
    seat = or_null(whole, given, "seat", 0, seats - 1)
    table = empty_table(seats=seats, seed=0, income=options["income"])
    hidden = rebuild(given, table, rng)
    shown = table.observe(seat)
    if packed(shown) != seen:
        compare(given, shown)
    if len(_understood) >= KEPT:
        _understood.clear()
    _understood[seen] = table, hidden
    return table
