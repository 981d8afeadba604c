"""Speak Easy: ways to set up, and what an enemy who can't see through our pieces is likely to answer."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from bots.kit.values.speak_easy import DISTANCE, EXCHANGE, SEAT_OF, WIN, den, gain
from engines.speak_easy.actions import TRAVEL
from engines.speak_easy.position import NOBODY
from engines.speak_easy.state import SpeakEasyState
from engines.speak_easy.tables import BIT, PIECES_A_SIDE

# Rows 1 to 6 as South sees them; buildings hold nothing at the start, so the rows have 5, 5, 3, 4, 3 and 5 pieces.
# All wall the Speakeasy in with Babes, keep an FBI behind the front, and the strong one row behind the crossings.
LAYOUTS = (
    "BSB12 3BKF4 5K1 6214 8F7 5362K",
    "BSBF1 4B2K3 6F1 5217 8K6 4532K",
    "BSBK2 3BF12 4F6 31K5 7K8 62541",
    "FSB11 BB3K2 4K5 6F23 827 6514K",
)
HOPE = 12.0  # what hitting the Speakeasy by luck counts when an attack on a hidden piece is weighed


def layout(bot_seed: int) -> str:
    """One of the layouts, perhaps mirrored: 25 codes in the order of the questions, the same for the same seed."""
    rng = Random(bot_seed)
    rows = rng.choice(LAYOUTS).split()
    return "".join(row[::-1] for row in rows) if rng.random() < 0.5 else "".join(rows)


def next_placement(observation: dict[str, list[object]], bot_seed: int) -> str:
    """The kind to place now; both seats place all their pieces in one go."""
    return layout(bot_seed)[len(observation["pieces"]) % PIECES_A_SIDE]


class Looks(NamedTuple):
    """What attacking a hidden piece of ours seems worth to each kind of enemy, if it never moved and if it did."""

    unmoved: tuple[float, ...]
    moved: tuple[float, ...]


def looks_of(state: SpeakEasyState, seat: int) -> Looks:
    """How a seat's hidden pieces look from outside: each like the average of those that could be it."""
    kinds: tuple[list[int], list[int]] = ([], [])
    for home in state.standing:
        if home != NOBODY and SEAT_OF[home] == seat and not state.shown & BIT[home]:
            kinds[bool(state.moved & BIT[home])].append(state.kinds[home])
    return Looks(*(_average(group) for group in kinds))


def _average(kinds: list[int]) -> tuple[float, ...]:
    return tuple(sum(min(row[kind], HOPE) for kind in kinds) / max(1, len(kinds)) for row in EXCHANGE)


def likely_answer(state: SpeakEasyState, looks: Looks) -> tuple[int, float]:
    """The move that looks best to the seat to act, and what it really gains; a move that wins is always found."""
    assert state.to_act is not None
    way = DISTANCE[den(state, 1 - state.to_act)]
    best, best_look, best_gain = state.legal[0], -WIN, 0.0
    for action in state.legal:
        start, end = TRAVEL[action]
        look = gained = gain(state, action, way)
        target = state.standing[end]
        if target != NOBODY and gained < WIN and not state.shown & BIT[target]:
            look = looks[bool(state.moved & BIT[target])][state.kinds[state.standing[start]]]
        if look > best_look:
            best, best_look, best_gain = action, look, gained
    return best, best_gain
