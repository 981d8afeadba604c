"""The table as text, for people."""

from __future__ import annotations

from engines.api import State
from engines.speak_easy.actions import TRAVEL
from engines.speak_easy.state import NOBODY, SpeakEasyState
from engines.speak_easy.tables import (
    CELL_NAMES,
    CELL_OF,
    CODES,
    COLUMNS,
    COUNTS,
    GROUND,
    KIND_NAMES,
    KINDS,
    PIECES_A_SIDE,
    PLACES,
    RESULTS,
    ROWS,
    TO_PLACE,
)

SEATS = ("South", "North")
EMPTY = {"street": " . ", "alley": " , ", "building": "[ ]", "bar": "( )"}
WORDS = {
    "attacker": "takes {other} and stands there",
    "defender": "runs into {other} and is removed",
    "both": "meets {other}, and both are removed",
    "speakeasy": "enters the Speakeasy and wins",
}


def draw(state: State) -> str:
    """The map with all pieces face up (South's plain, North's with a dash), the pieces lost and the counters."""
    assert isinstance(state, SpeakEasyState)
    lines = ["     " + "   ".join(COLUMNS)]
    for row in range(ROWS, 0, -1):
        cells = (CELL_OF[f"{column}{row}"] for column in COLUMNS)
        lines.append((f"{row:3} " + " ".join(square(state, cell) for cell in cells)).rstrip())
        if row == ROWS // 2 + 1:
            lines.append("     |       |       |")
    lines += [f"{name} lost: {lost(state, seat) or '-'}" for seat, name in enumerate(SEATS)]
    lines.append(f"{state.plies} moves, {state.quiet} of them in a row without a removal; {whose_turn(state)}")
    return "\n".join(lines)


def square(state: SpeakEasyState, cell: int) -> str:
    home = state.standing[cell]
    if home == NOBODY:
        return EMPTY[GROUND[cell]]
    code = CODES[state.kinds[home]]
    piece = f"{code}'" if home in PLACES[1] else f"{code} "
    edge = {"building": "[", "bar": "("}.get(GROUND[cell], " ")
    return f"{edge}{piece}"


def lost(state: SpeakEasyState, seat: int) -> str:
    """The codes of the seat's pieces that were removed."""
    standing = [state.kinds[home] for home in state.standing if home in PLACES[seat]]
    gone = [COUNTS[kind] - state.unplaced[seat][kind] - standing.count(kind) for kind in KINDS]
    return " ".join(CODES[kind] for kind in KINDS for _ in range(gone[kind]))


def whose_turn(state: SpeakEasyState) -> str:
    if state.to_act is not None:
        return f"{SEATS[state.to_act]} to {'place' if state.placed < TO_PLACE else 'move'}"
    if state.winner is None:
        return f"drawn ({state.ending})"
    return f"{SEATS[state.winner]} has won ({state.ending})"


def tell(state: State, action: int) -> str:
    """What an action about to be taken does, in a sentence."""
    assert isinstance(state, SpeakEasyState)
    assert state.to_act is not None
    who = SEATS[state.to_act]
    if state.placed < TO_PLACE:
        seat, order = divmod(state.placed, PIECES_A_SIDE)
        return f"{who} places {KIND_NAMES[action]} on {CELL_NAMES[PLACES[seat][order]]}."
    start, end = TRAVEL[action]
    mover, other = state.kinds[state.standing[start]], state.standing[end]
    went = f"{who}'s {KIND_NAMES[mover]} goes from {CELL_NAMES[start]} to {CELL_NAMES[end]}"
    if other == NOBODY:
        return f"{went}."
    result = RESULTS[mover][state.kinds[other]]
    return f"{went}, {WORDS[str(result)].format(other='the ' + KIND_NAMES[state.kinds[other]])}."
