"""A full state a seat could be in, from its observation alone.

The log tells everything public and the seat's own placements. It is followed move by move, the enemy's unknown
kinds are drawn (SE 7.4), and the state that results must look to the seat exactly as the observation says.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from random import Random

from engines.api import Game, Json, Observation
from engines.reading import Unreadable, compare, heading, listed, require, short, whole
from engines.speak_easy.history import UNKNOWN, History
from engines.speak_easy.state import SpeakEasyState, empty_board
from engines.speak_easy.streets import reach
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
from engines.speak_easy.turns import begin_placement, begin_play, finish


def imagine(observation: Json, rng: Random, game: Game) -> SpeakEasyState:
    """A state that looks to the observing seat as the observation says; raises Unreadable."""
    seat, first, log = _read(observation, game)
    followed = _followed(first, seat, log)
    history = followed.copy()
    enemy = 1 - seat
    _fill_in(history, enemy, _draw_kinds(history, enemy, rng, stuck=_is_stuck(history, enemy, observation)))
    state = _build(history, seed=rng.getrandbits(128))
    seen = state.observe(seat)
    followed.told = state.told  # spelled once for all that are imagined from it
    if seen != observation:
        compare(observation, seen)
    return state


@lru_cache(maxsize=16)
def _followed(first: int, seat: int, log: tuple[str, ...]) -> History:
    """The history a log tells; a bot imagines many times from one observation, and its log is followed once."""
    history = History(first)
    history.follow(log, seat)
    return history


def _read(observation: Json, game: Game) -> tuple[int, int, tuple[str, ...]]:
    """The seat, the first mover and the log of an observation; the rest follows from them."""
    require(type(observation) is dict, "an observation is an object")
    heading(observation, game)
    seat, first = whole(observation, "seat", 0, 1), whole(observation, "first", 0, 1)
    log = listed(observation, "log")
    require(len(log) <= TO_PLACE + PLY_LIMIT, f"no game has {len(log)} entries in its log")
    for ply, entry in enumerate(log):
        if type(entry) is not str:
            raise Unreadable(f"expected a string, not {short(entry)}", "log", ply)
    return seat, first, tuple(log)


def _is_stuck(history: History, enemy: int, observation: Observation) -> bool | None:
    """Whether the enemy is known to have no move (SE 6.2), is known to have one, or neither is known (None)."""
    if history.placed < TO_PLACE or history.winner is not None or history.next_seat != enemy:
        return None
    outcome = observation.get("outcome")
    return type(outcome) is dict and outcome.get("ending") == "no_move"


def _homes_with_a_step(history: History, seat: int) -> int:
    """Homes of the seat's pieces that could move now, were they of a kind that moves."""
    own, enemy = history.pieces[seat], history.pieces[1 - seat]
    open_cells = ALL_CELLS & ~own & ~(enemy & BUILDINGS)
    free = [cell for cell in cells_of(own) if reach(cell, own | enemy) & open_cells]
    return mask_of(history.standing[cell] for cell in free)


def _draw_kinds(history: History, enemy: int, rng: Random, *, stuck: bool | None) -> dict[int, int]:
    """SE 7.4: a kind for each unknown piece of the enemy, uniform over all arrangements; raises Unreadable."""
    unknown = [home for home in PLACES[enemy] if history.kinds[home] == UNKNOWN]
    left = list(COUNTS)
    for home in PLACES[enemy]:
        if history.kinds[home] != UNKNOWN:
            left[history.kinds[home]] -= 1
    kinds = {home: KID for home in unknown if history.ran & BIT[home]}
    left[KID] -= len(kinds)
    require(min(left) >= 0, f"seat {enemy} has shown more pieces of a kind than it has")
    unmoved = [home for home in unknown if not history.moved & BIT[home]]
    kinds |= _draw_immobile(unmoved, left, rng, _homes_with_a_step(history, enemy), stuck)
    rest = [kind for kind in KINDS if MOBILE[kind] for _ in range(left[kind])]
    rng.shuffle(rest)
    kinds.update(zip((home for home in unknown if home not in kinds), rest, strict=True))
    return kinds


def _draw_immobile(unmoved: list[int], left: list[int], rng: Random, steps: int, stuck: bool | None) -> dict[int, int]:
    """Where the Speakeasy and the Babes are, so that the enemy has a move or has none if that is known.

    One draw is kept if it fits; otherwise all that fit are listed (168 at most) and one of them is drawn, which
    leaves every fitting arrangement equally likely.
    """
    bars = [home for home in unmoved if BARS & BIT[home]] if left[SPEAKEASY] else []
    rear = [home for home in unmoved if REAR & BIT[home]]
    has_room = left[SPEAKEASY] <= len(bars) and left[BABE] + left[SPEAKEASY] <= len(rear)
    require(has_room, "the enemy has no place left for its Speakeasy or its Babes")
    den = rng.sample(bars, left[SPEAKEASY])
    babes = rng.sample([home for home in rear if home not in den], left[BABE])
    if not _fits(steps, [*den, *babes], stuck):
        choices = [one for one in _arrangements(bars, rear, left[BABE]) if _fits(steps, [*one[0], *one[1]], stuck)]
        require(bool(choices), f"the enemy {'has' if stuck else 'has not'} a move, whatever its pieces are")
        den, babes = rng.choice(choices)
    return dict.fromkeys(den, SPEAKEASY) | dict.fromkeys(babes, BABE)


def _arrangements(bars: list[int], rear: list[int], babes: int) -> list[tuple[list[int], list[int]]]:
    """Every place of the Speakeasy, which has none left to choose without bars, with every choice of the Babes'."""
    dens = [[bar] for bar in bars] or [[]]
    return [(den, list(others)) for den in dens for others in combinations([at for at in rear if at not in den], babes)]


def _fits(steps: int, immobile: list[int], stuck: bool | None) -> bool:
    return stuck is None or stuck is not bool(steps & ~mask_of(immobile))


def _fill_in(history: History, enemy: int, kinds: dict[int, int]) -> None:
    """Write the drawn kinds of the enemy's pieces placed so far into the history."""
    for home in PLACES[enemy][: max(0, history.placed - enemy * PIECES_A_SIDE)]:
        history.kinds[home] = kinds.get(home, history.kinds[home])


def _build(history: History, *, seed: int) -> SpeakEasyState:
    """The state at the end of a history in which every kind is known."""
    state = empty_board(seed=seed, first=history.first)
    for cell, home in enumerate(history.standing):
        if home >= 0:
            state.put(0 if history.pieces[0] & BIT[cell] else 1, home, cell, history.kinds[home])
    state.kinds = history.kinds
    state.moved, state.ran, state.shown = history.moved, history.ran, history.shown
    state.placed, state.plies, state.quiet = history.placed, history.plies, history.quiet
    for seat in (0, 1):
        for home in PLACES[seat][: max(0, history.placed - seat * PIECES_A_SIDE)]:
            state.unplaced[seat][history.kinds[home]] -= 1
    state.log, state.told = history.log, history.told
    if history.winner is not None:
        finish(state, "speakeasy", winner=history.winner)
    elif history.placed < TO_PLACE:
        begin_placement(state)
    else:
        begin_play(state, history.next_seat)
    return state
