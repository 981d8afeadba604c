"""How a turn goes from one choice to the next: the steps, the bonuses they fire, the claims, and the next turn."""

from __future__ import annotations

from engines.gatsby.bonuses import can_use
from engines.gatsby.moves import advance, put_on_same_track
from engines.gatsby.position import ACTION, FORCE, OFFER, OVER, Position
from engines.gatsby.scoring import PlaceClaim, cabaret_claims, finance_claims, judge, racetrack_claims
from engines.gatsby.steps import ADVANCE, STEPS, TRACK_SAME
from engines.gatsby.tables import NONE, TRACK_MASK, TRACK_PLACES


def settle(s: Position) -> None:
    """Offer what was fired, then begin the next steps, until there is something to choose."""
    while True:
        while s.offers:
            if can_use(s, s.offers[0]):  # GA 5.1: what can do nothing is not offered
                s.choice = OFFER
                return
            s.offers = s.offers[1:]
        steps = STEPS[s.action]
        if s.step == len(steps):
            end_turn(s)
            return
        step = steps[s.step]
        s.step += 1
        if step == ADVANCE:
            advance(s)
        elif step == TRACK_SAME:
            put_on_same_track(s)
        else:
            s.choice = step
            return


def begin_turn(s: Position, seat: int) -> None:
    """Ask a seat for its action."""
    s.to_act = s.turn = seat
    s.forcing = False
    s.choice = ACTION


def end_turn(s: Position) -> None:
    """Claims, the end of the game if it has come, bonus F, and the other seat's turn."""
    me = s.turn
    s.action = s.last = NONE
    s.step = s.tracks = 0
    claims = due_claims(s, me)
    if claims:
        _make_claims(s, claims)
        s.result = judge(hands=s.claimed, at=s.at, slots=s.slots, aside=s.aside, mover=me)
        if s.result:
            _finish(s)
            return
    if s.forcing:  # GA 5.6: after this turn's claims, and not if the game ended
        s.choice = FORCE
    else:
        begin_turn(s, 1 - me)


def due_claims(s: Position, mover: int) -> list[PlaceClaim]:
    """All that both seats may claim now (GA 6.1)."""
    claims = cabaret_claims(s.tokens, s.at, mover) + finance_claims(s.floors, s.at, mover)
    return claims + racetrack_claims(s.tokens, s.full) if s.full else claims


def _make_claims(s: Position, claims: list[PlaceClaim]) -> None:
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


def _finish(s: Position) -> None:
    """GA 7.4: the end shows all claimed characters to both seats."""
    both = s.claimed[0] | s.claimed[1]
    s.known[0] |= both
    s.known[1] |= both
    s.to_act = None
    s.forcing = False
    s.choice = OVER
