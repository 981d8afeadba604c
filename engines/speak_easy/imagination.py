"""A full state a seat could be in, from its observation alone.

The log tells everything public and the seat's own placements. It is followed move by move, the enemy's unknown
kinds are drawn (SE 7.4), and the state that results must look to the seat exactly as the observation says.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

from engines.api import InvalidObservation, Observation
from engines.speak_easy.history import UNKNOWN, History
from engines.speak_easy.log import chain
from engines.speak_easy.snapshots import RULES_VERSION
from engines.speak_easy.state import SpeakEasyState
from engines.speak_easy.streets import LINES, REACH
from engines.speak_easy.tables import (
    ALL_CELLS,
    BABE,
    BARS,
    BIT,
    BUILDINGS,
    COUNTS,
    KID,
    KINDS,
    MOBILE,
    PIECES_A_SIDE,
    PLACES,
    PLY_LIMIT,
    REAR,
    SPEAKEASY,
    TO_PLACE,
    cells_of,
    mask_of,
)


def imagine(observation: Observation, rng: Random) -> SpeakEasyState:
    """A state that looks to the observing seat as the observation says; raises InvalidObservation."""
    seat, first, log = read(observation)
    history = followed(first, seat, tuple(log)).copy()
    fill_in(history, 1 - seat, draw_kinds(history, 1 - seat, rng, stuck=is_stuck(history, 1 - seat, observation)))
    state = build(history, seed=rng.getrandbits(128))
    compare(state.observe(seat), observation)
    return state


@lru_cache(maxsize=16)
def followed(first: int, seat: int, log: tuple[str, ...]) -> History:
    """The history a log tells; a bot imagines many times from one observation, and its log is followed once."""
    history = History(first)
    history.follow(log, seat)
    return history


def read(observation: Any) -> tuple[int, int, list[str]]:
    """The seat, the first mover and the log of an observation; the rest follows from them."""
    if type(observation) is not dict:
        raise InvalidObservation(f"an observation is an object, not {observation!r:.80}")
    for field, expected in (("game", "speak_easy"), ("rules_version", RULES_VERSION)):
        if observation.get(field) != expected:
            raise InvalidObservation(f"{field} is {observation.get(field)!r:.80}; this engine reads {expected!r}")
    seat, first, log = (observation.get(field) for field in ("seat", "first", "log"))
    for field, value in (("seat", seat), ("first", first)):
        if type(value) is not int or value not in (0, 1):
            raise InvalidObservation(f"{field} is {value!r:.80}; it is 0 or 1")
    if type(log) is not list or not all(type(text) is str for text in log):
        raise InvalidObservation(f"log is {log!r:.80}; it is a list of strings")
    if len(log) > TO_PLACE + PLY_LIMIT:
        raise InvalidObservation(f"log has {len(log)} entries; no game has more than {TO_PLACE + PLY_LIMIT}")
    return seat, first, log  # type: ignore[return-value]


def is_stuck(history: History, enemy: int, observation: Observation) -> bool | None:
    """Whether the enemy is known to have no move (SE 6.2), is known to have one, or neither is known (None)."""
    if history.placed < TO_PLACE or history.winner is not None or history.next_seat != enemy:
        return None
    outcome = observation.get("outcome")
    return type(outcome) is dict and outcome.get("ending") == "no_move"


def homes_with_a_step(history: History, seat: int) -> int:
    """Homes of the seat's pieces that could move now, were they of a kind that moves."""
    own, enemy = history.pieces[seat], history.pieces[1 - seat]
    open_cells = ALL_CELLS & ~own & ~(enemy & BUILDINGS)
    free = [cell for cell in cells_of(own) if REACH[cell][(own | enemy) & LINES[cell]] & open_cells]
    return mask_of(history.standing[cell] for cell in free)


