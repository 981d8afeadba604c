"""Commands that need no server: new, play, tournament, check, verify."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.markup import escape
from rich.table import Table

from arena import BundleRejected, InvalidRecord, Limits, MatchRecord, SandboxUnavailable, pack, read_record, verify
from arena.desk.check import CannotCheck, check_upload
from arena.desk.faults import log_end, save_turn, show_fault
from arena.desk.series import Entrant, Game, Played, play_series, schedule
from arena.desk.tally import interval, scores, tally
from arena.desk.trials import HostFailed
from arena.sandbox import require_sandbox
from bots.cli.desk import entrants, known_game, make_starter, upload_bytes
from bots.cli.output import Code, Stop, err, out, progress, show_json
from engines import GAMES

TRUSTED = "--trust: bots run as plain processes; limits are not enforced and the server takes no such record."
OR_TRUST = "Or run your own files with --trust."
JsonFlag = Annotated[bool, typer.Option("--json", help="Answer with one JSON value.")]
TrustFlag = Annotated[bool, typer.Option("--trust", help="Run your own files without the sandbox.")]
JobsOption = Annotated[int, typer.Option(min=1, max=64, help="Matches at the same time.")]


def new(
    game: Annotated[str, typer.Argument(help="speak_easy, gatsby, capone or cotton_club.")],
    folder: Annotated[Path | None, typer.Argument(help="Where to put it; its name is the bot's name.")] = None,
    runtime: Annotated[str, typer.Option(help="python, node or c.")] = "python",
    as_json: JsonFlag = False,
) -> None:
    """Make a folder with a bot that plays sensibly, to start from."""
    made = make_starter(known_game(game), folder or Path(f"my-{game.replace('_', '-')}-bot"), runtime=runtime)
    if as_json:
        show_json({"folder": str(made), "game": game, "files": sorted(path.name for path in made.iterdir())})
        return
    out.print(f"Made [bold]{escape(str(made))}[/]. Next:")
    out.print(f"  rumrunner play {game} {escape(str(made))} house:random --games 10", highlight=False)


def play(
    game: Annotated[str, typer.Argument(help="The game.")],
    bots: Annotated[list[str], typer.Argument(help="Files, zips, folders or house:NAME, one a seat.")],
    seats: Annotated[int | None, typer.Option(help="Seats at the table; bots are repeated to fill them.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1,
    seed: Annotated[int | None, typer.Option(min=0, help="The first seed; drawn if not given.")] = None,
    jobs: JobsOption = 1,
    record: Annotated[Path | None, typer.Option(help="Write the records here (.json or .zst).")] = None,
    trust: TrustFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play matches through the arena and show who did how well."""
    table = _table(known_game(game), entrants(game, bots), seats)
    first = secrets.randbits(128) if seed is None else seed
    played = _play(schedule(game, table, games=games, seed=first, limits=Limits()), table, game, jobs, trust)
    if record is not None:
        _write(record, [match.record for match in played])
    if as_json:
        lines = [asdict(line) for line in tally(table, played)]
        show_json({"game": game, "seed": str(first), "games": games, "results": lines, "faults": _fault_list(played)})
    else:
        _show_faults(table, played)
        _show_results(table, played, f"{game}: {games} matches from seed {first}")
    if any(match.record.is_host_fault for match in played):
        raise Stop("some matches failed through the host, not through a bot; they are not counted.", Code.SANDBOX)


