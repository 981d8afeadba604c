"""A state as JSON and back: who moves first, what was placed and every move, which is all there is to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engines.api import EngineError, InvalidSnapshot, Snapshot
from engines.speak_easy.actions import TEXTS, parse_action
from engines.speak_easy.log import entries
from engines.speak_easy.tables import CODES, PIECES_A_SIDE, TO_PLACE

if TYPE_CHECKING:
    from engines.speak_easy.state import SpeakEasyState

RULES_VERSION = 1
FIELDS = ("game", "rules_version", "seats", "options", "seed", "first", "placements", "moves")
SEED_DIGITS = len(str(1 << 128))


def snapshot(state: SpeakEasyState) -> Snapshot:
    done = [entry if type(entry) is int else entry[0] for entry in entries(state.log)]  # type: ignore[index]
    placed = "".join(CODES[kind] for kind in done[:TO_PLACE])
    return {
        "game": "speak_easy",
        "rules_version": RULES_VERSION,
        "seats": 2,
        "options": {},
        "seed": str(state.seed),
        "first": state.first,
        "placements": [placed[:PIECES_A_SIDE], placed[PIECES_A_SIDE:]],
        "moves": [TEXTS[action] for action in done[TO_PLACE:]],
    }


def replay(fresh: SpeakEasyState, snapshot: Snapshot) -> SpeakEasyState:
    """Play what a snapshot tells on a fresh state; raises InvalidSnapshot where it can't have happened."""
    try:
        for text in (*"".join(snapshot["placements"]), *snapshot["moves"]):
            fresh.apply(parse_action(text))
    except EngineError as error:
        raise InvalidSnapshot(f"ply {fresh.placed + fresh.plies} of the snapshot can't be played: {error}") from None
    if fresh.snapshot() != snapshot:
        raise InvalidSnapshot(f"the placements {snapshot['placements']!r} are not cut after {PIECES_A_SIDE} pieces")
    return fresh


def check_snapshot(snapshot: Any) -> tuple[int, int]:
    """The seed and the first seat of a snapshot of the right shape; raises InvalidSnapshot."""
    if type(snapshot) is not dict:
        raise InvalidSnapshot(f"a snapshot is an object, not {snapshot!r:.80}")
    if sorted(map(str, snapshot)) != sorted(FIELDS):
        raise InvalidSnapshot(f"a snapshot has the fields {', '.join(FIELDS)}, not {', '.join(map(str, snapshot))}")
    for field, expected in (("game", "speak_easy"), ("rules_version", RULES_VERSION), ("seats", 2), ("options", {})):
        if snapshot[field] != expected or type(snapshot[field]) is not type(expected):
            raise InvalidSnapshot(f"{field} is {snapshot[field]!r:.80}; this engine reads {expected!r}")
    if type(snapshot["first"]) is not int or snapshot["first"] not in (0, 1):
        raise InvalidSnapshot(f"first is {snapshot['first']!r:.80}; it is seat 0 or 1")
    for field in ("placements", "moves"):
        if type(snapshot[field]) is not list or not all(type(text) is str for text in snapshot[field]):
            raise InvalidSnapshot(f"{field} is {snapshot[field]!r:.80}; it is a list of strings")
    return read_seed(snapshot["seed"]), snapshot["first"]


def read_seed(text: Any) -> int:
    """The seed of a decimal string; raises InvalidSnapshot."""
    if type(text) is str and text.isascii() and text.isdecimal() and len(text) <= SEED_DIGITS:
        seed = int(text)
        if seed < 1 << 128 and str(seed) == text:
            return seed
    raise InvalidSnapshot(f"seed is {text!r:.80}; it is a decimal string from 0 to 2**128 - 1")
