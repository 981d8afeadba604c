"""Speak Easy: what pieces are worth, how near they are to the enemy's Speakeasy, and what a move gains at once."""

from __future__ import annotations

from heapq import heappop, heappush

from bots.kit.values.lead import chances
from engines import State
from engines.speak_easy.actions import TRAVEL
from engines.speak_easy.position import NOBODY
from engines.speak_easy.state import SpeakEasyState
from engines.speak_easy.tables import (
    ATTACKER,
    BARS,
    BIT,
    BOTH,
    CELLS,
    CODES,
    DEFENDER,
    KINDS,
    NEIGHBOURS,
    PLACES,
    RESULTS,
    SPEAKEASY,
    STREETS,
    TO_PLACE,
)

# What it costs to lose a piece. An FBI or a Babe takes an average enemy with it; a Kid opens walls of Babes.
WORTH = {"8": 10.0, "7": 8.0, "6": 6.0, "5": 5.0, "4": 4.0, "3": 3.0, "2": 2.2, "1": 1.6, "K": 2.6, "B": 2.6, "F": 4.2}
# How eagerly a piece marches, for each cell of way: the middling go first, an FBI is kept for what is worth it.
MARCH = {"8": 0.10, "7": 0.12, "6": 0.14, "5": 0.13, "4": 0.12, "3": 0.11, "2": 0.10, "1": 0.09, "K": 0.05, "F": 0.03}
WIN = 100.0
RUN_COST = 0.5  # a cell of street costs half a step, for it is often passed in a run
FAR = 99.0  # longer than any way
LEAD_SCALE = 9.0  # a lead of two good pieces makes it three to one

_WORTH = tuple(WORTH.get(code, 0.0) for code in CODES)
_MARCH = tuple(MARCH.get(code, 0.0) for code in CODES)
BAR_CELLS = tuple(tuple(cell for cell in PLACES[seat] if BARS & BIT[cell]) for seat in (0, 1))
SEAT_OF = tuple(0 if cell < len(CELLS) // 2 else 1 for cell in CELLS)  # by home: in whose half it lies


def _distances(target: int) -> tuple[float, ...]:
    """From every cell the length of the way to a target over an empty board."""
    best = {target: 0.0}
    heap = [(0.0, target)]
    while heap:
        far, cell = heappop(heap)
        for other in NEIGHBOURS[cell]:
            on_street = STREETS & BIT[cell] and STREETS & BIT[other]
            way = far + (RUN_COST if on_street else 1.0)
            if way < best.get(other, FAR):
                best[other] = way
                heappush(heap, (way, other))
    return tuple(best[cell] for cell in CELLS)


def _exchange(mover: int, other: int) -> float:
    """What a confrontation gains the mover's seat."""
    worth = {ATTACKER: _WORTH[other], DEFENDER: -_WORTH[mover], BOTH: _WORTH[other] - _WORTH[mover], None: 0.0}
    return worth.get(RESULTS[mover][other], WIN)


DISTANCE = {bar: _distances(bar) for bars in BAR_CELLS for bar in bars}
EXCHANGE = tuple(tuple(_exchange(mover, other) for other in KINDS) for mover in KINDS)


def den(state: SpeakEasyState, seat: int) -> int:
    """The cell of a seat's Speakeasy."""
    one, other = BAR_CELLS[seat]
    return one if state.kinds[one] == SPEAKEASY else other


def gain(state: SpeakEasyState, action: int, way: tuple[float, ...]) -> float:
    """What a move brings at once: pieces won or lost, or a shorter way to the enemy's Speakeasy."""
    start, end = TRAVEL[action]
    mover, other = state.kinds[state.standing[start]], state.standing[end]
    if other == NOBODY:
        return _MARCH[mover] * (way[start] - way[end])
    return EXCHANGE[mover][state.kinds[other]]


def gains(state: SpeakEasyState) -> dict[int, float]:
    """The gain of each move of the seat to act."""
    assert state.to_act is not None
    way = DISTANCE[den(state, 1 - state.to_act)]
    return {action: gain(state, action, way) for action in state.legal}


def pressure(state: SpeakEasyState, seat: int) -> float:
    """How close a seat's pieces stand to the enemy's Speakeasy; the nearest count most."""
    way, kinds = DISTANCE[den(state, 1 - seat)], state.kinds
    total = 0.0
    for cell, home in enumerate(state.standing):
        if home != NOBODY and SEAT_OF[home] == seat and _MARCH[kinds[home]]:
            total += 1.0 / (0.5 + way[cell])
    return total


def evaluate(state: State) -> list[float]:
    """Chances by material and advance."""
    assert isinstance(state, SpeakEasyState)
    if state.placed < TO_PLACE:
        return [0.5, 0.5]
    worth = [0.0, 0.0]
    ways = (DISTANCE[den(state, 1)], DISTANCE[den(state, 0)])
    for cell, home in enumerate(state.standing):
        if home != NOBODY:
            seat, kind = SEAT_OF[home], state.kinds[home]
            worth[seat] += _WORTH[kind] - _MARCH[kind] * ways[seat][cell]
    return chances(worth, LEAD_SCALE)
