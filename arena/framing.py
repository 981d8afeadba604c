"""The state at every ply for a viewer: the first frame whole, then only what changed; and each action in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from arena.plain import has_drawing
from arena.record import MatchRecord, PlayedAction
from arena.replay import states
from engines import State
from engines.api import Json, Observation

Op = list[Json]
PUBLIC: Final = "public"
View = int | None | Literal["public"]  # a seat's, with everything, or what every seat knows


@dataclass(frozen=True, slots=True)
class Spoken:
    """A frame in the game's own words; `{0}` stands for the name of whoever sits in seat 0, which no record holds.

    said is what the action did, asked what is to be chosen next, mark one word for the time line if it was notable,
    table the position as text where the viewer has no drawing of the game, by_seat the fields it then shows by seat.
    """

    said: str | None
    asked: str
    mark: str | None = None
    table: str | None = None
    by_seat: tuple[str, ...] | None = None

    def as_json(self) -> dict[str, Json]:
        told = {"said": self.said, "next": self.asked, "mark": self.mark, "table": self.table, "by_seat": self.by_seat}
        return {key: value for key, value in told.items() if value is not None}


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
    spoken: Spoken | None = None
    is_told: bool = False

    def as_json(self) -> dict[str, Json]:
        if self.is_told:
            return {"ply": self.ply, "entry": self.entry, "told": True}
        words = self.spoken.as_json() if self.spoken else {}
        if self.state is not None:
            return {"ply": self.ply, "entry": self.entry, "state": self.state, **words}
        return {"ply": self.ply, "entry": self.entry, "changes": [list(op) for op in self.changes], **words}


def frames(record: MatchRecord, view: View = None, start: int = 0, stop: int | None = None) -> list[Frame]:
    """Frames start to stop (stop left out) as one seat saw them, as anybody may, or with everything; raises Unplayable.

    A match of n actions has n + 1 frames. The first frame returned is whole, wherever it starts.
    """
    last = len(record.actions) + 1 if stop is None else min(stop, len(record.actions) + 1)
    if isinstance(view, int) and not 0 <= view < len(record.order.seats):
        raise ValueError(f"there is no seat {view}; the match has seats 0 to {len(record.order.seats) - 1}")
    return list(_frames(record, view, max(start, 0), last))


def _frames(record: MatchRecord, view: View, start: int, stop: int) -> Iterator[Frame]:
    camera = Camera(view)
    told_from = 0
    for ply, state in enumerate(states(record)):
        if ply >= stop:
            return
        told_from = ply + 1
        if ply >= start - 1:
            frame = camera.take(state, record.actions[ply - 1] if ply else None, is_whole=ply == start)
            if ply >= start:
                yield frame
    for ply in range(max(start, told_from), stop):
        yield Frame(ply=ply, entry=told(record.actions[ply - 1], view) if ply else None, state=None, is_told=True)


class Camera:
    """Takes the frames of one game, ply after ply; what it knows of a state is what its view shows."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._before: Observation | None = None

    def take(self, state: State, played: PlayedAction | None, *, is_whole: bool = False) -> Frame:
        """The frame of a state that this action led to; the first one, and one that is asked for whole, is so."""
        before, now = self._before, seen_by(state, self._view)
        self._before = now
        entry = _entry(now["log"], self._view, played) if played else None
        words = spoken(state, entry, before, now)
        if is_whole or before is None:
            return Frame(now["ply"], entry, drawn(now), (), words)
        return Frame(now["ply"], entry, None, tuple(changes_between(drawn(before), drawn(now))), words)


def seen_by(state: State, view: View) -> Observation:
    """A state as a seat sees it, as anybody may see it, or with everything but the seed."""
    return state.public() if view == PUBLIC else state.observe(view)


def drawn(seen: Observation) -> dict[str, Json]:
    """What a viewer draws: all of an observation but the log, of which a frame has its own line."""
    return {key: value for key, value in seen.items() if key != "log"}


def spoken(state: State, entry: str | None, before: Observation | None, now: Observation) -> Spoken:
    words, names = state.game.words, [f"{{{seat}}}" for seat in range(now["seats"])]
    is_plain = not has_drawing(state.game.name)
    table, by_seat = (words.board(now), words.by_seat) if is_plain else (None, None)
    asked = words.asked(now, names)
    if entry is None or before is None:
        return Spoken(None, asked, None, table, by_seat)
    return Spoken(words.sentence(entry, before, now, names), asked, words.mark(entry, before, now), table, by_seat)


def _entry(log: list[str], view: View, played: PlayedAction) -> str:
    """The line of the action that led here; one that begins a new log is told to who may read its text."""
    return log[-1] if log else told(played, view)


def told(played: PlayedAction, view: View) -> str:
    """The line of an action without its game: its text is for its own seat and for whoever sees everything."""
    return f"{played.seat} {played.text if view in (None, played.seat) else '?'}"


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
