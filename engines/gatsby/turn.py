"""How a turn goes: the action, its steps, the bonuses they fire, the claims, and the next turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engines.gatsby import actions, asks
from engines.gatsby.asks import STEPS
from engines.gatsby.bonuses import can_use, use
from engines.gatsby.choices import CHOICES
from engines.gatsby.moves import advance, ask, leftmost, put, put_on_same_track
from engines.gatsby.scoring import Claim, cabaret_claims, finance_claims, judge, racetrack_claims
from engines.gatsby.tables import MAINS, NONE, TRACK_MASK, TRACK_OF, TRACK_PLACES

if TYPE_CHECKING:
    from engines.gatsby.state import GatsbyState


def settle(s: GatsbyState) -> None:
    """Offer what was fired, then begin the next steps, until somebody must choose."""
    while True:
        while s.offers:
            if can_use(s, s.offers[0]):  # GA 5.1: what can do nothing is not offered
                ask(s, asks.OFFER)
                return
            s.offers = s.offers[1:]
        steps = STEPS[s.action]
        if s.step == len(steps):
            end_turn(s)
            return
        kind = steps[s.step]
        s.step += 1
        if kind == asks.ADVANCE:
            advance(s)
        elif kind == asks.TRACK_SAME:
            put_on_same_track(s)
        else:
            legal = CHOICES[kind](s)
            if legal:  # GA 4.3: a step that can't be done is skipped
                s.ask = kind
                s.legal = legal
                return


# Answers: one function for each thing asked


def _setup_pick(s: GatsbyState, action: int) -> None:
    _take_special(s, action - actions.PICK)
    ask(s, asks.SETUP_CIRCLE)


def _setup_circle(s: GatsbyState, action: int) -> None:
    put(s, action - actions.PUT)
    begin_turn(s, s.deal.starter)


def _action(s: GatsbyState, action: int) -> None:
    s.action = s.marker = action
    s.forced = NONE
    if action not in MAINS:  # GA 4.4: a special leaves its slot when it is chosen
        s.slots = (NONE, s.slots[1]) if s.turn == 0 else (s.slots[0], NONE)
        s.used += (action,)
    settle(s)


def _cabaret_step(s: GatsbyState, action: int) -> None:
    s.last = action - actions.PUT
    put(s, s.last)
    settle(s)


def _track_step(s: GatsbyState, action: int) -> None:
    track = action - actions.LANE
    s.tracks |= 1 << track
    put(s, leftmost(s, track))
    settle(s)


def _track_cell_step(s: GatsbyState, action: int) -> None:
    cell = action - actions.PUT
    s.tracks |= 1 << TRACK_OF[cell]
    put(s, cell)
    settle(s)


def _influence(s: GatsbyState, action: int) -> None:
    """A token of bonus I; it leaves no trace in what later steps lean on (GA 4.7)."""
    put(s, leftmost(s, action - actions.LANE) if action >= actions.LANE else action - actions.PUT)
    settle(s)


def _offer(s: GatsbyState, action: int) -> None:
    s.offers = s.offers[1:]
    if action >= actions.SKIP or not use(s, action - actions.TAKE):
        settle(s)


def _x_first(s: GatsbyState, action: int) -> None:
    s.first = action - actions.TOUCH
    ask(s, asks.X_SECOND)


def _x_second(s: GatsbyState, action: int) -> None:
    """Both places are fixed: now the seat looks, and the other forgets what it can't follow (GA 5.2, 7.2)."""
    s.second = action - actions.TOUCH
    me = s.turn
    pair = _touched(s)
    s.known[me] |= pair
    if not pair & s.deal.up:
        s.known[1 - me] &= ~pair
    ask(s, asks.X_SWAP)


def _exchange_first(s: GatsbyState, action: int) -> None:
    s.first = action - actions.TOUCH
    ask(s, asks.EXCHANGE_SECOND)


def _exchange_second(s: GatsbyState, action: int) -> None:
    """GA 4.6: S7 looks and exchanges, and everybody knows: what the other seat knew moves with the characters."""
    s.second = action - actions.TOUCH
    s.known[s.turn] |= _touched(s)
    _exchange(s)
    s.first = s.second = NONE
    settle(s)


def _touched(s: GatsbyState) -> int:
    """The two characters in hand, as a mask."""
    return 1 << s.at[s.first] | 1 << s.at[s.second]


def _x_swap(s: GatsbyState, action: int) -> None:
    if not _touched(s) & s.deal.up and s.log:  # GA 5.2: nobody else sees whether two face-down ones were swapped
        s.log = (s.log[0], s.log[1] | 1)
    if action == actions.EXCHANGE:
        _exchange(s)
    s.first = s.second = NONE
    settle(s)


def _exchange(s: GatsbyState) -> None:
    """The two characters in hand change places, each with its face."""
    at = list(s.at)
    at[s.first], at[s.second] = at[s.second], at[s.first]
    s.at = tuple(at)


