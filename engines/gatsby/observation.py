"""What a seat may know of a position, as plain JSON values."""

from __future__ import annotations

from engines.api import COMMON_FIELDS, Json, Observation, check_viewer
from engines.gatsby.actions import EXCHANGE, STAY, TEXTS
from engines.gatsby.choices import CHOICES
from engines.gatsby.position import Position
from engines.gatsby.tables import (
    BONUSES,
    CELL_NAMES,
    CHARACTERS,
    MAIN_AND_SPECIAL,
    NONE,
    PLACES,
    SIDE,
    TILES,
    TOKENS,
    TRACK_LENGTHS,
    TRACK_PLACES,
    TRACK_START,
    TRACKS,
    printed_rows,
)
from engines.log import entries

OWN_FIELDS = (
    "starter", "marker", "forced", "tiles", "bonuses", "cabaret", "tracks", "floors", "supply", "places", "looked",
    "known", "claimed", "box", "slots", "aside", "used", "left_out", "pile", "deck",
)  # fmt: skip
FIELDS = COMMON_FIELDS + OWN_FIELDS
SEATS = 2
HIDDEN = "?"
# Viewers beside the seats: one that sees everything, and one that knows only what every seat knows.
EVERYTHING, ANYBODY = 2, 3


def _log_text(code: int, viewer: int) -> str:
    """One action of the log as a viewer saw it; code is action << 2 | seat << 1 | secret."""
    action, seat, secret = code >> 2, code >> 1 & 1, code & 1
    if not secret:
        return f"{seat} {TEXTS[action]}"
    return f"{seat} {TEXTS[action]} secret" if viewer in (seat, EVERYTHING) else f"{seat} {HIDDEN}"


_LOG_TEXTS = tuple(
    tuple(_log_text(code, viewer) for code in range(len(TEXTS) << 2)) for viewer in (0, 1, EVERYTHING, ANYBODY)
)
# Back from text to code; only what was done with two face-down characters can be secret.
LOG_CODES = tuple(
    {_LOG_TEXTS[viewer][code]: code for code in range(len(TEXTS) << 2) if not code & 1 or code >> 2 in (STAY, EXCHANGE)}
    for viewer in (0, 1, EVERYTHING)
)
_PHASES = tuple(row.phase for row in CHOICES)
_NAMES = tuple(row.name for row in CHOICES)
_CHOSEN = tuple(tuple({n: name for name, n in numbers.items()} for numbers in row.chosen) for row in CHOICES)


def observe(s: Position, seat: Json) -> Observation:
    """The position as this seat sees it; None sees everything but the seed."""
    check_viewer(seat, SEATS)
    return _view(s, EVERYTHING if seat is None else seat, seat)


def observe_public(s: Position) -> Observation:
    """The position as far as every seat knows it: face-down characters only where both seats have seen them."""
    return _view(s, ANYBODY, None)


def _view(s: Position, viewer: int, seat: int | None) -> Observation:
    return {
        "game": s.game.name,
        "rules_version": s.game.rules_version,
        "seat": seat,
        "seats": SEATS,
        "options": {},
        "phase": _PHASES[s.choice],
        "pending": None if s.to_act is None else _pending(s, viewer),
        "to_act": s.to_act,
        "ply": s.ply,
        "outcome": s.result.as_json() if s.result else None,
        "log": list(map(_LOG_TEXTS[viewer].__getitem__, entries(s.log))),
        "starter": s.deal.starter,
        "marker": _action_name(s.marker),
        "forced": _action_name(s.forced),
        **_table(s),
        **_characters(s, viewer),
        **_specials(s, viewer),
    }


def _action_name(action: int) -> str | None:
    return None if action == NONE else MAIN_AND_SPECIAL[action]


def _pending(s: Position, viewer: int) -> dict[str, Json]:
    """What is asked, and all that the rest of the turn leans on."""
    return {
        "ask": _NAMES[s.choice],
        "action": _action_name(s.action),
        "step": s.step,
        "next_to": None if s.last == NONE else CELL_NAMES[s.last],
        "tracks": [track + 1 for track in range(TRACKS) if s.tracks >> track & 1],
        "offers": [BONUSES[bonus] for bonus in s.offers],
        "chosen": _chosen(s) if s.first != NONE else [],
        "drawn": _special_names(s.drawn, hidden=viewer not in (s.turn, EVERYTHING)),
        "force": s.forcing,
    }


