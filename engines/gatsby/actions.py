"""Every action of the game as an int and a text, and the lists of them that a set of cells, tracks or places gives."""

from __future__ import annotations

from collections.abc import Iterable

from engines.api import InvalidAction, Json
from engines.gatsby.tables import (
    BONUSES,
    CABARET_CELLS,
    CABARET_MASK,
    CELL_NAMES,
    CELLS,
    MAIN_AND_SPECIAL,
    PLACES,
    SPECIALS,
    TRACKS,
)
from engines.reading import short

Choices = tuple[int, ...]

PUT = len(MAIN_AND_SPECIAL)  # + cell
LANE = PUT + CELLS  # + track: its leftmost empty cell
SWAP = LANE + TRACKS  # + cell
TOUCH = SWAP + CELLS  # + place
STAY = TOUCH + len(PLACES)
EXCHANGE = STAY + 1
TAKE = EXCHANGE + 1  # + bonus
SKIP = TAKE + len(BONUSES)  # + bonus
PICK = SKIP + len(BONUSES) - SPECIALS[0]  # + special
KEEP = PICK + len(SPECIALS)  # + special
FORCE = KEEP + len(MAIN_AND_SPECIAL)  # + main action or special

TEXTS: tuple[str, ...] = (
    *MAIN_AND_SPECIAL,
    *CELL_NAMES,
    *(f"t{track + 1}" for track in range(TRACKS)),
    *(f"s:{cell}" for cell in CELL_NAMES),
    *(f"x:{place}" for place in PLACES),
    "x:stay",
    "x:swap",
    *(f"take:{bonus}" for bonus in BONUSES),
    *(f"skip:{bonus}" for bonus in BONUSES),
    *(f"pick:{MAIN_AND_SPECIAL[special]}" for special in SPECIALS),
    *(f"keep:{MAIN_AND_SPECIAL[special]}" for special in SPECIALS),
    *(f"force:{action}" for action in MAIN_AND_SPECIAL),
)
ACTION_OF_TEXT = {text: action for action, text in enumerate(TEXTS)}


def format_action(action: Json) -> str:
    """The text of an action; raises InvalidAction for anything that is no action of the game."""
    if type(action) is not int or not 0 <= action < len(TEXTS):
        raise InvalidAction(f"{short(action)} is no action of gatsby; actions are ints from 0 to {len(TEXTS) - 1}")
    return TEXTS[action]


def parse_action(text: Json) -> int:
    """The action of a text; raises InvalidAction for a text that no action has."""
    if type(text) is not str or text not in ACTION_OF_TEXT:
        raise InvalidAction(
            f"{short(text)} is no action of gatsby; texts look like M1, c23, t4, s:t12, x:F10 or take:X"
        )
    return ACTION_OF_TEXT[text]


# Lists of actions for sets of cells. A mask is read in slices, each through a table of all its values.
_SLICE = 9
_LOW = (1 << _SLICE) - 1


def _subsets(actions: Iterable[int]) -> tuple[Choices, ...]:
    """The actions of every mask over a list of them."""
    table: list[Choices] = [()]
    for action in actions:
        table += [(*smaller, action) for smaller in table]
    return tuple(table)


def _slice_tables(base: int, cells: int) -> tuple[tuple[Choices, ...], ...]:
    """For each slice of a mask of cells: the actions base + cell of every value the slice can have."""
    return tuple(_subsets(range(base + first, base + min(first + _SLICE, cells))) for first in range(0, cells, _SLICE))


_PUT_SLICES = _slice_tables(PUT, CABARET_CELLS)
_SWAP_SLICES = _slice_tables(SWAP, CELLS)
LANES = _subsets(range(LANE, LANE + TRACKS))
TAKE_OR_SKIP = tuple((TAKE + bonus, SKIP + bonus) for bonus in range(len(BONUSES)))


def put_on(cells: int) -> Choices:
    """A token on one of these cabaret cells."""
    choices: Choices = ()
    for table in _PUT_SLICES:
        choices += table[cells & _LOW]
        cells >>= _SLICE
    return choices


def swap_on(cells: int) -> Choices:
    """The token on one of these cells, swapped."""
    choices: Choices = ()
    for table in _SWAP_SLICES:
        choices += table[cells & _LOW]
        cells >>= _SLICE
    return choices


def put_on_track_cells(cells: int) -> Choices:
    """A token on exactly one of these track cells."""
    cells &= ~CABARET_MASK
    return tuple(PUT + cell for cell in range(CABARET_CELLS, CELLS) if cells >> cell & 1)
