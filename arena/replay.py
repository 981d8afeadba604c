"""Plays the actions of a record again: the states every later question is answered from."""

from __future__ import annotations

from collections.abc import Iterator

from arena.order import InvalidOrder
from arena.record import InvalidRecord, MatchRecord, outcome_json
from engines import State
from engines.api import EngineError


class Unplayable(InvalidRecord):
    """A record whose order or actions this installation cannot play; ply is where it stopped."""

    def __init__(self, message: str, ply: int = 0) -> None:
        super().__init__(message)
        self.ply = ply


def states(record: MatchRecord) -> Iterator[State]:
    """The state before the first action and after each; one object that changes in place. Raises Unplayable.

    Of a match under older rules only those that ours accept: it may end anywhere, also before the first.
    """
    return _accepted(record) if record.order.is_outdated else _played(record)


def _accepted(record: MatchRecord) -> Iterator[State]:
    try:
        for ply, state in enumerate(_played(record)):
            over = record.outcome if ply == len(record.actions) else None
            if outcome_json(state.outcome()) != outcome_json(over):
                return  # by our rules it ends elsewhere, or otherwise
            yield state.copy()  # the one that is played may go a step further than what is accepted
    except Unplayable:
        return


def _played(record: MatchRecord) -> Iterator[State]:
    order, seats = record.order, len(record.order.seats)
    try:
        game = order.known()
        game.check_setup(seats=seats, seed=order.seed, options=order.options)  # one may be called "seed", or "self"
        state = game.new(seats=seats, seed=order.seed, **order.options)
    except (InvalidOrder, EngineError) as error:
        raise Unplayable(str(error)) from error
    yield state
    for ply, action in enumerate(record.actions):
        if state.to_act is None:
            raise Unplayable(f"ply {ply}: the game was already over, but the record goes on", ply)
        if state.to_act != action.seat:
            raise Unplayable(f"ply {ply}: seat {state.to_act} is to act, but the record says {action.seat}", ply)
        try:
            state.apply(state.parse(action.text))
        except EngineError as error:
            raise Unplayable(f"ply {ply}: {error}", ply) from error
        yield state
