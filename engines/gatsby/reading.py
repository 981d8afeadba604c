"""From a view, which is a snapshot or an observation, back to all that it tells of a position."""

from __future__ import annotations

from dataclasses import dataclass
from reprlib import repr as short

from engines.api import COMMON_FIELDS, Json
from engines.gatsby import actions, asks
from engines.gatsby.asks import ASK_NUMBER, STEPS
from engines.gatsby.checks import Unreadable, flag, keyed, listed, named, named_or_null, names, require, whole
from engines.gatsby.hidden import UNKNOWN, Cast, Specials, find_unknown_specials, read_cast
from engines.gatsby.observation import EVERYTHING, HIDDEN, LOG_CODES
from engines.gatsby.state import Deal, GatsbyState
from engines.gatsby.tables import (
    ACTION_NUMBER,
    BONUS_NUMBER,
    CABARET_CELLS,
    CELL_NUMBER,
    MAINS,
    NEAR,
    NONE,
    PLACE_NUMBER,
    SIDE,
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

OWN_FIELDS = (
    "starter", "marker", "forced", "tiles", "bonuses", "cabaret", "tracks", "floors", "supply", "places", "looked",
    "known", "claimed", "box", "slots", "aside", "used", "left_out", "pile", "deck",
)  # fmt: skip
FIELDS = COMMON_FIELDS + OWN_FIELDS
_PENDING_KEYS = ("ask", "action", "step", "next_to", "tracks", "offers", "chosen", "drawn", "force")
_SPECIAL_NUMBER = {name: number for name, number in ACTION_NUMBER.items() if number in SPECIALS}
_SPECIAL_OR_HIDDEN = {**_SPECIAL_NUMBER, HIDDEN: UNKNOWN}


@dataclass(slots=True)
class Sketch:
    """A position without what its viewer doesn't know."""

    state: GatsbyState
    cast: Cast
    specials: Specials
    seat: int | None
    secrets: bool  # the log holds choices that the viewer didn't see


def read_view(view: dict[str, Json]) -> Sketch:
    """All that a view tells; raises Unreadable where it can't be told."""
    keyed(view, "the view", FIELDS)
    seat = None if view["seat"] is None else whole(view["seat"], 0, 1, "seat")
    s = GatsbyState.__new__(GatsbyState)
    secrets = _read_log(s, view, seat)
    _read_tokens(s, view)
    _read_pending(s, view)
    cast = read_cast(view, seat, over=s.ask == asks.OVER)
    _read_deal(s, view, cast.up)
    specials = _read_specials(s, view, seat)
    _read_tracks_left(s, cast.at)
    s.legal, s.result, s.at, s.claimed, s.known = (), None, (), [0, 0], [0, 0]
    return Sketch(s, cast, specials, seat, secrets)


def _read_log(s: GatsbyState, view: dict[str, Json], seat: int | None) -> bool:
    """The log, and what follows from it: marker, used specials, a forced action, whose turn it is.

    True if the other seat's secrets are in it; they stand there as `x:swap` for the time being.
    """
    codes = LOG_CODES[EVERYTHING if seat is None else seat]
    s.log, s.ply, s.marker, s.forced, s.used, s.turn = None, 0, NONE, NONE, (), NONE
    secrets = False
    for text in listed(view["log"], "log"):
        code = codes.get(text) if type(text) is str else None
        if code is None:
            raise Unreadable(f"the log can't hold {short(text)}")
        action, s.turn = code >> 2, code >> 1 & 1
        secrets = secrets or (code & 1 == 1 and seat == 1 - s.turn)
        s.log = (s.log, code)
        s.ply += 1
        if action < actions.PUT:
            s.marker, s.forced = action, NONE
            s.used += () if action in MAINS else (action,)
        elif action >= actions.FORCE:
            s.forced = action - actions.FORCE
    return secrets


def _read_tokens(s: GatsbyState, view: dict[str, Json]) -> None:
    """The tokens of both seats on cabaret and tracks, and the floors."""
    s.tokens = [0, 0]
    for row, text in enumerate(listed(view["cabaret"], "cabaret", SIDE)):
        _read_run(s, text, row * SIDE, SIDE)
    for track, text in enumerate(listed(view["tracks"], "tracks", TRACKS)):
        if text is not None:
            _read_run(s, text, TRACK_START[track], TRACK_LENGTHS[track])
    s.filled = s.tokens[0] | s.tokens[1]
    require(max(tokens.bit_count() for tokens in s.tokens) <= TOKENS, f"a seat has more than {TOKENS} tokens")
    s.rim = 0
    for cell in range(CABARET_CELLS):
        if s.filled >> cell & 1:
            s.rim |= NEAR[cell]
    s.rim &= ~s.filled
    s.floors = [whole(floor, 0, TOP_FLOOR, "a floor") for floor in listed(view["floors"], "floors", 2)]


def _read_run(s: GatsbyState, text: Json, start: int, length: int) -> None:
    """A run of cells such as `.01..`."""
    if type(text) is not str or len(text) != length:
        raise Unreadable(f"{short(text)} are no tokens on {length} cells")
    for i, mark in enumerate(text):
        if mark in "01":
            s.tokens[int(mark)] |= 1 << start + i


def _read_pending(s: GatsbyState, view: dict[str, Json]) -> None:
    """Where in the turn we are, without the drawn specials."""
    s.action = s.last = s.first = s.second = NONE
    s.step, s.tracks, s.offers, s.drawn, s.forcing = 0, 0, (), (), False
    if view["pending"] is None:
        s.ask, s.to_act = asks.OVER, None
        return
    pending = keyed(view["pending"], "pending", _PENDING_KEYS)
    s.ask = named(pending["ask"], ASK_NUMBER, "ask")
    require(s.ask != asks.OVER, "nothing is pending when the game is over")
    s.to_act = s.turn = whole(view["to_act"], 0, 1, "to_act")
    s.action = named_or_null(pending["action"], ACTION_NUMBER, "the action")
    s.step = whole(pending["step"], 0, 0 if s.action == NONE else len(STEPS[s.action]), "step")
    s.last = named_or_null(pending["next_to"], CELL_NUMBER, "next_to")
    require(s.last < CABARET_CELLS, "next_to is a cell of the cabaret")
    for track in listed(pending["tracks"], "the tracks of own steps"):
        s.tracks |= 1 << whole(track, 1, TRACKS, "a track") - 1
    offers = listed(pending["offers"], "offers")
    s.offers = tuple(named(bonus, BONUS_NUMBER, "an offer") for bonus in offers)
    s.forcing = flag(pending["force"], "force")
    _read_chosen(s, pending["chosen"])


_CHOSEN = {
    asks.X_SECOND: (1, PLACE_NUMBER),
    asks.X_SWAP: (2, PLACE_NUMBER),
    asks.EXCHANGE_SECOND: (1, PLACE_NUMBER),
    asks.SWAP_OTHER: (1, CELL_NUMBER),
    asks.KEEP: (1, _SPECIAL_NUMBER),
}


def _read_chosen(s: GatsbyState, chosen: Json) -> None:
    """What was already chosen for this X, swap or D."""
    size, numbers = _CHOSEN.get(s.ask, (0, {}))
    found = names(listed(chosen, "chosen", size), numbers, "chosen")
    s.first, s.second = (*found, NONE, NONE)[:2]


def _read_deal(s: GatsbyState, view: dict[str, Json], up: int) -> None:
    """The tiles and the starter; seed and box come with the dealing."""
    tiles = tuple(_tile(entry) for entry in listed(view["tiles"], "tiles", len(TILES)))
    require(len({tile for tile, _ in tiles}) == len(TILES), "a tile lies on two quadrants")
    starter = whole(view["starter"], 0, 1, "starter")
    s.deal = Deal(seed=0, starter=starter, tiles=tiles, prints=printed_bonuses(tiles), up=up, box=())


def _tile(entry: Json) -> tuple[int, int]:
    name, turns = listed(entry, "a tile with its turns", 2)
    return named(name, TILE_NUMBER, "a tile"), whole(turns, 0, 3, "quarter turns")


def _read_specials(s: GatsbyState, view: dict[str, Json], seat: int | None) -> Specials:
    """Slots and what was set aside; pile, drawn and left-out ones as far as the viewer knows them."""
    slots = [named_or_null(slot, _SPECIAL_NUMBER, "a slot") for slot in listed(view["slots"], "slots", 2)]
    aside = [names(row, _SPECIAL_NUMBER, "aside") for row in listed(view["aside"], "aside", 2)]
    s.slots, s.aside, s.left_out, s.pile = (slots[0], slots[1]), (aside[0], aside[1]), ((), ()), ()
    specials = Specials(
        left_out=[_specials(row, "left_out") for row in listed(view["left_out"], "left_out", 2)],
        drawn=[] if view["pending"] is None else _specials(view["pending"]["drawn"], "drawn"),
        pile=_read_pile(view, seat),
        unknown=[],
    )
    held = [special for special in (*slots, s.first if s.ask == asks.KEEP else NONE) if special != NONE]
    find_unknown_specials(specials, [*held, *s.used, *aside[0], *aside[1]])
    return specials


def _read_pile(view: dict[str, Json], seat: int | None) -> list[int]:
    if seat is None:
        return list(names(view["deck"], _SPECIAL_NUMBER, "deck"))
    return [UNKNOWN] * whole(view["pile"], 0, len(SPECIALS), "pile")


def _specials(row: Json, what: str) -> list[int]:
    return [named(special, _SPECIAL_OR_HIDDEN, what) for special in listed(row, what)]


def _read_tracks_left(s: GatsbyState, at: list[int]) -> None:
    """Which tracks can take a token, and which are full and wait for the end of the turn."""
    s.open = s.full = 0
    for track, place in enumerate(TRACK_PLACES):
        if at[place] != NONE:
            is_full = s.filled & TRACK_MASK[track] == TRACK_MASK[track]
            s.full |= is_full << track
            s.open |= (not is_full) << track
