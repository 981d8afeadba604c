"""From JSON back to a position: a snapshot exactly, an observation with the hidden things drawn at random."""

from __future__ import annotations

from collections.abc import Mapping
from operator import eq
from random import Random
from reprlib import repr as short

from engines.api import COMMON_FIELDS, EngineError, InvalidObservation, InvalidSnapshot, Json, Observation, Snapshot
from engines.gatsby import actions, asks
from engines.gatsby.asks import ASK_NUMBER, ASKS, PHASES, STEPS
from engines.gatsby.bonuses import can_use
from engines.gatsby.checks import (
    Unreadable,
    flag,
    keyed,
    listed,
    named,
    named_or_null,
    names,
    require,
    same,
    whole,
)
from engines.gatsby.choices import CHOICES, open_actions
from engines.gatsby.hidden import UNKNOWN, cast_characters, draw_specials, read_cast
from engines.gatsby.observation import EVERYTHING, HIDDEN, LOG_CODES, observe
from engines.gatsby.scoring import judge
from engines.gatsby.state import Deal, GatsbyState
from engines.gatsby.tables import (
    ACTION_NUMBER,
    BONUS_NUMBER,
    CABARET,
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
from engines.gatsby.turn import due_claims

OWN_FIELDS = (
    "starter", "marker", "forced", "tiles", "bonuses", "cabaret", "tracks", "floors", "supply", "places", "looked",
    "known", "claimed", "box", "slots", "aside", "used", "left_out", "pile", "deck",
)  # fmt: skip
FIELDS = COMMON_FIELDS + OWN_FIELDS
_PENDING_KEYS = ("ask", "action", "step", "next_to", "tracks", "offers", "chosen", "drawn", "force")
# Fields whose numbers are compared but never read; all others hold texts only or were checked while reading.
_NUMBERS = frozenset(("rules_version", "seats", "options", "to_act", "ply", "outcome", "supply", "pile"))
_SPECIAL_NUMBER = {name: number for name, number in ACTION_NUMBER.items() if number in SPECIALS}
_SPECIAL_OR_HIDDEN = {**_SPECIAL_NUMBER, HIDDEN: UNKNOWN}
_BETWEEN_ACTIONS = (asks.SETUP_PICK, asks.SETUP_CIRCLE, asks.ACTION, asks.FORCE, asks.OVER)


def restore(snapshot: Snapshot) -> GatsbyState:
    """The state a snapshot was taken of; raises InvalidSnapshot."""
    if not isinstance(snapshot, Mapping):
        raise InvalidSnapshot(f"a snapshot is a JSON object, not {short(snapshot)}")
    view = dict(snapshot)
    seed = view.pop("seed", None)
    if type(seed) is not str or not seed.isascii() or not seed.isdigit() or len(seed) > 39 or int(seed) >> 128:
        raise InvalidSnapshot(f"the seed of a snapshot is a decimal string below 2**128, not {short(seed)}")
    if str(int(seed)) != seed:
        raise InvalidSnapshot(f"the seed of a snapshot has no leading zeros; got {short(seed)}")
    if view.get("seat") is not None:
        raise InvalidSnapshot(f"the seat of a snapshot is null, not {short(view['seat'])}")
    # Nothing is hidden in a snapshot, so this source of chance decides nothing.
    return _read(view, Random(0), seed=int(seed), error=InvalidSnapshot)


def imagine(observation: Observation, rng: Random) -> GatsbyState:
    """A state that the observing seat could be in; raises InvalidObservation."""
    if not isinstance(observation, Mapping):
        raise InvalidObservation(f"an observation is a JSON object, not {short(observation)}")
    seed = rng.getrandbits(128)
    return _read(dict(observation), rng, seed=seed, error=InvalidObservation)


def _read(view: dict[str, Json], rng: Random, *, seed: int, error: type[EngineError]) -> GatsbyState:
    """A position whose view is this one, to the last value."""
    try:
        keyed(view, "the view", FIELDS)
        seat = None if view["seat"] is None else whole(view["seat"], 0, 1, "seat")
        s = _position(view, seat, rng, seed)
        _compare(observe(s, seat), view)
    except Unreadable as why:
        raise error(f"this is no position of gatsby: {why}") from None
    return s


def _compare(seen: Observation, view: dict[str, Json]) -> None:
    """Raise unless the position looks exactly like what was read."""
    for field in FIELDS:
        is_same = same if field in _NUMBERS else eq
        if not is_same(seen[field], view[field]):
            raise Unreadable(f"{field} can't be {short(view[field])} here")


def _position(view: dict[str, Json], seat: int | None, rng: Random, seed: int) -> GatsbyState:
    """All parts of a position, each from its fields."""
    s = GatsbyState.__new__(GatsbyState)
    _read_log(s, view, seat, rng)
    _read_tokens(s, view)
    _read_pending(s, view)
    _read_characters(s, view, seat, rng, seed)
    _read_specials(s, view, seat, rng)
    _read_tracks_left(s)
    _check_asked(s)
    _check_table(s)
    s.legal = CHOICES[s.ask](s)
    require(bool(s.legal) or s.ask == asks.OVER, f"nothing can be chosen for {ASKS[s.ask]!r}")
    return s


def _read_log(s: GatsbyState, view: dict[str, Json], seat: int | None, rng: Random) -> None:
    """The log, and what follows from it: the marker, the used specials, a forced action, whose turn it is."""
    codes = LOG_CODES[EVERYTHING if seat is None else seat]
    s.log, s.ply, s.marker, s.forced, s.used, s.turn = None, 0, NONE, NONE, (), NONE
    for text in listed(view["log"], "log"):
        code = codes.get(text) if type(text) is str else None
        if code is None:
            raise Unreadable(f"the log can't hold {short(text)}")
        action = code >> 2
        if code & 1 and seat == 1 - (code >> 1 & 1):
            # What the other seat did with two face-down characters: either is possible.
            action = actions.EXCHANGE if rng.getrandbits(1) else actions.STAY
            code = action << 2 | code & 3
        s.log = (s.log, code)
        s.ply += 1
        s.turn = code >> 1 & 1
        if action < actions.PUT:
            s.marker, s.forced = action, NONE
            s.used += () if action in MAINS else (action,)
        elif action >= actions.FORCE:
            s.forced = action - actions.FORCE


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
    asks.SWAP_OTHER: (1, CELL_NUMBER),
    asks.KEEP: (1, _SPECIAL_NUMBER),
}


