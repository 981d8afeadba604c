"""What a seat may know, and what every seat may know (SE 7)."""

from __future__ import annotations

from typing import Any, Final

from engines.api import Json, Observation, check_viewer
from engines.speak_easy.actions import TEXTS, TRAVEL
from engines.speak_easy.choices import CHOICES
from engines.speak_easy.position import NOBODY, PLACE, LoggedMove, Position, ToldLog
from engines.speak_easy.scoring import outcome
from engines.speak_easy.tables import (
    BIT,
    CELL_NAMES,
    CELLS,
    CODES,
    HOMES,
    PIECES_A_SIDE,
    PLACES,
    RESULTS,
    TO_PLACE,
)

_ANYBODY = -1  # a viewer that knows only what every seat knows


def observe(state: Position, seat: Json) -> Observation:
    """Everything the seat may know as JSON values; None sees all but the seed."""
    check_viewer(seat, 2)
    return _view(state, seat)


def observe_public(state: Position) -> Observation:
    """What every seat may know: no placement, and of all pieces only the kinds that confrontations have shown."""
    return {**_view(state, _ANYBODY), "seat": None}


def _view(state: Position, viewer: int | None) -> Observation:
    _, moves, confrontations = _tell(state)
    ended = outcome(state)
    return {
        "game": state.game.name,
        "rules_version": state.game.rules_version,
        "seat": viewer,
        "seats": 2,
        "options": {},
        "phase": CHOICES[state.choice].phase,
        "pending": _pending(state),
        "to_act": state.to_act,
        "ply": state.placed + state.plies,
        "outcome": None if ended is None else ended.as_json(),
        "log": _placements(state, viewer) + moves,
        "first": state.first,
        "moves": state.plies,
        "quiet": state.quiet,
        "unplaced": [_unplaced(state, owner) if viewer in (owner, None) else None for owner in (0, 1)],
        "pieces": _pieces(state, viewer),
        "confrontations": confrontations[:],
    }


def _pending(state: Position) -> Json:
    """SE 3.6: in setup the cell to be filled; a move is one choice, so nothing is pending later."""
    if state.choice != PLACE:
        return None
    seat, order = divmod(state.placed, PIECES_A_SIDE)
    return {"place": CELL_NAMES[PLACES[seat][order]]}


def _unplaced(state: Position, seat: int) -> dict[str, int]:
    return {code: count for code, count in zip(CODES, state.unplaced[seat], strict=True) if count}


def _hidden(order: int) -> dict[str, Json]:
    """A piece as others see it when it is placed."""
    name = CELL_NAMES[HOMES[order]]
    owner = order // PIECES_A_SIDE
    return {
        "seat": owner, "home": name, "cell": name, "kind": None, "moved": False, "ran": False, "shown": False,
    }  # fmt: skip


_HIDDEN: Final = tuple(_hidden(order) for order in range(TO_PLACE))


def _pieces(state: Position, viewer: int | None) -> list[dict[str, Json]]:
    """SE 7.1: every piece placed, known by its home; an enemy's kind only when a confrontation has shown it."""
    kinds, standing = state.kinds, state.standing
    moved, ran, shown = state.moved, state.ran, state.shown
    cell_of: list[str | None] = [None] * len(CELLS)
    for cell, home in enumerate(standing):
        if home != NOBODY:
            cell_of[home] = CELL_NAMES[cell]
    known_from = 0 if viewer is None or viewer == 0 else PIECES_A_SIDE if viewer == 1 else TO_PLACE
    known_to = PIECES_A_SIDE if viewer == 0 else TO_PLACE
    seen = []
    for order in range(state.placed):
        home = HOMES[order]
        bit = BIT[home]
        piece = _HIDDEN[order].copy()
        if known_from <= order < known_to or shown & bit:
            piece["kind"] = CODES[kinds[home]]
        if (moved | shown) & bit or standing[home] != home:
            piece["cell"] = cell_of[home]
            piece["moved"] = bool(moved & bit)
            piece["ran"] = bool(ran & bit)
            piece["shown"] = bool(shown & bit)
        seen.append(piece)
    return seen


_PLACEMENT_TEXTS: Final = tuple(tuple(f"{seat} {code}" for code in CODES) for seat in (0, 1))
_HIDDEN_TEXTS: Final = tuple([f"{seat} ?"] * PIECES_A_SIDE for seat in (0, 1))
_MOVE_TEXTS: Final = tuple({action: f"{seat} {TEXTS[action]}" for action in TRAVEL} for seat in (0, 1))


def _placements(state: Position, viewer: int | None) -> list[str]:
    """What was placed, as a seat reads it; SE 7.3: enemy placements as `?`."""
    told: list[str] = []
    for placer in (0, 1):
        count = min(PIECES_A_SIDE, max(0, state.placed - placer * PIECES_A_SIDE))
        if viewer is None or viewer == placer:
            texts, kinds = _PLACEMENT_TEXTS[placer], state.kinds
            told += [texts[kinds[home]] for home in PLACES[placer][:count]]
        else:
            told += _HIDDEN_TEXTS[placer][:count]
    return told


def _tell(state: Position) -> ToldLog:
    """All moves and confrontations in words; what was told before is not spelled again."""
    last, moves, confrontations = state.told
    if last is state.log:
        return state.told
    log: Any = state.log
    happened: list[LoggedMove] = []
    while log is not last:
        log, entry = log
        happened.append(entry)
    happened.reverse()
    mover = (state.first + len(moves)) % 2  # the seats move in turns
    fresh: list[str] = []
    met: list[str] = []
    for entry in happened:
        if isinstance(entry, tuple):
            fresh.append(f"{_MOVE_TEXTS[mover][entry[0]]} {CODES[entry[1]]}x{CODES[entry[2]]}")
            met.append(_confrontation(TO_PLACE + len(moves) + len(fresh) - 1, entry))
        else:
            fresh.append(_MOVE_TEXTS[mover][entry])
        mover = 1 - mover
    state.told = (state.log, moves + fresh, confrontations + met)
    return state.told


def _confrontation(ply: int, entry: tuple[int, int, int]) -> str:
    """SE 5.1: the ply, the cells, both kinds and the result."""
    action, mover, defender = entry
    return f"{ply} {TEXTS[action]} {CODES[mover]}x{CODES[defender]} {RESULTS[mover][defender]}"