def tournament(
    game: Annotated[str, typer.Argument(help="The game.")],
    bots: Annotated[list[str], typer.Argument(help="Files, zips, folders or house:NAME.")],
    seats: Annotated[int | None, typer.Option(help="Seats at a table; the fewest the game has.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Seeds each table is played with, in all seat rotations.")] = 2,
    seed: Annotated[int | None, typer.Option(min=0, help="The first seed; drawn if not given.")] = None,
    jobs: JobsOption = 1,
    trust: TrustFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play a round robin: every group of bots that fits a table, from every seat."""
    field = entrants(known_game(game), bots)
    count = GAMES[game].seats[0] if seats is None else seats
    _check_seats(game, count)
    if len(field) < count:
        raise Stop(f"{len(field)} bots are too few for tables of {count}.", Code.USAGE)
    first = secrets.randbits(128) if seed is None else seed
    results: dict[tuple[str, str], list[float]] = defaultdict(list)
    points: dict[str, list[float]] = {bot.name: [] for bot in field}
    for table in combinations(field, count):
        series = schedule(game, table, games=games * count, seed=first, limits=Limits())
        played = _play(series, table, " – ".join(bot.name for bot in table), jobs, trust)
        for match in played:
            _count(match, table, points, results)
    standing = sorted(points, key=lambda name: -sum(points[name]) / max(1, len(points[name])))
    if as_json:
        show_json({"game": game, "seed": str(first), "standings": _standing_json(standing, points, results)})
    else:
        _show_crosstable(standing, points, results, f"{game}: round robin of {len(field)} from seed {first}")


def check(
    file: Annotated[Path, typer.Argument(help="A .py file, a zip or a folder.")],
    game: Annotated[str | None, typer.Option(help="The game it must be for, when its manifest names none.")] = None,
    seats: Annotated[list[int] | None, typer.Option(help="Other tables than those of a new service.")] = None,
    trust: TrustFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Say exactly what an upload of this bot would be told: the bundle, then the trials."""
    if trust:
        err.print(f"[yellow]{TRUSTED}[/]")
    upload = upload_bytes(file)
    try:
        report = check_upload(
            upload, game=game and known_game(game), seats=seats or (), trust=trust, out=None if as_json else out
        )
    except BundleRejected as rejected:
        raise Stop(str(rejected), Code.NO, kind=rejected.code) from None
    except CannotCheck as error:
        raise Stop(str(error), Code.USAGE) from None
    except SandboxUnavailable as unavailable:
        raise Stop(f"{unavailable} {OR_TRUST}", Code.SANDBOX) from None
    except HostFailed as error:
        raise Stop(str(error), Code.SANDBOX) from None
    if as_json:
        show_json(report.as_json())
        raise typer.Exit(int(Code.OK if report.ok else Code.NO))
    if not report.ok:
        raise Stop("it would be rejected: it failed a trial.", Code.NO, kind="rejected")
    out.print("[green]It would qualify.[/]")


def verify_records(
    files: Annotated[list[Path], typer.Argument(help="Records, .json or .zst.")], as_json: JsonFlag = False
) -> None:
    """Re-play records and compare outcome, ranks and digest."""
    answers = []
    for path in files:
        try:
            problems = list(verify(read_record(path)).problems)
        except (InvalidRecord, OSError) as error:
            problems = [str(error)]
        answers.append({"file": str(path), "ok": not problems, "problems": problems})
    if as_json:
        show_json(answers)
    for answer in [] if as_json else answers:
        out.print(f"{escape(str(answer['file']))}: {'[green]verified[/]' if answer['ok'] else '[red]does not hold[/]'}")
        for problem in answer["problems"]:  # type: ignore[attr-defined]
            out.print(f"  {escape(problem)}", soft_wrap=True)
    if not all(answer["ok"] for answer in answers):
        raise Stop("not every record holds.", Code.NO, kind="not_verified")


def _check_seats(game: str, count: int) -> None:
    allowed = GAMES[game].seats
    if count not in allowed:
        numbers = ", ".join(map(str, allowed))
        raise Stop(f"{game} can't be played with {count} seats; choose one of {numbers}.", Code.USAGE)


def _table(game: str, entered: list[Entrant], seats: int | None) -> list[Entrant]:
    """One entrant for each seat; bots are repeated to fill them."""
    count = max(len(entered), GAMES[game].seats[0]) if seats is None else seats
    _check_seats(game, count)
    if len(entered) > count:
        raise Stop(f"{len(entered)} bots were named for {count} seats.", Code.USAGE)
    return [entered[index % len(entered)] for index in range(count)]


def _play(series: Sequence[Game], table: Sequence[Entrant], title: str, jobs: int, trust: bool) -> list[Played]:
    if trust:
        err.print(f"[yellow]{TRUSTED}[/]")
    try:
        if not trust:
            require_sandbox()
        with progress() as bar:
            task = bar.add_task(escape(title), total=len(series))
            played = []
            for match in play_series(series, table, jobs=jobs, trust=trust):
                played.append(match)
                bar.advance(task)
    except SandboxUnavailable as unavailable:
        raise Stop(f"{unavailable} {OR_TRUST}", Code.SANDBOX) from None
    return sorted(played, key=lambda match: match.game.number)


def _write(path: Path, records: list[MatchRecord]) -> None:
    try:
        for number, record in enumerate(records):
            name = path if len(records) == 1 else path.with_name(f"{path.stem}-{number + 1:04}{path.suffix}")
            name.write_bytes(pack(record) if name.suffix == ".zst" else orjson.dumps(record.as_json()) + b"\n")
    except OSError as error:
        raise Stop(f"{error.filename} can't be written: {error.strerror}.", Code.USAGE) from None


def _fault_list(played: Sequence[Played]) -> list[dict[str, object]]:
    return [
        {"match": match.game.number, **fault.as_json(), "log": log_end(match.record, fault)}
        for match in played
        for fault in match.record.faults
    ]


def _show_faults(table: Sequence[Entrant], played: Sequence[Played]) -> None:
    """Each bot's first fault with its log, framed; the questions that led to it are saved beside."""
    shown = set()
    for match in played:
        for fault in match.record.faults:
            bot = table[match.game.sitting[fault.seat]]
            if bot.name not in shown:
                shown.add(bot.name)
                saved = save_turn(match.record, fault, Path.cwd())
                show_fault(out, bot.name, bot.path, match.record, fault, saved)


def _show_results(table: Sequence[Entrant], played: Sequence[Played], title: str) -> None:
    sheet = Table(title=escape(title))
    for head in ("bot", "matches", "score", "95 % interval", "first", "faults", "cpu ms/act"):
        sheet.add_column(head, justify="left" if head == "bot" else "right")
    for line in tally(table, played):
        sheet.add_row(
            escape(line.name), str(line.games), f"{line.score:.1%}", f"{line.low:.1%} to {line.high:.1%}",
            str(line.firsts), str(line.faults), f"{line.cpu_ms_per_act:.2f}",
        )  # fmt: skip
    out.print(sheet)


def _count(
    match: Played,
    table: Sequence[Entrant],
    points: dict[str, list[float]],
    results: dict[tuple[str, str], list[float]],
) -> None:
    """Add one match to the standings and to the crosstable."""
    ranks = match.record.ranks
    if ranks is None or match.record.is_void:
        return
    names = [table[index].name for index in match.game.sitting]
    for seat, share in enumerate(scores(ranks)):
        points[names[seat]].append(share)
        for other, rank in enumerate(ranks):
            if other != seat:
                duel = 1.0 if ranks[seat] < rank else 0.5 if ranks[seat] == rank else 0.0
                results[names[seat], names[other]].append(duel)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _standing_json(
    standing: list[str], points: dict[str, list[float]], results: dict[tuple[str, str], list[float]]
) -> list[dict[str, object]]:
    return [
        {
            "bot": name,
            "matches": len(points[name]),
            "score": _mean(points[name]),
            "interval": interval(points[name]),
            "against": {other: _mean(results[name, other]) for other in standing if other != name},
        }
        for name in standing
    ]


def _show_crosstable(
    standing: list[str], points: dict[str, list[float]], results: dict[tuple[str, str], list[float]], title: str
) -> None:
    sheet = Table(title=escape(title))
    for head in ("", "bot", "score", "95 % interval", *(str(i + 1) for i in range(len(standing)))):
        sheet.add_column(head, justify="left" if head == "bot" else "right")
    for place, name in enumerate(standing):
        low, high = interval(points[name])
        cells = ["" if other == name else f"{_mean(results[name, other]):.2f}" for other in standing]
        score = f"{_mean(points[name]):.1%}"
        sheet.add_row(str(place + 1), escape(name), score, f"{low:.1%} to {high:.1%}", *cells)
    out.print(sheet)
