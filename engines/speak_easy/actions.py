"""Actions as ints and texts: placements are kinds (0 to 11), moves are 12 + 60 × from + to."""

from __future__ import annotations

from typing import Final

from engines.api import InvalidAction, Json
from engines.reading import short
from engines.speak_easy.streets import FOLDS, LINES, REACH, could_travel
from engines.speak_easy.tables import BIT, CELL_NAMES, CELLS, CODES, KINDS

FIRST_MOVE: Final = len(KINDS)


def move_action(start: int, end: int) -> int:
    return FIRST_MOVE + len(CELLS) * start + end


# SE 4.1: a move is (from, to)
TRAVEL: Final = {move_action(start, end): (start, end) for start in CELLS for end in CELLS if could_travel(start, end)}
TEXTS: Final[dict[int, str]] = dict(enumerate(CODES)) | {
    action: f"{CELL_NAMES[start]}-{CELL_NAMES[end]}" for action, (start, end) in TRAVEL.items()
}
ACTIONS: Final = {text: action for action, text in TEXTS.items()}


class MovesFrom(dict[int, tuple[int, ...]]):
    """From one cell: the set of cells a piece may go to → its moves, sorted."""

    __slots__ = ("_ends",)

    def __init__(self, cell: int) -> None:
        super().__init__()
        self._ends = [(BIT[end], action) for action, (start, end) in TRAVEL.items() if start == cell]

    def __missing__(self, ends: int) -> tuple[int, ...]:
        moves = tuple([action for end, action in self._ends if ends & end])
        if len(self) < MOST_KEPT:
            self[ends] = moves
        return moves


# a Kid's runs have more sets of ends than are worth keeping; other pieces stay below this
MOST_KEPT: Final = 1024
MOVES_FROM: Final = tuple(MovesFrom(cell) for cell in CELLS)


# from, to, the two as a set, and for either of them: its street lines, its fold, and what it reaches
MoveWay = tuple[int, int, int, int, int, tuple[int, ...], int, int, tuple[int, ...]]


def _way(start: int, end: int) -> MoveWay:
    both = BIT[start] | BIT[end]
    return start, end, both, LINES[start], FOLDS[start], REACH[start], LINES[end], FOLDS[end], REACH[end]


_NO_WAY = _way(0, 0)  # of ints that are no moves
_WAY_OF = {action: _way(start, end) for action, (start, end) in TRAVEL.items()}
WAYS: Final[tuple[MoveWay, ...]] = tuple([_WAY_OF.get(action, _NO_WAY) for action in range(max(TRAVEL) + 1)])
END: Final = len(WAYS)  # past all moves
# what the moves from each cell are worked out from
AROUND: Final = tuple(zip(LINES, FOLDS, REACH, MOVES_FROM, strict=True))


def format_action(action: Json) -> str:
    """The text of an action; raises InvalidAction."""
    text = TEXTS.get(action) if type(action) is int else None
    if text is None:
        raise InvalidAction(f"{short(action)} is no action of speak_easy; actions are 0 to 11 and 12 + 60 x from + to")
    return text


def parse_action(text: Json) -> int:
    """The action of a text; raises InvalidAction."""
    action = ACTIONS.get(text) if type(text) is str else None
    if action is None:
        raise InvalidAction(f"{short(text)} is no action of speak_easy; write a kind like 'K' or a move like 'a6-a7'")
    return action
