"""The commands of `python -m arena`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated, NoReturn

import orjson
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from arena.bundle import BundleRejected
from arena.desk.check import CannotCheck, check_upload
from arena.desk.records import write_records
from arena.desk.series import SEED_BITS, Entrant, Played, enter, play_series, schedule
from arena.desk.sheets import plural, result_sheet
from arena.desk.tally import tally
from arena.desk.trials import HostFailed
from arena.desk.upload import upload_of
from arena.order import InvalidOrder, Limits
from arena.packing import read_record
from arena.record import InvalidRecord
from arena.sandbox import SandboxUnavailable, doctor, require_sandbox
from arena.verification import Verification, verify
from engines import GAMES

app = typer.Typer(
    name="arena", help="Play, verify and check on your own machine.", no_args_is_help=True, add_completion=False,
    pretty_exceptions_enable=False,
)  # fmt: skip
out = Console()
err = Console(stderr=True)


def _stop(message: str, code: int = 1) -> NoReturn:
    err.print(f"[bold red]Error:[/] {escape(message)}", soft_wrap=True)
    raise typer.Exit(code)


def _known(game: str) -> str:
    if game not in GAMES:
        _stop(f"there is no game {game!r}; the games are {', '.join(GAMES)}.", 2)
    return game


@app.command("play")
def play_command(
    game: Annotated[str, typer.Argument(help="The game, for example gatsby.")],
    bots: Annotated[list[Path], typer.Argument(help="A .py file, a zip or a folder for each seat.")],
    seats: Annotated[int | None, typer.Option(help="Seats at the table; the bots are repeated to fill them.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The first seed (default: random).")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="How many at once.")] = 1,
    record: Annotated[Path | None, typer.Option(help="Write the record here (.json or .zst).")] = None,
    trust: Annotated[bool, typer.Option("--trust", help="Run your own files without a sandbox.")] = False,
) -> None:
    """Play matches between bots and show who did how well."""
    entrants = _entrants(_known(game), bots, seats)
    first = secrets.randbits(SEED_BITS) if seed is None else seed
    if trust:
        err.print("[yellow]--trust: the bots run as plain processes; limits are not enforced.[/]")
    try:
        if not trust:
            require_sandbox()
        table = schedule(game, entrants, games=games, seed=first, limits=Limits())
        played = []
        with _progress() as bar:
            task = bar.add_task(f"{game}", total=games)
            for match in play_series(table, entrants, jobs=jobs, trust=trust):
                played.append(match)
                bar.advance(task)
    except (SandboxUnavailable, BundleRejected, InvalidOrder) as error:
        _stop(str(error))
    played.sort(key=lambda match: match.game.number)
    if record is not None:
        try:
            write_records(record, entrants, played)
        except OSError as error:
            _stop(f"{error.filename} can't be written: {error.strerror}.")
    _show(entrants, played, first)


def _entrants(game: str, bots: list[Path], seats: int | None) -> list[Entrant]:
    allowed = GAMES[game].seats
    count = seats if seats is not None else max(len(bots), allowed.start)
    if count not in allowed:
        _stop(f"{game} can't be played with {count} seats; choose one of {', '.join(map(str, allowed))}.", 2)
    if len(bots) > count:
        _stop(f"{len(bots)} bots were named for {count} seats.", 2)
    try:
        entered = [enter(path, game) for path in bots]
    except BundleRejected as error:
        _stop(f"{error.code}: {error}")
    return [entered[index % len(entered)] for index in range(count)]


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)


def _show(entrants: list[Entrant], played: list[Played], seed: int) -> None:
    for match in played:
        if match.record.is_host_fault:
            err.print(f"[red]game {match.game.number + 1}: host fault: {escape(match.record.host.problem)}[/]")
        for fault in match.record.faults:
            who = entrants[match.game.sitting[fault.seat]].name
            err.print(f"[yellow]game {match.game.number + 1}: {escape(who)} (seat {fault.seat}): {fault.kind} "
                      f"at {fault.stage}, ply {fault.ply}: {escape(fault.reason)}[/]")  # fmt: skip
    out.print(result_sheet(tally(entrants, played), f"{plural(len(played), 'match')} from seed {seed}"))


@app.command("verify")
def verify_command(files: Annotated[list[Path], typer.Argument(help="Records, JSON or zstd.")]) -> None:
    """Replay records and compare outcome, ranks and digest."""
    is_bad = False
    for path in files:
        try:
            verdict = verify(read_record(path))
        except InvalidRecord as error:
            verdict = Verification((str(error),))
        is_bad = is_bad or not verdict.ok
        held = f"{verdict.note}; digest and structure are intact" if verdict.note else "[green]verified[/]"
        out.print(f"{escape(str(path))}: {held if verdict.ok else '[red]does not hold[/]'}")
        for problem in verdict.problems:
            out.print(f"  {escape(problem)}", soft_wrap=True)
    raise typer.Exit(1 if is_bad else 0)


@app.command("doctor")
def doctor_command() -> None:
    """Say which layers of the sandbox work here, what is missing and how to get it."""
    report = doctor()
    table = Table()
    for name in ("", "what", "found"):
        table.add_column(name, overflow="fold")
    for check in report.checks:
        mark = "[green]ok[/]" if check.ok else "[red]no[/]" if check.is_needed else "[yellow]no[/]"
        cure = f"\n[bold]Fix:[/] {escape(check.cure)}" if check.cure and not check.ok else ""
        table.add_row(mark, check.name, escape(check.detail) + cure)
    out.print(table)
    if report.ok:
        out.print(f"[green]Matches are played behind {report.sandbox}, {len(report.layers)} layers.[/]")
    else:
        out.print("[red]No match can be played here until the lines marked no are fixed.[/]")
    raise typer.Exit(0 if report.ok else 1)


@app.command("check")
def check_command(
    file: Annotated[Path, typer.Argument(help="A .py file, a zip or a folder.")],
    game: Annotated[str | None, typer.Option(help="The game it must be for.")] = None,
    seats: Annotated[
        list[int] | None, typer.Option(help="Numbers of seats to check, instead of the default ladders.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON value.")] = False,
) -> None:
    """Say exactly what an upload of this file would be told: the bundle, then the trials."""
    try:
        report = check_upload(
            upload_of(file), game=game and _known(game), seats=seats or (), out=None if as_json else out
        )
    except OSError as error:
        _stop(f"{file} can't be read: {error.strerror}.", 2)
    except BundleRejected as error:
        _stop(f"{error.code}: {error}")
    except CannotCheck as error:
        _stop(str(error), 2)
    except (SandboxUnavailable, HostFailed) as error:
        _stop(str(error), 3)
    if as_json:
        print(orjson.dumps(report.as_json(), option=orjson.OPT_INDENT_2).decode())
    elif report.ok:
        out.print("[green]It would qualify.[/]")
    if not report.ok:
        _stop("it would be rejected: it failed a trial.")
