"""Who moved first, second … in a match: it matters more than the number of the seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines import GAMES


def turns_of(game: str, *, seats: int, seed: int, options: Mapping[str, Any]) -> tuple[int, ...]:
    """The place of each seat in turn order, from 0; it follows from the deal."""
    rules = GAMES[game]
    order = rules.words.turn_order(rules.new(seats=seats, seed=seed, **options))
    return tuple(order.index(seat) for seat in range(seats))
