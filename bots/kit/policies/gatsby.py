"""Gatsby turn by turn: carry a turn through to its end, choosing each step by what the table then looks like."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bots.kit.values.gatsby import lead
from engines.gatsby.actions import SKIP
from engines.gatsby.position import ACTION, EXCHANGE_FIRST, PICK, SWAP_OWN, X_FIRST, X_SECOND
from engines.gatsby.state import GatsbyState

WON = 50.0  # logits of a game that is over
# Choices that change nothing by themselves: what counts is the choice that follows, so any will do.
OPENINGS = frozenset((ACTION, X_FIRST, X_SECOND, EXCHANGE_FIRST, SWAP_OWN, PICK))


def lead_of(s: GatsbyState, seat: int) -> float:
    """How far a seat is ahead, in logits; as far as can be if it has won."""
    if s.result is None:
        return lead(s) if seat == 0 else -lead(s)
    mine, yours = s.result.ranks[seat], s.result.ranks[1 - seat]
    return WON if mine < yours else -WON if mine > yours else 0.0


def finish_turn(s: GatsbyState, seat: int, rng: Random, *, width: int) -> float:
    """Play the seat's turn to its end, in place, trying at most `width` choices a step; how far it is then ahead."""
    while s.to_act == seat:
        legal = s.legal
        if len(legal) == 1:
            s.apply(legal[0])
        elif s.choice in OPENINGS:
            s.apply(legal[int(rng.random() * len(legal))])
        else:
            s.apply(_best_step(s, seat, legal if len(legal) <= width else rng.sample(legal, width)))
    return lead_of(s, seat)


def _best_step(s: GatsbyState, seat: int, tried: Sequence[int]) -> int:
    """The choice that looks best at once; a bonus that shows its use only later is rather taken than skipped."""
    best, best_lead = tried[0], -2 * WON
    for action in tried:
        child = s.copy()
        child.apply(action)
        ahead = lead_of(child, seat)
        if ahead > best_lead or (ahead == best_lead and best >= SKIP):
            best, best_lead = action, ahead
    return best


def best_answer(s: GatsbyState, seat: int, rng: Random, *, width: int) -> float:
    """How far a seat can get ahead with its coming turn, whichever action it begins with."""
    if s.to_act != seat:
        return lead_of(s, seat)
    best = -2 * WON
    for action in s.legal:
        child = s.copy()
        child.apply(action)
        best = max(best, finish_turn(child, seat, rng, width=width))
    return best
