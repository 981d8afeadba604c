"""The kinds of choice: what is legal in each and what taking it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.choices import Choice, by_number, over
from engines.gatsby import actions
from engines.gatsby.actions import LANES, TAKE_OR_SKIP, TOUCH, Choices, put_on, put_on_track_cells, swap_on
from engines.gatsby.bonuses import use
from engines.gatsby.moves import exchange, leftmost, put, swap_tokens, two_in_hand
from engines.gatsby.position import (
    ACTION,
    CABARET,
    CABARET_ANY,
    CABARET_NEXT,
    EXCHANGE_FIRST,
    EXCHANGE_SECOND,
    FORCE,
    INFLUENCE,
    KEEP,
    OFFER,
    OVER,
    PICK,
    SETUP_CIRCLE,
    SETUP_PICK,
    SWAP_OTHER,
    SWAP_OWN,
    TRACK,
    TRACK_CELL,
    X_FIRST,
    X_SECOND,
    X_SWAP,
    Position,
)
from engines.gatsby.steps import has_supply, open_actions
from engines.gatsby.tables import (
    CABARET_MASK,
    CELL_NUMBER,
    CIRCLES,
    MAINS,
    NEAR,
    NONE,
    PLACE_NUMBER,
    PLACES,
    SPECIAL_NUMBER,
    TRACK_MASK,
    TRACK_OF,
    TRACKS,
)
from engines.gatsby.turns import begin_turn, settle

# --- setup (GA 3.3) ---


def _drawn(s: Position) -> Choices:
    return tuple(sorted(actions.PICK + special for special in s.drawn))


def _pick_in_setup(s: Position, action: int) -> None:
    _take_special(s, action - actions.PICK)
    s.choice = SETUP_CIRCLE


def _circles(s: Position) -> Choices:
    return put_on(CIRCLES & ~s.filled)


def _first_token(s: Position, action: int) -> None:
    put(s, action - actions.PUT)
    begin_turn(s, s.deal.starter)


# --- an action (GA 4.1, 5.6) ---


def _open_actions(s: Position) -> Choices:
    if s.forced != NONE:  # GA 5.6: the next turn has that single choice
        return (s.forced,)
    return open_actions(s, s.turn)


def _begin_action(s: Position, action: int) -> None:
    s.action = s.marker = action
    s.forced = NONE
    if action not in MAINS:  # GA 4.4: a special leaves its slot when it is chosen
        s.slots = (NONE, s.slots[1]) if s.turn == 0 else (s.slots[0], NONE)
        s.used += (action,)
    settle(s)


def _forcible(s: Position) -> Choices:
    return tuple(actions.FORCE + action for action in open_actions(s, 1 - s.turn))


def _force(s: Position, action: int) -> None:
    s.forced = action - actions.FORCE
    begin_turn(s, 1 - s.turn)


# --- tokens (GA 2.2, 2.5, 4.5, 4.7) ---


def _cabaret_rim(s: Position) -> Choices:
    return put_on(s.rim) if has_supply(s, s.turn) else ()


def _next_to_last(s: Position) -> Choices:
    # GA 4.7: next to the cell of the own step before, whoever's token lies there by now.
    if s.last == NONE or not has_supply(s, s.turn):
        return ()
    return put_on(NEAR[s.last] & ~s.filled)


def _cabaret_cells(s: Position) -> Choices:
    return put_on(CABARET_MASK & ~s.filled) if has_supply(s, s.turn) else ()


def _put_in_cabaret(s: Position, action: int) -> None:
    s.last = action - actions.PUT
    put(s, s.last)
    settle(s)


def _open_tracks(s: Position) -> Choices:
    # GA 4.7: tracks filled by the own steps before are out; tokens of bonus I don't count.
    return LANES[s.open & ~s.tracks] if has_supply(s, s.turn) else ()


def _put_on_track(s: Position, action: int) -> None:
    track = action - actions.LANE
    s.tracks |= 1 << track
    put(s, leftmost(s, track))
    settle(s)


def _track_cells(s: Position) -> Choices:
    if not has_supply(s, s.turn):
        return ()
    cells = sum(TRACK_MASK[track] for track in range(TRACKS) if s.open >> track & 1)
    return put_on_track_cells(cells & ~s.filled)


def _put_on_track_cell(s: Position, action: int) -> None:
    cell = action - actions.PUT
    s.tracks |= 1 << TRACK_OF[cell]
    put(s, cell)
    settle(s)


def _anywhere(s: Position) -> Choices:
    return put_on(s.rim) + LANES[s.open] if has_supply(s, s.turn) else ()


def _put_anywhere(s: Position, action: int) -> None:
    """A token of bonus I; it leaves no trace in what later steps lean on (GA 4.7)."""
    put(s, leftmost(s, action - actions.LANE) if action >= actions.LANE else action - actions.PUT)
    settle(s)


def _own_tokens(s: Position) -> Choices:
    me = s.turn
    return swap_on(s.tokens[me]) if s.tokens[1 - me] else ()


def _choose_own(s: Position, action: int) -> None:
    s.first = action - actions.SWAP
    s.choice = SWAP_OTHER


def _other_tokens(s: Position) -> Choices:
    return swap_on(s.tokens[1 - s.turn])


def _swap_tokens(s: Position, action: int) -> None:
    swap_tokens(s, s.first, action - actions.SWAP)
    s.first = NONE
    settle(s)


# --- bonuses (GA 5.1) ---


def _offer(s: Position) -> Choices:
    return TAKE_OR_SKIP[s.offers[0]] if s.offers else ()


def _take_or_skip(s: Position, action: int) -> None:
    s.offers = s.offers[1:]
    if action >= actions.SKIP or not use(s, action - actions.TAKE):
        settle(s)


# --- characters (GA 4.6, 5.2) ---


def _first_places(s: Position) -> Choices:
    # Two places in ascending order, so that each pair has one spelling: the last one can't come first.
    return tuple(TOUCH + place for place, character in enumerate(s.at) if character != NONE)[:-1]


def _second_places(s: Position) -> Choices:
    return tuple(TOUCH + place for place in range(s.first + 1, len(PLACES)) if s.at[place] != NONE)


def _touch_first(s: Position, action: int) -> None:
    s.first = action - TOUCH
    s.choice = X_SECOND


def _touch_second(s: Position, action: int) -> None:
    """Both places are fixed: now the seat looks, and the other forgets what it can't follow (GA 5.2, 7.2)."""
    s.second = action - TOUCH
    me = s.turn
    pair = two_in_hand(s)
    s.known[me] |= pair
    if not pair & s.deal.up:
        s.known[1 - me] &= ~pair
    s.choice = X_SWAP


