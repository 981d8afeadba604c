"""From a view, which is an observation or what a snapshot holds, back to all that it tells of a position."""

from __future__ import annotations

from dataclasses import dataclass

from engines.api import Json
from engines.gatsby import actions
from engines.gatsby.choices import CHOICES, NUMBERS
from engines.gatsby.deal import QUARTERS, Deal
from engines.gatsby.hidden import UNKNOWN, Cast, Specials, find_unknown_specials, read_cast
from engines.gatsby.observation import EVERYTHING, FIELDS, HIDDEN, LOG_CODES
from engines.gatsby.position import KEEP, OVER
from engines.gatsby.state import GatsbyState
from engines.gatsby.steps import STEPS
from engines.gatsby.tables import (
    ACTION_NUMBER,
    BONUS_NUMBER,
    CABARET_CELLS,
    CELL_NUMBER,
    MAINS,
    NEAR,
    NONE,
    SIDE,
    SPECIAL_NUMBER,
    SPECIALS,
    TILE_NUMBER,
    TILES,
    TOKENS,
    TOP_FLOOR,
    TRACK_LENGTHS,
    TRACK_MASK,
    TRACK_PLACES,
    TRACK_START,
    TRACKS,
    printed_bonuses,
)
from engines.log import chain
from engines.reading import (
    Key,
    Unreadable,
    fields,
    flag,
    heading,
    listed,
    named,
    names,
    or_null,
    require,
    short,
    text,
    whole,
    within,
)

_PENDING_KEYS = ("ask", "action", "step", "next_to", "tracks", "offers", "chosen", "drawn", "force")
_SPECIAL_OR_HIDDEN = {**SPECIAL_NUMBER, HIDDEN: UNKNOWN}


@dataclass(slots=True)
class Sketch:
    """A position without what its viewer doesn't know."""

    state: GatsbyState
    cast: Cast
    specials: Specials
    seat: int | None
    secrets: bool  # the log holds choices that the viewer didn't see


def read_view(view: Json) -> Sketch:
    """All that a view tells; raises Unreadable where it can't be told."""
    given = fields({"view": view}, "view", FIELDS)
    heading(given, GatsbyState.game)
    seat = or_null(whole, given, "seat", 0, 1)
    s = GatsbyState()
    secrets = _read_log(s, given, seat)
    _read_tokens(s, given)
    _read_pending(s, given)
    cast = read_cast(given, seat, over=s.choice == OVER)
    _read_deal(s, given, cast.up)
    specials = _read_specials(s, given, seat)
    _read_tracks_left(s, cast.at)
    s.legal, s.result, s.at, s.claimed, s.known = (), None, (), [0, 0], [0, 0]
    return Sketch(s, cast, specials, seat, secrets)


def _read_log(s: GatsbyState, view: dict[str, Json], seat: int | None) -> bool:
    """The log, and what follows from it: marker, used specials, a forced action, whose turn it is.

    True if the other seat's secrets are in it; they stand there as `x:swap` for the time being.
    """
    codes = LOG_CODES[EVERYTHING if seat is None else seat]
    s.marker, s.forced, s.used, s.turn = NONE, NONE, (), NONE
    happened: list[int] = []
    secrets = False
    for at, line in enumerate(listed(view, "log")):
        code = codes.get(line) if type(line) is str else None
        if code is None:
            raise Unreadable(f"expected a seat and an action as in '0 M1', not {short(line)}", "log", at)
        action, s.turn = code >> 2, code >> 1 & 1
        secrets = secrets or (code & 1 == 1 and seat == 1 - s.turn)
        happened.append(code)
        if action < actions.PUT:
            s.marker, s.forced = action, NONE
            s.used += () if action in MAINS else (action,)
        elif action >= actions.FORCE:
            s.forced = action - actions.FORCE
    s.log, s.ply = chain(happened), len(happened)
    return secrets


def _read_tokens(s: GatsbyState, view: dict[str, Json]) -> None:
    """The tokens of both seats on cabaret and tracks, and the floors."""
    s.tokens = [0, 0]
    rows, tracks, floors = listed(view, "cabaret", SIDE), listed(view, "tracks", TRACKS), listed(view, "floors", 2)
    with within("cabaret"):
        for row in range(SIDE):
            _read_run(s, rows, row, row * SIDE, SIDE)
    with within("tracks"):
        for track in range(TRACKS):
            if tracks[track] is not None:
                _read_run(s, tracks, track, TRACK_START[track], TRACK_LENGTHS[track])
    s.filled = s.tokens[0] | s.tokens[1]
    require(max(tokens.bit_count() for tokens in s.tokens) <= TOKENS, f"a seat has more than {TOKENS} tokens")
    s.rim = 0
    for cell in range(CABARET_CELLS):
        if s.filled >> cell & 1:
            s.rim |= NEAR[cell]
    s.rim &= ~s.filled
    with within("floors"):
        s.floors = [whole(floors, seat, 0, TOP_FLOOR) for seat in (0, 1)]


