"""What a seat may know, and what every seat may know (SE 7)."""

from __future__ import annotations

from engines.api import Json, Observation, check_viewer
from engines.log import entries
from engines.speak_easy.actions import FIRST_MOVE, TEXTS
from engines.speak_easy.choices import CHOICES
from engines.speak_easy.position import NOBODY, PLACE, Entry, Position
from engines.speak_easy.scoring import outcome
from engines.speak_easy.tables import BIT, CELL_NAMES, CELLS, CODES, PIECES_A_SIDE, PLACES, RESULTS, TO_PLACE

_ANYBODY = -1  # a viewer that knows only what every seat knows


def observe(state: Position, seat: Json) -> Observation:
    """Everything the seat may know as JSON values; None sees all but the seed."""
    check_viewer(seat, 2)
    return _view(state, seat)


def observe_public(state: Position) -> Observation:
    """What every seat may know: no placement, and of all pieces only the kinds that confrontations have shown."""
    return {**_view(state, _ANYBODY), "seat": None}


def _view(state: Position, viewer: int | None) -> Observation:
    happened = entries(state.log)
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
        "log": _log(state, happened, viewer),
        "first": state.first,
        "moves": state.plies,
        "quiet": state.quiet,
        "unplaced": [_unplaced(state, owner) if viewer in (owner, None) else None for owner in (0, 1)],
        "pieces": _pieces(state, viewer),
        "confrontations": _confrontations(happened),
    }


def _pending(state: Position) -> Json:
    """SE 3.6: in setup the cell to be filled; a move is one choice, so nothing is pending later."""
    if state.choice != PLACE:
        return None
    seat, order = divmod(state.placed, PIECES_A_SIDE)
    return {"place": CELL_NAMES[PLACES[seat][order]]}


def _unplaced(state: Position, seat: int) -> dict[str, int]:
    return {code: count for code, count in zip(CODES, state.unplaced[seat], strict=True) if count}


def _pieces(state: Position, viewer: int | None) -> list[dict[str, Json]]:
    """SE 7.1: every piece placed, known by its home; an enemy's kind only when a confrontation has shown it."""
    cell_of: list[str | None] = [None] * len(CELLS)
    for cell, home in enumerate(state.standing):
        if home != NOBODY:
            cell_of[home] = CELL_NAMES[cell]
    kinds, moved, ran, shown = state.kinds, state.moved, state.ran, state.shown
    seen = []
    for order in range(state.placed):
        owner = order // PIECES_A_SIDE
        home = PLACES[owner][order % PIECES_A_SIDE]
        bit = BIT[home]
        seen.append(
            {
                "seat": owner,
                "home": CELL_NAMES[home],
                "cell": cell_of[home],
                "kind": CODES[kinds[home]] if shown & bit or viewer == owner or viewer is None else None,
                "moved": bool(moved & bit),
                "ran": bool(ran & bit),
                "shown": bool(shown & bit),
            }
        )
    return seen


class _MoveTexts(dict[Entry, str]):
    """What a seat's moves read like: `1 a6-a7`, or `1 a6-a7 8x3` for a confrontation (spelled when asked for)."""

    __slots__ = ("_seat",)

    def __init__(self, seat: int) -> None:
        super().__init__({action: f"{seat} {TEXTS[action]}" for action in TEXTS if action >= FIRST_MOVE})
        self._seat = seat

    def __missing__(self, entry: Entry) -> str:
        assert type(entry) is tuple
        action, mover, defender = entry
        return f"{self._seat} {TEXTS[action]} {CODES[mover]}x{CODES[defender]}"


_PLACEMENT_TEXTS = tuple(tuple(f"{seat} {code}" for code in CODES) for seat in (0, 1))
_MOVE_TEXTS = (_MoveTexts(0), _MoveTexts(1))


def _log(state: Position, happened: list[Entry], viewer: int | None) -> list[str]:
    """The log as a seat reads it; SE 7.3: enemy placements as `?`."""
    told = []
    for placer in (0, 1):
        homes = PLACES[placer][: max(0, state.placed - placer * PIECES_A_SIDE)]
        texts = _PLACEMENT_TEXTS[placer]
        if viewer in (placer, None):
            told += [texts[state.kinds[home]] for home in homes]
        else:
            told += [f"{placer} ?"] * len(homes)
    told += [""] * (len(happened) - len(told))
    for turn in (0, 1):  # the seats move in turns
        spell = _MOVE_TEXTS[(state.first + turn) % 2].__getitem__
        told[TO_PLACE + turn :: 2] = map(spell, happened[TO_PLACE + turn :: 2])
    return told


def _confrontations(happened: list[Entry]) -> list[str]:
    """SE 5.1: every confrontation with the ply, the cells, both kinds and the result."""
    return [
        f"{ply} {TEXTS[entry[0]]} {CODES[entry[1]]}x{CODES[entry[2]]} {RESULTS[entry[1]][entry[2]]}"
        for ply, entry in enumerate(happened)
        if type(entry) is tuple
    ]