def _chosen(s: Position) -> list[str]:
    """The places, the token or the special already chosen for what is asked."""
    return [names[n] for names, n in zip(_CHOSEN[s.choice], (s.first, s.second), strict=False)]


def _table(s: Position) -> dict[str, Json]:
    """Tiles, tokens and floors: all of it public."""
    return {
        "tiles": [[TILES[tile].name, turns] for tile, turns in s.deal.tiles],
        "bonuses": list(printed_rows(s.deal.tiles)),
        "cabaret": [_tokens(s, row * SIDE, SIDE) for row in range(SIDE)],
        "tracks": [
            None if s.at[TRACK_PLACES[track]] == NONE else _tokens(s, TRACK_START[track], TRACK_LENGTHS[track])
            for track in range(TRACKS)
        ],
        "floors": list(s.floors),
        "supply": [TOKENS - tokens.bit_count() for tokens in s.tokens],
    }


def _tokens(s: Position, start: int, length: int) -> str:
    """The tokens on a run of cells."""
    zero, one = s.tokens[0] >> start, s.tokens[1] >> start
    return "".join("0" if zero >> i & 1 else "1" if one >> i & 1 else "." for i in range(length))


def _characters(s: Position, viewer: int) -> dict[str, Json]:
    """Who lies where, as far as the viewer knows (GA 7.1, 7.2)."""
    up = s.deal.up
    face_down = [(place, n) for place, n in enumerate(s.at) if n != NONE and not up >> n & 1]
    eyes = _eyes(s, viewer)
    return {
        "places": {
            PLACES[place]: None if n == NONE else CHARACTERS[n] if up >> n & 1 else HIDDEN
            for place, n in enumerate(s.at)
        },
        "looked": [[PLACES[place] for place, n in face_down if s.known[who] >> n & 1] for who in (0, 1)],
        "known": {PLACES[place]: CHARACTERS[n] for place, n in face_down if eyes >> n & 1},
        "claimed": [_claimed(s, owner, eyes) for owner in (0, 1)],
        "box": [CHARACTERS[n] for n in s.deal.box] if viewer == EVERYTHING else None,
    }


def _eyes(s: Position, viewer: int) -> int:
    """The characters that a viewer knows, as a mask."""
    if viewer == EVERYTHING:
        return -1
    return s.known[0] & s.known[1] if viewer == ANYBODY else s.known[viewer]


def _claimed(s: Position, owner: int, eyes: int) -> list[dict[str, Json]]:
    """A seat's characters: face up, face down but seen by the other seat, and the rest."""
    hand, up, other = s.claimed[owner], s.deal.up, s.known[1 - owner]
    groups = ((hand & up, "up", True), (hand & ~up & other, "down", True), (hand & ~up & ~other, "down", False))
    return [
        {"character": CHARACTERS[n] if eyes >> n & 1 else HIDDEN, "face": face, "seen": seen}
        for group, face, seen in groups
        if group
        for n in range(len(CHARACTERS))
        if group >> n & 1
    ]


def _specials(s: Position, viewer: int) -> dict[str, Json]:
    """Slots and what left the game; the pile only by its size (GA 7.1)."""
    return {
        "slots": [_action_name(special) for special in s.slots],
        "aside": [_special_names(s.aside[who]) for who in (0, 1)],
        "used": _special_names(s.used),
        "left_out": [_special_names(s.left_out[who], hidden=viewer not in (who, EVERYTHING)) for who in (0, 1)],
        "pile": len(s.pile),
        "deck": _special_names(s.pile) if viewer == EVERYTHING else None,
    }


def _special_names(specials: tuple[int, ...], *, hidden: bool = False) -> list[str]:
    return [HIDDEN if hidden else MAIN_AND_SPECIAL[special] for special in specials]
