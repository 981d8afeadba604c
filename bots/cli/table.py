"""A table at the desk: who sits at it, playing a series there, and what is told of it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from arena import BundleRejected, SandboxUnavailable
from arena.desk.faults import log_end, save_turn, show_fault
from arena.desk.records import names_at
from arena.desk.series import SEED_BITS, Entrant, PlayedMatch, SeriesMatch, play_series
from arena.desk.sheets import plural
from arena.sandbox import require_sandbox
from bots.cli.output import Code, Stop, err, out, progress
from engines import GAMES

TRUSTED = "--trust: bots run as plain processes; limits are not enforced, and the server accepts no such record."
OR_TRUST = "Or run your own files with --trust."


def draw_seed(given: int | None) -> int:
    """The seed that was asked for, or one that can be typed again."""
    return secrets.randbits(SEED_BITS) if given is None else given


def check_seats(game: str, count: int) -> None:
    """Raises Stop unless the game can be played like that."""
    allowed = GAMES[game].seats
    if count not in allowed:
        numbers = ", ".join(map(str, allowed))
        raise Stop(f"{game} can't be played with {count} seats; choose one of {numbers}.", Code.USAGE)


def fill_table(game: str, entered: Sequence[Entrant], seats: int | None) -> list[Entrant]:
    """One entrant for each seat; bots are repeated to fill them. Raises Stop."""
    count = max(len(entered), GAMES[game].seats[0]) if seats is None else seats
    check_seats(game, count)
    if len(entered) > count:
        raise Stop(f"{len(entered)} bots were named for {count} seats.", Code.USAGE)
    return [entered[index % len(entered)] for index in range(count)]


def warn_of_trust(trust: bool) -> None:
    if trust:
        err.print(f"[yellow]{TRUSTED}[/]")


def play_all(
    series: Sequence[SeriesMatch], field: Sequence[Entrant], title: str, *, jobs: int, trust: bool
) -> list[PlayedMatch]:
    """Play a series with a bar, and put it in order; raises Stop."""
    warn_of_trust(trust)
    try:
        if not trust:
            require_sandbox()
        with progress() as bar:
            task = bar.add_task(escape(title), total=len(series))
            played = []
            for match in play_series(series, field, jobs=jobs, trust=trust):
                played.append(match)
                bar.advance(task)
    except SandboxUnavailable as unavailable:
        raise Stop(f"{unavailable} {OR_TRUST}", Code.SANDBOX) from None
    except BundleRejected as rejected:
        raise Stop(str(rejected), Code.NO, kind=rejected.code) from None
    return sorted(played, key=lambda match: match.game.number)


def fault_list(field: Sequence[Entrant], played: Sequence[PlayedMatch]) -> list[dict[str, Any]]:
    """Every fault for a program to read, with the end of the bot's log."""
    return [
        {
            "match": match.game.number,
            "bot": names_at(field, match)[fault.seat],
            **fault.as_json(),
            "log": log_end(match.record, fault),
        }
        for match in played
        for fault in match.record.faults
    ]


def show_faults(field: Sequence[Entrant], played: Sequence[PlayedMatch]) -> None:
    """Each bot's first fault with its log, framed; the questions that led to it are saved beside."""
    shown = set()
    for match in played:
        for fault in match.record.faults:
            bot = field[match.game.sitting[fault.seat]]
            if bot.name not in shown:
                shown.add(bot.name)
                saved = save_turn(match.record, fault, Path.cwd())
                show_fault(out, bot.name, bot.path, match.record, fault, saved)


def stop_at_failures(field: Sequence[Entrant], played: Sequence[PlayedMatch]) -> None:
    """Raises Stop when the host or a bot failed; the results have been told before."""
    if broken := sum(match.record.is_host_fault for match in played):
        told = f"the host failed in {plural(broken, 'match')}, not through a bot's fault; not counted."
        raise Stop(told, Code.SANDBOX, is_in_answer=True)
    failed = {names_at(field, match)[fault.seat] for match in played for fault in match.record.faults}
    if failed:
        count = sum(bool(match.record.faults) for match in played)
        told = f"{', '.join(sorted(failed))} failed in {count} of {plural(len(played), 'match')}."
        raise Stop(told, Code.NO, kind="fault", is_in_answer=True)