def _read_run(s: GatsbyState, box: Json, key: Key, start: int, length: int) -> None:
    """A run of cells such as `.01..`."""
    run = text(box, key)
    if len(run) != length:
        raise Unreadable(f"expected tokens on {length} cells, not {short(run)}", key)
    for i, mark in enumerate(run):
        if mark in "01":
            s.tokens[int(mark)] |= 1 << start + i


def _number(box: Json, key: Key, numbers: dict[str, int]) -> int:
    """The number of a name, or NONE for null."""
    number = or_null(named, box, key, numbers)
    return NONE if number is None else number


def _read_pending(s: GatsbyState, view: dict[str, Json]) -> None:
    """Where in the turn we are, without the drawn specials."""
    s.action = s.last = s.first = s.second = NONE
    s.step, s.tracks, s.offers, s.drawn, s.forcing = 0, 0, (), (), False
    if view["pending"] is None:
        s.choice, s.to_act = OVER, None
        return
    pending = fields(view, "pending", _PENDING_KEYS)
    s.to_act = s.turn = whole(view, "to_act", 0, 1)
    with within("pending"):
        s.choice = named(pending, "ask", NUMBERS)
        require(s.choice != OVER, "nothing is pending when the game is over")
        s.action = _number(pending, "action", ACTION_NUMBER)
        s.step = whole(pending, "step", 0, 0 if s.action == NONE else len(STEPS[s.action]))
        s.last = _number(pending, "next_to", CELL_NUMBER)
        require(s.last < CABARET_CELLS, "next_to is a cell of the cabaret")
        tracks = listed(pending, "tracks")
        for at in range(len(tracks)):
            s.tracks |= 1 << whole(tracks, at, 1, TRACKS) - 1
        s.offers = names(pending, "offers", BONUS_NUMBER)
        s.forcing = flag(pending, "force")
        _read_chosen(s, pending)


def _read_chosen(s: GatsbyState, pending: dict[str, Json]) -> None:
    """What was already chosen for this X, swap or D."""
    numbers = CHOICES[s.choice].chosen
    chosen = listed(pending, "chosen", len(numbers))
    with within("chosen"):
        found = [named(chosen, at, table) for at, table in enumerate(numbers)]
    s.first, s.second = (*found, NONE, NONE)[:2]


def _read_deal(s: GatsbyState, view: dict[str, Json], up: int) -> None:
    """The tiles and the starter; seed and box come with the dealing."""
    given = listed(view, "tiles", len(TILES))
    with within("tiles"):
        tiles = tuple(_tile(given, quadrant) for quadrant in range(len(TILES)))
    require(len({tile for tile, _ in tiles}) == len(TILES), "a tile lies on two quadrants")
    starter = whole(view, "starter", 0, 1)
    s.deal = Deal(seed=0, starter=starter, tiles=tiles, prints=printed_bonuses(tiles), up=up, box=())


def _tile(tiles: Json, quadrant: int) -> tuple[int, int]:
    entry = listed(tiles, quadrant, 2)
    with within(quadrant):
        return named(entry, 0, TILE_NUMBER), whole(entry, 1, 0, QUARTERS - 1)


def _read_specials(s: GatsbyState, view: dict[str, Json], seat: int | None) -> Specials:
    """Slots and what was set aside; pile, drawn and left-out ones as far as the viewer knows them."""
    slots, aside, left_out = (listed(view, field, 2) for field in ("slots", "aside", "left_out"))
    with within("slots"):
        s.slots = (_number(slots, 0, SPECIAL_NUMBER), _number(slots, 1, SPECIAL_NUMBER))
    with within("aside"):
        s.aside = (names(aside, 0, SPECIAL_NUMBER, once=True), names(aside, 1, SPECIAL_NUMBER, once=True))
    s.left_out, s.pile = ((), ()), ()
    with within("left_out"):
        left = [list(names(left_out, who, _SPECIAL_OR_HIDDEN)) for who in (0, 1)]
    drawn = () if view["pending"] is None else names(view["pending"], "drawn", _SPECIAL_OR_HIDDEN)
    specials = Specials(left_out=left, drawn=list(drawn), pile=_read_pile(view, seat), unknown=[])
    held = [special for special in (*s.slots, s.first if s.choice == KEEP else NONE) if special != NONE]
    find_unknown_specials(specials, [*held, *s.used, *s.aside[0], *s.aside[1]])
    return specials


def _read_pile(view: dict[str, Json], seat: int | None) -> list[int]:
    if seat is None:
        return list(names(view, "deck", SPECIAL_NUMBER, once=True))
    return [UNKNOWN] * whole(view, "pile", 0, len(SPECIALS))


def _read_tracks_left(s: GatsbyState, at: list[int]) -> None:
    """Which tracks can take a token, and which are full and wait for the end of the turn."""
    s.open = s.full = 0
    for track, place in enumerate(TRACK_PLACES):
        if at[place] != NONE:
            is_full = s.filled & TRACK_MASK[track] == TRACK_MASK[track]
            s.full |= is_full << track
            s.open |= (not is_full) << track
