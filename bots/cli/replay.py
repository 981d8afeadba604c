"""Watch a record: step through it in the terminal, or write one page with the site's own viewer."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from arena import InvalidRecord, MatchRecord, Unplayable, read_record
from arena.framing import frames
from arena.record import PlayedAction
from arena.replay import states
from arena.standalone import standalone_page
from bots.cli.desk import find_record, house_names
from bots.cli.options import JsonFlag
from bots.cli.output import Code, Stop, out, show_json
from engines import State
from engines.api import EngineError
from engines.games import UnknownGame
from engines.telling import table_of, take

KEYS = "Enter: next   b: back   a number: that ply   q: quit"


def replay(
    record: Annotated[Path, typer.Argument(help="A record, .json or .zst.")],
    html: Annotated[Path | None, typer.Option(help="Write one self-contained HTML page here instead.")] = None,
    names: Annotated[
        list[str] | None, typer.Option("--name", help="The name of a seat's bot; give it once per seat, in order.")
    ] = None,
    ply: Annotated[int, typer.Option(min=0, help="Start at this ply.")] = 0,
    all_plies: Annotated[bool, typer.Option("--all", help="Print the whole game without stopping.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Step through a match in the terminal."""
    played = _read(record)
    if names and len(names) > len(played.order.seats):
        raise Stop(f"{len(names)} names are given for {len(played.order.seats)} seats.", Code.USAGE)
    called = names_of(played, names or ())
    try:
        _show(played, called, html=html, ply=ply, at_once=all_plies or not sys.stdin.isatty(), as_json=as_json)
    except (Unplayable, EngineError, UnknownGame) as error:
        raise Stop(f"this record can't be played: {error}", Code.NO, kind="invalid_record") from None


def _show(
    played: MatchRecord, called: Sequence[str], *, html: Path | None, ply: int, at_once: bool, as_json: bool
) -> None:
    if html is not None:
        _write(html, standalone_page(played, called))
        if as_json:
            show_json({"page": str(html), "names": called})
        else:
            out.print(f"Wrote {escape(str(html))}.", soft_wrap=True, highlight=False)
        return
    if as_json:
        show_json([frame.as_json() for frame in frames(played)])
        return
    scenes = _scenes(played, called)
    if at_once:
        for scene in scenes[min(ply, len(scenes) - 1) :]:
            print(scene, end="\n\n")
        return
    _step_through(scenes, ply)


def _read(path: Path) -> MatchRecord:
    found = find_record(path)
    try:
        return read_record(found)
    except (InvalidRecord, OSError) as error:
        raise Stop(f"{path} can't be replayed: {error}", Code.NO, kind="invalid_record") from None


def names_of(record: MatchRecord, given: Sequence[str] = ()) -> list[str]:
    """What the bots are called, by seat: as asked, as the record has it, by a house bot's digest, or not at all."""
    known = house_names(record.order.game)
    found = [known.get(digest, "") for digest in record.order.seats]
    for names in (record.names, given):
        found = [name or other for name, other in zip_longest(names[: len(found)], found, fillvalue="")]
    return found if any(found) else []


def _scenes(record: MatchRecord, names: Sequence[str]) -> list[str]:
    """The table as text before each ply and at the end, with what is about to be done.

    A match under older rules has its actions as the record tells them, and no table where ours don't accept them.
    """
    called = [f"seat {seat}" + (f" ({names[seat]})" if names else "") for seat in range(len(record.order.seats))]
    scenes, is_old = [], record.order.is_outdated
    for ply, state in enumerate(states(record)):
        scenes.append(table_of(state))
        if ply < len(record.actions):
            scenes[-1] += f"\n{_told(ply, record.actions[ply], state, called, is_old=is_old)}"
    for ply, action in enumerate(record.actions[len(scenes) :], start=len(scenes)):
        scenes.append(f"ply {ply}, {called[action.seat]}: {action.text}")
    scenes = scenes or [""]
    if is_old:
        scenes[0] = f"Played under rules {record.order.rules_version}.\n{scenes[0]}"
    ranks = [f"{called[seat]} rank {rank}" for seat, rank in enumerate(record.ranks or ())]
    scenes[-1] += f"\n{record.ending}: {', '.join(ranks) or 'no ranks'}"
    return scenes


def _told(ply: int, action: PlayedAction, state: State, called: Sequence[str], *, is_old: bool) -> str:
    """An action about to be taken: in the game's words, or by its text where its rules may have been others."""
    if is_old:
        return f"ply {ply}, {called[action.seat]}: {action.text}"
    twin = state.copy()
    return f"ply {ply}: {take(twin, twin.parse(action.text), called)}"


def _step_through(scenes: Sequence[str], ply: int) -> None:
    ply = min(ply, len(scenes) - 1)
    while True:
        out.clear()
        print(scenes[ply], end="\n\n")
        try:
            word = input(f"[{ply}/{len(scenes) - 1}] {KEYS} ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return
        if word == "q":
            return
        ply = int(word) if word.isdecimal() and len(word) < 10 else ply - 1 if word == "b" else ply + 1
        ply = max(0, min(ply, len(scenes) - 1))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Stop(f"{path} can't be written: {error.strerror}.", Code.USAGE) from None
