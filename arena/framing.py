"""The state at every ply for a viewer: the first frame whole, then only what changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.record import MatchRecord, PlayedAction
from arena.replay import states
from engines import State

Json = Any
Op = list[Json]


@dataclass(frozen=True, slots=True)
class Frame:
    """The position after `ply` actions: whole in `state`, or as `changes` against the frame before.

    entry is the line that the action leading here left in this viewer's log; None at ply 0. A frame that is told has
    nothing else: it is of a match under older rules, past what ours accept.
    """

    ply: int
    entry: str | None
    state: dict[str, Json] | None
    changes: tuple[Op, ...] = ()
    is_told: bool = False

    def as_json(self) -> dict[str, Json]:
        if self.is_told:
            return {"ply": self.ply, "entry": self.entry, "told": True}
        if self.state is not None:
            return {"ply": self.ply, "entry": self.entry, "state": self.state}
        return {"ply": self.ply, "entry": self.entry, "changes": [list(op) for op in self.changes]}


def frames(record: MatchRecord, seat: int | None = None, start: int = 0, stop: int | None = None) -> list[Frame]:
    """Frames start to stop (stop left out) as one seat saw them, or for all eyes; raises Unplayable.

    A match of n actions has n + 1 frames. The first frame returned is whole, wherever it starts.
    """
    last = len(record.actions) + 1 if stop is None else min(stop, len(record.actions) + 1)
    if seat is not None and not 0 <= seat < len(record.order.seats):
        raise ValueError(f"there is no seat {seat}; the match has seats 0 to {len(record.order.seats) - 1}")
    return list(_frames(record, seat, max(start, 0), last))


def _frames(record: MatchRecord, seat: int | None, start: int, stop: int) -> Iterator[Frame]:
    before: dict[str, Json] | None = None
    drawn = 0
    for ply, state in enumerate(states(record)):
        if ply >= stop:
            return
        drawn = ply + 1
        if ply < start:
            continue
        now, entry = _seen(state, seat, record.actions[ply - 1] if ply else None)
        if before is None:
            yield Frame(ply=ply, entry=entry, state=now)
        else:
            yield Frame(ply=ply, entry=entry, state=None, changes=tuple(changes_between(before, now)))
        before = now
    for ply in range(max(start, drawn), stop):
        yield Frame(ply=ply, entry=told(record.actions[ply - 1], seat) if ply else None, state=None, is_told=True)


def _seen(state: State, seat: int | None, played: PlayedAction | None) -> tuple[dict[str, Json], str | None]:
    seen = state.observe(seat)
    log = seen.pop("log", [])
    return seen, _entry(log, seat, played) if played else None


def _entry(log: list[str], seat: int | None, played: PlayedAction) -> str:
    """The line of the action that led here; one that begins a new log is told to its own seat and to all eyes."""
    return log[-1] if log else told(played, seat)


def told(played: PlayedAction, seat: int | None) -> str:
    """The line of an action without its game: its text is for its own seat and for all eyes."""
    return f"{played.seat} {played.text if seat in (None, played.seat) else '?'}"


def changes_between(old: Json, new: Json) -> Iterator[Op]:
    """The operations that turn old into new, in the order they are to be applied.

    ["=", path, value] sets a member or an item (an index one past the end appends);
    ["-", path] removes a member; ["#", path, n] cuts a list to its first n items.
    """
    yield from _changes(old, new, [])


def _changes(old: Json, new: Json, path: list[Json]) -> Iterator[Op]:
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _member_changes(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _item_changes(old, new, path)
    elif type(old) is not type(new) or old != new:
        yield ["=", path, new]


def _member_changes(old: dict[str, Json], new: dict[str, Json], path: list[Json]) -> Iterator[Op]:
    for key in sorted(old.keys() - new.keys()):
        yield ["-", [*path, key]]
    for key, value in new.items():
        if key in old:
            yield from _changes(old[key], value, [*path, key])
        else:
            yield ["=", [*path, key], value]


def _item_changes(old: list[Json], new: list[Json], path: list[Json]) -> Iterator[Op]:
    for index, value in enumerate(new):
        if index < len(old):
            yield from _changes(old[index], value, [*path, index])
        else:
            yield ["=", [*path, index], value]
    if len(new) < len(old):
        yield ["#", path, len(new)]


def apply_changes(state: Json, changes: tuple[Op, ...] | list[Op]) -> Json:
    """The next state from the one before; changes it in place and returns it."""
    for op in changes:
        kind, path = op[0], op[1]
        if not path:
            # Only a list at the very top could be cut here, and states are objects.
            raise ValueError(f"{op!r} has an empty path")
        if kind == "#":
            del _at(state, path)[op[2] :]
        elif kind == "-":
            del _at(state, path[:-1])[path[-1]]
        else:
            _put(_at(state, path[:-1]), path[-1], op[2])
    return state


def _at(state: Json, path: list[Json]) -> Json:
    for step in path:
        state = state[step]
    return state


def _put(holder: Json, key: Json, value: Json) -> None:
    if isinstance(holder, list) and key == len(holder):
        holder.append(value)
    else:
        holder[key] = value