def _stay_or_swap(s: Position) -> Choices:
    return (actions.STAY, actions.EXCHANGE)


def _put_back(s: Position, action: int) -> None:
    if not two_in_hand(s) & s.deal.up and s.log:  # GA 5.2: nobody else sees whether two face-down ones were swapped
        s.log = (s.log[0], s.log[1] | 1)
    if action == actions.EXCHANGE:
        exchange(s)
    s.first = s.second = NONE
    settle(s)


def _exchange_first(s: Position, action: int) -> None:
    s.first = action - TOUCH
    s.choice = EXCHANGE_SECOND


def _exchange_second(s: Position, action: int) -> None:
    """GA 4.6: S7 looks and exchanges, and everybody knows: what the other seat knew moves with the characters."""
    s.second = action - TOUCH
    s.known[s.turn] |= two_in_hand(s)
    exchange(s)
    s.first = s.second = NONE
    settle(s)


# --- specials (GA 5.7) ---


def _pick(s: Position, action: int) -> None:
    """Into an empty slot at once; else the seat chooses between the two."""
    special = action - actions.PICK
    if s.slots[s.turn] == NONE:
        _take_special(s, special)
        settle(s)
    else:
        s.first = special
        _leave_out(s, special)
        s.choice = KEEP


def _both_specials(s: Position) -> Choices:
    return tuple(sorted((actions.KEEP + s.first, actions.KEEP + s.slots[s.turn])))