def _read_chosen(s: GatsbyState, chosen: Json) -> None:
    """What was already chosen for this X, swap or D."""
    size, numbers = _CHOSEN.get(s.ask, (0, {}))
    found = names(listed(chosen, "chosen", size), numbers, "chosen")
    s.first, s.second = (*found, NONE, NONE)[:2]


def _read_characters(s: GatsbyState, view: dict[str, Json], seat: int | None, rng: Random, seed: int) -> None:
    """Places, hands and the box, with the unknown characters drawn; and the tiles beside them."""
    cast = read_cast(view, seat)
    cast_characters(cast, rng, over=s.ask == asks.OVER)
    s.at = tuple(cast.at)
    s.claimed = [cast.hand(who) for who in (0, 1)]
    s.known = [cast.known(who) for who in (0, 1)]
    tiles = tuple(_tile(entry) for entry in listed(view["tiles"], "tiles", len(TILES)))
    require(len({tile for tile, _ in tiles}) == len(TILES), "a tile lies on two quadrants")
    s.deal = Deal(
        seed=seed,
        starter=whole(view["starter"], 0, 1, "starter"),
        tiles=tiles,
        prints=printed_bonuses(tiles),
        up=cast.up,
        box=tuple(cast.box),
    )


def _tile(entry: Json) -> tuple[int, int]:
    name, turns = listed(entry, "a tile with its turns", 2)
    return named(name, TILE_NUMBER, "a tile"), whole(turns, 0, 3, "quarter turns")


def _read_specials(s: GatsbyState, view: dict[str, Json], seat: int | None, rng: Random) -> None:
    """Slots, pile and what left the game, with the unknown specials drawn."""
    slots = [named_or_null(slot, _SPECIAL_NUMBER, "a slot") for slot in listed(view["slots"], "slots", 2)]
    aside = [list(names(row, _SPECIAL_NUMBER, "aside")) for row in listed(view["aside"], "aside", 2)]
    left_out = [_specials(row, "left_out") for row in listed(view["left_out"], "left_out", 2)]
    drawn = [] if view["pending"] is None else _specials(view["pending"]["drawn"], "drawn")
    if seat is None:
        pile = list(names(view["deck"], _SPECIAL_NUMBER, "deck"))
    else:
        pile = [UNKNOWN] * whole(view["pile"], 0, len(SPECIALS), "pile")
    held = [special for special in (*slots, s.first if s.ask == asks.KEEP else NONE) if special != NONE]
    draw_specials([held, list(s.used), *aside, *left_out, drawn, pile], rng)
    s.slots, s.drawn, s.pile = (slots[0], slots[1]), tuple(drawn), tuple(pile)
    s.aside = (tuple(aside[0]), tuple(aside[1]))
    s.left_out = (tuple(left_out[0]), tuple(left_out[1]))