def _swap_own(s: GatsbyState, action: int) -> None:
    s.first = action - actions.SWAP
    ask(s, asks.SWAP_OTHER)


def _swap_other(s: GatsbyState, action: int) -> None:
    pair = 1 << s.first | 1 << action - actions.SWAP
    s.tokens[0] ^= pair
    s.tokens[1] ^= pair
    s.first = NONE
    settle(s)


def _pick(s: GatsbyState, action: int) -> None:
    """GA 5.7: into an empty slot at once; else the seat chooses between the two."""
    special = action - actions.PICK
    if s.slots[s.turn] == NONE:
        _take_special(s, special)
        settle(s)
    else:
        s.first = special
        _leave_out(s, special)
        ask(s, asks.KEEP)


def _keep(s: GatsbyState, action: int) -> None:
    me = s.turn
    kept = action - actions.KEEP
    other = s.slots[me] if kept == s.first else s.first
    s.slots = (kept, s.slots[1]) if me == 0 else (s.slots[0], kept)
    s.aside = (s.aside[0] + (other,), s.aside[1]) if me == 0 else (s.aside[0], s.aside[1] + (other,))
    s.first = NONE
    settle(s)


def _take_special(s: GatsbyState, special: int) -> None:
    """Into the own slot; the other drawn ones leave the game."""
    s.slots = (special, s.slots[1]) if s.turn == 0 else (s.slots[0], special)
    _leave_out(s, special)


def _leave_out(s: GatsbyState, picked: int) -> None:
    """All drawn specials but the picked one leave the game; the drawer remembers them (GA 7.2)."""
    rest = tuple(special for special in s.drawn if special != picked)
    mine, yours = s.left_out
    s.left_out = (mine + rest, yours) if s.turn == 0 else (mine, yours + rest)
    s.drawn = ()


def _force(s: GatsbyState, action: int) -> None:
    s.forced = action - actions.FORCE
    begin_turn(s, 1 - s.turn)


def _over(s: GatsbyState, action: int) -> None:
    raise AssertionError("nothing is legal when the game is over")


TAKE_ACTION: tuple[Callable[[GatsbyState, int], None], ...] = (
    _setup_pick,
    _setup_circle,
    _action,
    _cabaret_step,
    _cabaret_step,
    _cabaret_step,
    _track_step,
    _track_cell_step,
    _influence,
    _offer,
    _x_first,
    _x_second,
    _x_swap,
    _exchange_first,
    _exchange_second,
    _swap_own,
    _swap_other,
    _pick,
    _keep,
    _force,
    _over,
)


# The end of a turn


def due_claims(s: GatsbyState, mover: int) -> list[Claim]:
    """All that both seats may claim now (GA 6.1)."""
    claims = cabaret_claims(s.tokens, s.at, mover) + finance_claims(s.floors, s.at, mover)
    return claims + racetrack_claims(s.tokens, s.full) if s.full else claims


def make_claims(s: GatsbyState, claims: list[Claim]) -> None:
    """Hand the characters over and close the tracks that were full."""
    at = list(s.at)
    for place, seat in claims:
        character = 1 << at[place]
        s.claimed[seat] |= character
        s.known[seat] |= character  # GA 6.1: a face-down one is seen by its owner only
        at[place] = NONE
    s.at = tuple(at)
    for track, place in enumerate(TRACK_PLACES):
        if s.full >> track & 1 and at[place] == NONE:
            s.tokens[0] &= ~TRACK_MASK[track]
            s.tokens[1] &= ~TRACK_MASK[track]
            s.filled &= ~TRACK_MASK[track]
    s.full = 0


def end_turn(s: GatsbyState) -> None:
    """Claims, the end of the game if it has come, bonus F, and the other seat's turn."""
    me = s.turn
    _clear_turn(s)
    claims = due_claims(s, me)
    if claims:
        make_claims(s, claims)
        s.result = judge(hands=s.claimed, at=s.at, slots=s.slots, aside=s.aside, mover=me)
        if s.result:
            _finish(s)
            return
    if s.forcing:  # GA 5.6: after this turn's claims, and not if the game ended
        ask(s, asks.FORCE)
    else:
        begin_turn(s, 1 - me)


def _clear_turn(s: GatsbyState) -> None:
    """Forget what only the steps of one action lean on."""
    s.action = s.last = NONE
    s.step = s.tracks = 0


def begin_turn(s: GatsbyState, seat: int) -> None:
    """Ask a seat for its action."""
    s.to_act = s.turn = seat
    s.forcing = False
    ask(s, asks.ACTION)


def _finish(s: GatsbyState) -> None:
    """GA 7.4: the end shows all claimed characters to both seats."""
    both = s.claimed[0] | s.claimed[1]
    s.known[0] |= both
    s.known[1] |= both
    s.to_act = None
    s.forcing = False
    ask(s, asks.OVER)