def _keep(s: Position, action: int) -> None:
    me = s.turn
    kept = action - actions.KEEP
    other = s.slots[me] if kept == s.first else s.first
    s.slots = (kept, s.slots[1]) if me == 0 else (s.slots[0], kept)
    s.aside = (s.aside[0] + (other,), s.aside[1]) if me == 0 else (s.aside[0], s.aside[1] + (other,))
    s.first = NONE
    settle(s)


def _take_special(s: Position, special: int) -> None:
    """Into the own slot; the other drawn ones leave the game."""
    s.slots = (special, s.slots[1]) if s.turn == 0 else (s.slots[0], special)
    _leave_out(s, special)


def _leave_out(s: Position, picked: int) -> None:
    """All drawn specials but the picked one leave the game; the drawer remembers them (GA 7.2)."""
    rest = tuple(special for special in s.drawn if special != picked)
    mine, yours = s.left_out
    s.left_out = (mine + rest, yours) if s.turn == 0 else (mine, yours + rest)
    s.drawn = ()


# --- the rows ---


def _step(
    number: int,
    name: str,
    asked: str,
    legal: Callable[[Position], Choices],
    take: Callable[[Position, int], None],
    *chosen: Mapping[str, int],
) -> Choice[Position]:
    """A choice within an action."""
    return Choice(number, name, "steps", asked, legal, take, chosen)


CHOICES = by_number(
    Choice(SETUP_PICK, "setup_pick", "setup", "one of the two drawn specials", _drawn, _pick_in_setup),
    Choice(SETUP_CIRCLE, "setup_circle", "setup", "a circle cell for the first token", _circles, _first_token),
    Choice(ACTION, "action", "action", "an action", _open_actions, _begin_action),
    _step(CABARET, "cabaret", "an empty cabaret cell next to a token", _cabaret_rim, _put_in_cabaret),
    _step(CABARET_NEXT, "cabaret_next", "an empty cell next to the token before", _next_to_last, _put_in_cabaret),
    _step(CABARET_ANY, "cabaret_any", "an empty cabaret cell", _cabaret_cells, _put_in_cabaret),
    _step(TRACK, "track", "an open track not yet used by this action", _open_tracks, _put_on_track),
    _step(TRACK_CELL, "track_cell", "an empty cell of an open track", _track_cells, _put_on_track_cell),
    _step(INFLUENCE, "influence", "a cabaret cell or a track for the token of bonus I", _anywhere, _put_anywhere),
    _step(OFFER, "offer", "whether to take the bonus", _offer, _take_or_skip),
    _step(X_FIRST, "x_first", "the first of two characters to look at", _first_places, _touch_first),
    _step(X_SECOND, "x_second", "the second character to look at", _second_places, _touch_second, PLACE_NUMBER),
    _step(X_SWAP, "x_swap", "whether to swap the two", _stay_or_swap, _put_back, PLACE_NUMBER, PLACE_NUMBER),
    _step(EXCHANGE_FIRST, "exchange_first", "the first of two characters to exchange", _first_places, _exchange_first),
    _step(EXCHANGE_SECOND, "exchange_second", "the second one", _second_places, _exchange_second, PLACE_NUMBER),
    _step(SWAP_OWN, "swap_own", "an own token to swap", _own_tokens, _choose_own),
    _step(SWAP_OTHER, "swap_other", "a token of the other seat", _other_tokens, _swap_tokens, CELL_NUMBER),
    _step(PICK, "pick", "one of the drawn specials", _drawn, _pick),
    _step(KEEP, "keep", "the special that stays in the slot", _both_specials, _keep, SPECIAL_NUMBER),
    Choice(FORCE, "force", "force", "the other seat's next action", _forcible, _force),
    over(OVER),
)
_LEGAL = tuple(row.legal for row in CHOICES)
TAKE = tuple(row.take for row in CHOICES)
NUMBERS = {row.name: row.number for row in CHOICES}


def ask(s: Position) -> None:
    """Find out what may be chosen; a step that can't be done is skipped (GA 4.3)."""
    legal = _LEGAL[s.choice](s)
    while not legal and s.to_act is not None:
        settle(s)
        legal = _LEGAL[s.choice](s)
    s.legal = legal
