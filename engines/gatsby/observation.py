"""What a seat may know of a position, as plain JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.api import InvalidObservation, Json, Observation
from engines.gatsby import asks
from engines.gatsby.actions import EXCHANGE, STAY, TEXTS
from engines.gatsby.asks import ASKS, PHASES
from engines.gatsby.tables import (
    BONUSES,
    CELL_NAMES,
    CHARACTERS,
    CIRCLES,
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
)

if TYPE_CHECKING:
    from engines.gatsby.state import GatsbyState

GAME_NAME = "gatsby"
RULES_VERSION = 2
SEATS = 2
HIDDEN = "?"
EVERYTHING = 2  # the row of LOG_TEXTS for the view that sees all


def _log_text(code: int, viewer: int) -> str:
    """One action of the log as a viewer saw it; code is action << 2 | seat << 1 | secret."""
    action, seat, secret = code >> 2, code >> 1 & 1, code & 1
    if not secret:
        return f"{seat} {TEXTS[action]}"
    return f"{seat} {TEXTS[action]} secret" if viewer in (seat, EVERYTHING) else f"{seat} {HIDDEN}"


LOG_TEXTS = tuple(tuple(_log_text(code, viewer) for code in range(len(TEXTS) << 2)) for viewer in (0, 1, EVERYTHING))
# Back from text to code; only what was done with two face-down characters can be secret.
LOG_CODES = tuple(
    {LOG_TEXTS[viewer][code]: code for code in range(len(TEXTS) << 2) if not code & 1 or code >> 2 in (STAY, EXCHANGE)}
    for viewer in (0, 1, EVERYTHING)
)


def observe(s: GatsbyState, seat: int | None) -> Observation:
    """The position as this seat sees it; None sees everything but the seed."""
    if seat is not None and (type(seat) is not int or seat not in (0, 1)):
        raise InvalidObservation(f"{seat!r} is no seat of gatsby; choose 0, 1 or None")
    return {
        "game": GAME_NAME,
        "rules_version": RULES_VERSION,
        "seat": seat,
        "seats": SEATS,
        "options": {},
        "phase": PHASES[s.ask],
        "pending": None if s.to_act is None else _pending(s, seat),
        "to_act": s.to_act,
        "ply": s.ply,
        "outcome": s.result.as_json() if s.result else None,
        "log": _log(s, seat),
        "starter": s.deal.starter,
        "marker": _action_name(s.marker),
        "forced": _action_name(s.forced),
        **_table(s),
        **_characters(s, seat),
        **_specials(s, seat),
    }


def _action_name(action: int) -> str | None:
    return None if action == NONE else MAIN_AND_SPECIAL[action]


def _log(s: GatsbyState, seat: int | None) -> list[str]:
    """The whole game as this seat saw it, from the first action on."""
    texts = LOG_TEXTS[EVERYTHING if seat is None else seat]
    entries = []
    log = s.log
    while log:
        log, code = log
        entries.append(texts[code])
    entries.reverse()
    return entries


def _pending(s: GatsbyState, seat: int | None) -> dict[str, Json]:
    """What is asked, and all that the rest of the turn leans on."""
    return {
        "ask": ASKS[s.ask],
        "action": _action_name(s.action),
        "step": s.step,
        "next_to": None if s.last == NONE else CELL_NAMES[s.last],
        "tracks": [track + 1 for track in range(TRACKS) if s.tracks >> track & 1],
        "offers": [BONUSES[bonus] for bonus in s.offers],
        "chosen": _chosen(s),
        "drawn": _special_names(s.drawn, hidden=seat not in (None, s.turn)),
        "force": s.forcing,
    }


def _chosen(s: GatsbyState) -> list[str]:
    """The places, the token or the special already chosen for what is asked."""
    if s.first == NONE:
        return []
    if s.ask in (asks.X_SECOND, asks.EXCHANGE_SECOND):
        return [PLACES[s.first]]
    if s.ask == asks.X_SWAP:
        return [PLACES[s.first], PLACES[s.second]]
    return [CELL_NAMES[s.first] if s.ask == asks.SWAP_OTHER else MAIN_AND_SPECIAL[s.first]]


def _table(s: GatsbyState) -> dict[str, Json]:
    """Tiles, tokens and floors: all of it public."""
    return {
        "tiles": [[TILES[tile].name, turns] for tile, turns in s.deal.tiles],
        "bonuses": [_prints(s, row) for row in range(SIDE)],
        "cabaret": [_tokens(s, row * SIDE, SIDE) for row in range(SIDE)],
        "tracks": [
            None if s.at[TRACK_PLACES[track]] == NONE else _tokens(s, TRACK_START[track], TRACK_LENGTHS[track])
            for track in range(TRACKS)
        ],
        "floors": list(s.floors),
        "supply": [TOKENS - tokens.bit_count() for tokens in s.tokens],
    }


def _prints(s: GatsbyState, row: int) -> str:
    """What is printed on a row of the cabaret."""
    marks = (
        BONUSES[s.deal.prints[cell]] if s.deal.prints[cell] != NONE else "o" if CIRCLES >> cell & 1 else "."
        for cell in range(row * SIDE, row * SIDE + SIDE)
    )
    return "".join(marks)


def _tokens(s: GatsbyState, start: int, length: int) -> str:
    """The tokens on a run of cells."""
    zero, one = s.tokens[0] >> start, s.tokens[1] >> start
    return "".join("0" if zero >> i & 1 else "1" if one >> i & 1 else "." for i in range(length))


def _characters(s: GatsbyState, seat: int | None) -> dict[str, Json]:
    """Who lies where, as far as this seat knows (GA 7.1, 7.2)."""
    up = s.deal.up
    face_down = [(place, n) for place, n in enumerate(s.at) if n != NONE and not up >> n & 1]
    eyes = -1 if seat is None else s.known[seat]
    return {
        "places": {
            PLACES[place]: None if n == NONE else CHARACTERS[n] if up >> n & 1 else HIDDEN
            for place, n in enumerate(s.at)
        },
        "looked": [[PLACES[place] for place, n in face_down if s.known[who] >> n & 1] for who in (0, 1)],
        "known": {PLACES[place]: CHARACTERS[n] for place, n in face_down if eyes >> n & 1},
        "claimed": [_claimed(s, owner, eyes) for owner in (0, 1)],
        "box": [CHARACTERS[n] for n in s.deal.box] if seat is None else None,
    }


def _claimed(s: GatsbyState, owner: int, eyes: int) -> list[dict[str, Json]]:
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


def _specials(s: GatsbyState, seat: int | None) -> dict[str, Json]:
    """Slots and what left the game; the pile only by its size (GA 7.1)."""
    return {
        "slots": [_action_name(special) for special in s.slots],
        "aside": [_special_names(s.aside[who]) for who in (0, 1)],
        "used": _special_names(s.used),
        "left_out": [_special_names(s.left_out[who], hidden=seat not in (None, who)) for who in (0, 1)],
        "pile": len(s.pile),
        "deck": _special_names(s.pile) if seat is None else None,
    }


def _special_names(specials: tuple[int, ...], *, hidden: bool = False) -> list[str]:
    return [HIDDEN if hidden else MAIN_AND_SPECIAL[special] for special in specials]