def draw_kinds(history: History, enemy: int, rng: Random, *, stuck: bool | None) -> dict[int, int]:
    """SE 7.4: a kind for each unknown piece of the enemy, uniform over all arrangements; raises InvalidObservation."""
    unknown = [home for home in PLACES[enemy] if history.kinds[home] == UNKNOWN]
    left = list(COUNTS)
    for home in PLACES[enemy]:
        if history.kinds[home] != UNKNOWN:
            left[history.kinds[home]] -= 1
    kinds = {home: KID for home in unknown if history.ran & BIT[home]}
    left[KID] -= len(kinds)
    if min(left) < 0:
        raise InvalidObservation(f"seat {enemy} has shown more pieces of a kind than it has")
    unmoved = [home for home in unknown if not history.moved & BIT[home]]
    kinds |= draw_immobile(unmoved, left, rng, homes_with_a_step(history, enemy), stuck)
    rest = [kind for kind in KINDS if MOBILE[kind] for _ in range(left[kind])]
    rng.shuffle(rest)
    kinds.update(zip((home for home in unknown if home not in kinds), rest, strict=True))
    return kinds


def draw_immobile(unmoved: list[int], left: list[int], rng: Random, steps: int, stuck: bool | None) -> dict[int, int]:
    """Where the Speakeasy and the Babes are, so that the enemy has a move or has none if that is known.

    One draw is kept if it fits; otherwise all that fit are listed (168 at most) and one of them is drawn, which
    leaves every fitting arrangement equally likely.
    """
    bars = [home for home in unmoved if BARS & BIT[home]] if left[SPEAKEASY] else []
    rear = [home for home in unmoved if REAR & BIT[home]]
    if left[SPEAKEASY] > len(bars) or left[BABE] + left[SPEAKEASY] > len(rear):
        raise InvalidObservation("the enemy has no place left for its Speakeasy or its Babes")
    den = rng.sample(bars, left[SPEAKEASY])
    babes = rng.sample([home for home in rear if home not in den], left[BABE])
    if not fits(steps, [*den, *babes], stuck):
        dens = [[bar] for bar in bars] or [[]]
        choices = [
            (den, babes)
            for den in dens
            for babes in combinations([home for home in rear if home not in den], left[BABE])
            if fits(steps, [*den, *babes], stuck)
        ]
        if not choices:
            raise InvalidObservation(f"the enemy {'has' if stuck else 'has not'} a move, whatever its pieces are")
        den, babes = rng.choice(choices)  # type: ignore[assignment]
    return dict.fromkeys(den, SPEAKEASY) | dict.fromkeys(babes, BABE)


def fits(steps: int, immobile: list[int], stuck: bool | None) -> bool:
    return stuck is None or stuck is not bool(steps & ~mask_of(immobile))


def fill_in(history: History, enemy: int, kinds: dict[int, int]) -> None:
    """Write the drawn kinds of the enemy's pieces placed so far into the history."""
    start = enemy * PIECES_A_SIDE
    for order, home in enumerate(PLACES[enemy][: max(0, history.placed - start)]):
        history.kinds[home] = kinds.get(home, history.kinds[home])
        history.happened[start + order] = history.kinds[home]


def build(history: History, *, seed: int) -> SpeakEasyState:
    """The state at the end of a history in which every kind is known."""
    state = SpeakEasyState(seed, history.first)
    for cell, home in enumerate(history.standing):
        if home >= 0:
            state.put(0 if history.pieces[0] & BIT[cell] else 1, home, cell, history.kinds[home])
    state.kinds = history.kinds
    state.moved, state.ran, state.shown = history.moved, history.ran, history.shown
    state.placed, state.plies, state.quiet = history.placed, history.plies, history.quiet
    for order, kind in enumerate(history.happened[:TO_PLACE]):
        state.unplaced[order // PIECES_A_SIDE][kind] -= 1  # type: ignore[index]
    state.log = chain(history.happened)
    if history.winner is not None:
        state.finish("speakeasy", winner=history.winner)
    elif history.placed < TO_PLACE:
        state.begin_placement()
    else:
        state.begin_play(history.next_seat)
    return state


def compare(seen: Observation, observation: Observation) -> None:
    """Every field must be what the seat would see; raises InvalidObservation."""
    if seen == observation:
        return
    for field, value in seen.items():
        if field not in observation:
            raise InvalidObservation(f"the field {field!r} is missing")
        if observation[field] != value:
            raise InvalidObservation(f"{field} is {observation[field]!r:.80}, but its log makes it {value!r:.80}")
    raise InvalidObservation(f"unknown fields {sorted(map(str, set(observation) - set(seen)))!r:.80}")
