"""Positions set up by hand."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from engines.speak_easy.state import SpeakEasyState, empty_board, new_state
from engines.speak_easy.tables import CELL_OF, CODES, KIND_OF, PLACES, TO_PLACE, side
from engines.speak_easy.turns import begin_play

# legal placements in the order of SE 3.6: rear row, next row, the three rows with buildings, front row
SOUTH = "BFBSB" + "KKK11" + "122" + "2F33" + "445" + "56678"
NORTH = "BSBFB" + "KKK11" + "122" + "2F33" + "445" + "87665"


def position(south: str, north: str, *, to_act: int = 0, quiet: int = 0, moves: int = 0) -> SpeakEasyState:
    """A table with only these pieces, such as `8@a6 K@c2`; each gets some home of its seat."""
    state = empty_board(seed=0, first=to_act)
    state.placed, state.quiet, state.plies = TO_PLACE, quiet, moves
    for seat, pieces in ((0, south), (1, north)):
        for home, piece in zip(reversed(PLACES[seat]), pieces.split(), strict=False):
            code, _, cell = piece.partition("@")
            state.put(seat, home, CELL_OF[cell], KIND_OF[code])
    begin_play(state, to_act)
    return state


def placed(south: str = SOUTH, north: str = NORTH, *, first: int = 0) -> SpeakEasyState:
    """A game in which both seats have placed as told."""
    state = new_state(seed=0, first=first)
    for code in south + north:
        state.apply(state.parse(code))
    return state


def play(state: SpeakEasyState, *texts: str) -> SpeakEasyState:
    """Take some actions by their texts; the same state."""
    for text in texts:
        state.apply(state.parse(text))
    return state


def moves_from(state: SpeakEasyState, cell: str) -> set[str]:
    """The cells the piece on a cell may go to."""
    texts = [state.format(action) for action in state.legal_actions()]
    return {text.split("-")[1] for text in texts if text.split("-")[0] == cell}


@dataclass(frozen=True)
class Piece:
    """A piece on the board."""

    seat: int
    code: str


def at(state: SpeakEasyState, cell: str) -> Piece | None:
    """The piece on a cell."""
    home = state.standing[CELL_OF[cell]]
    return None if home < 0 else Piece(side(home), CODES[state.kinds[home]])


def seen_at(state: SpeakEasyState, cell: str, seat: int | None) -> dict[str, Any]:
    """What a seat sees of the piece on a cell, in a game played from its beginning."""
    return next(piece for piece in state.observe(seat)["pieces"] if piece["cell"] == cell)


def longest_game() -> SpeakEasyState:
    """1,000 moves with the longest texts: attacks only when a draw is near."""
    state, rng = new_state(seed=9, first=0), Random(9)
    while state.to_act is not None:
        legal = state.legal_actions()
        attacks = {action for action in legal if state.placed == 50 and is_attack(state, action)}
        texts = sorted((len(state.format(action)), rng.random(), action) for action in legal)
        quiet = [action for _, _, action in texts if action not in attacks]
        state.apply(min(attacks) if attacks and (state.quiet > 80 or not quiet) else quiet[-1])
    return state


def is_attack(state: SpeakEasyState, action: int) -> bool:
    return bool(state.pieces[1 - state.to_act] >> ((action - 12) % 60) & 1)