def _specials(row: Json, what: str) -> list[int]:
    return [named(special, _SPECIAL_OR_HIDDEN, what) for special in listed(row, what)]


def _read_tracks_left(s: GatsbyState) -> None:
    """Which tracks can take a token, and which are full and wait for the end of the turn."""
    s.open = s.full = 0
    for track, place in enumerate(TRACK_PLACES):
        if s.at[place] != NONE:
            is_full = s.filled & TRACK_MASK[track] == TRACK_MASK[track]
            s.full |= is_full << track
            s.open |= (not is_full) << track


def _check_asked(s: GatsbyState) -> None:
    """Is this asked at such a point of a turn?"""
    if s.ask in _BETWEEN_ACTIONS:
        blank = s.action == NONE and s.step == 0 and s.last == NONE and not s.tracks and not s.offers
        require(blank, f"{ASKS[s.ask]!r} is asked between actions")
        require(s.forcing == (s.ask == asks.FORCE), "force stands while F waits for its choice")
    else:
        require(s.action != NONE and s.step > 0, f"{ASKS[s.ask]!r} is asked within an action")
        require(s.action == s.marker, "the marker lies on the action that is carried out")
        step = STEPS[s.action][s.step - 1]
        require(s.ask not in _STEP_ASKS or s.ask == step, f"{ASKS[s.ask]!r} is no step of this action now")
    require(bool(s.drawn) == (s.ask in (asks.SETUP_PICK, asks.PICK)), "specials are drawn to be picked from")
    _ASKED_CHECKS.get(s.ask, _nothing_more)(s)


_STEP_ASKS = (asks.CABARET, asks.CABARET_NEXT, asks.CABARET_ANY, asks.TRACK, asks.TRACK_CELL)


def _nothing_more(s: GatsbyState) -> None:
    pass


def _check_setup(s: GatsbyState) -> None:
    require(s.turn == 1 - s.deal.starter, "the seat that doesn't start makes the choices of the setup")
    untouched = not s.filled and not any(s.floors) and NONE not in s.at
    require(untouched, "nothing lies on the table before the setup is done")


def _check_action(s: GatsbyState) -> None:
    require(s.forced == NONE or s.forced in open_actions(s, s.turn), "the forced action can't be chosen")


def _check_offer(s: GatsbyState) -> None:
    require(bool(s.offers) and can_use(s, s.offers[0]), "the offered bonus could do nothing")


def _check_second_place(s: GatsbyState) -> None:
    require(s.at[s.first] != NONE, "no character lies on the chosen place")


def _check_both_places(s: GatsbyState) -> None:
    require(s.first < s.second and NONE not in (s.at[s.first], s.at[s.second]), "no two characters lie there")


def _check_own_token(s: GatsbyState) -> None:
    require(bool(s.tokens[s.turn] >> s.first & 1), "the chosen cell holds no own token")


def _check_two_specials(s: GatsbyState) -> None:
    require(s.slots[s.turn] != NONE, "there is no second special to choose from")


_ASKED_CHECKS = {
    asks.SETUP_PICK: _check_setup,
    asks.SETUP_CIRCLE: _check_setup,
    asks.ACTION: _check_action,
    asks.OFFER: _check_offer,
    asks.X_SECOND: _check_second_place,
    asks.X_SWAP: _check_both_places,
    asks.SWAP_OTHER: _check_own_token,
    asks.KEEP: _check_two_specials,
}


def _check_table(s: GatsbyState) -> None:
    """Does the table fit the log, and is the game over exactly when it should be?"""
    in_setup = PHASES[s.ask] == "setup"
    require(s.ply == s.ask if in_setup else s.ply > asks.SETUP_CIRCLE, "the log is too short or too long")
    require(in_setup or s.filled & CABARET != 0, "the first token lies in the cabaret")
    require(s.ask == asks.ACTION or s.forced == NONE, "a forced action is chosen at once")
    s.result = judge(hands=s.claimed, at=s.at, slots=s.slots, aside=s.aside, mover=s.turn)
    require(bool(s.result) == (s.ask == asks.OVER), "the game is over when a seat has won or a place is empty")
    if s.ask in _BETWEEN_ACTIONS:
        require(not due_claims(s, s.turn), "a character that is due was not claimed")
