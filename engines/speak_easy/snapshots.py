"""A state as JSON and back: who moves first, what was placed and every move, which is all there is to know."""

from __future__ import annotations

from dataclasses import dataclass

from engines.api import Game, Json, Snapshot
from engines.log import entries
from engines.reading import Unreadable, fields, heading, listed, names, seed, text, whole, within
from engines.speak_easy.actions import TEXTS, TRAVEL
from engines.speak_easy.position import Position
from engines.speak_easy.tables import CODES, HOMES, KIND_OF, PIECES_A_SIDE

SNAPSHOT_FIELDS = ("game", "rules_version", "seats", "options", "seed", "first", "placements", "moves")
_MOVES = {TEXTS[action]: action for action in TRAVEL}


@dataclass(frozen=True, slots=True)
class Playthrough:
    """All that is needed to come to a position again."""

    seed: int
    first: int
    actions: tuple[int, ...]


def write_snapshot(state: Position) -> Snapshot:
    """The position as JSON values, seed included."""
    done = [entry if isinstance(entry, int) else entry[0] for entry in entries(state.log)]
    placed = "".join([CODES[state.kinds[home]] for home in HOMES[: state.placed]])
    return {
        "game": state.game.name,
        "rules_version": state.game.rules_version,
        "seats": 2,
        "options": {},
        "seed": str(state.seed),
        "first": state.first,
        "placements": [placed[:PIECES_A_SIDE], placed[PIECES_A_SIDE:]],
        "moves": [TEXTS[action] for action in done],
    }


def read_snapshot(snapshot: Json, game: Game) -> Playthrough:
    """The play-through a snapshot tells; raises Unreadable or InvalidSetup."""
    given = fields({"snapshot": snapshot}, "snapshot", SNAPSHOT_FIELDS)
    heading(given, game)
    placed = _read_placements(given)
    first = whole(given, "first", 0, 1)
    return Playthrough(seed(given, "seed"), first, placed + names(given, "moves", _MOVES))


def _read_placements(given: Snapshot) -> tuple[int, ...]:
    """The kinds placed by both seats; seat 1 begins when seat 0 has placed all its pieces (SE 3.6)."""
    placements = listed(given, "placements", 2)
    with within("placements"):
        south, north = text(placements, 0), text(placements, 1)
        if len(south) > PIECES_A_SIDE or (north and len(south) < PIECES_A_SIDE):
            raise Unreadable(f"{len(south)} pieces are not the {PIECES_A_SIDE} a seat places", 0)
    return names({"placements": [*south, *north]}, "placements", KIND_OF)
