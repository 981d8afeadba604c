"""Counts of positions by depth: a fingerprint of the rules that any change of them disturbs."""

from __future__ import annotations

from random import Random

from engines.api import State


def perft(state: State, depth: int) -> int:
    """The number of ways to take that many actions from here; a game that ends earlier counts as no way."""
    if depth == 0:
        return 1
    legal = state.legal_actions()
    if depth == 1:
        return len(legal)
    ways = 0
    for action in legal:
        after = state.copy()
        after.apply(action)
        ways += perft(after, depth - 1)
    return ways


def play_plies(state: State, plies: int, rng: Random) -> State:
    """Take that many random actions, or fewer if the game ends; the same state."""
    for _ in range(plies):
        if state.to_act is None:
            break
        state.apply(rng.choice(state.legal_actions()))
    return state
