"""Commands that play at the desk: play and tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from arena import Limits
from arena.desk.records import write_records
from arena.desk.series import Entrant, PlayedMatch, round_robin, schedule
from arena.desk.sheets import crosstable, plural, result_sheet
from arena.desk.tally import EntrantResult, duels, tally
from bots.cli.desk import entrants, known_game
from bots.cli.options import MOST_GAMES, GameArgument, JobsOption, JsonFlag, SeedOption, TrustFlag
from bots.cli.output import Code, Stop, out, show_json
from bots.cli.table import (
    check_seats,
    draw_seed,
    fault_list,
    fill_table,
    play_all,
    show_faults,
    stop_at_failures,
)
from engines import GAMES


def play(
    game: GameArgument,
    bots: Annotated[list[str], typer.Argument(help="Files, zips, folders or house:NAME, one per seat.")],
    seats: Annotated[int | None, typer.Option(help="Seats at the table; bots are repeated to fill them.")] = None,
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="How many matches.")] = 1,
    seed: SeedOption = None,
    jobs: JobsOption = 1,
    record: Annotated[Path | None, typer.Option(help="Write the records here (.json or .zst).")] = None,
    trust: TrustFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play matches through the arena and show who did how well."""
    table = fill_table(known_game(game), entrants(game, bots), seats)
    if record is not None:
        _check_folder(record)
    first = draw_seed(seed)
    series = schedule(game, table, games=games, seed=first, limits=Limits())
    played = play_all(series, table, game, jobs=jobs, trust=trust)
    if record is not None:
        _write(record, table, played)
    lines = tally(table, played)
    if as_json:
        results, faults = [asdict(line) for line in lines], fault_list(table, played)
        show_json({"game": game, "seed": str(first), "games": games, "results": results, "faults": faults})
    else:
        show_faults(table, played)
        out.print(result_sheet(lines, f"{game}: {plural(games, 'match')} from seed {first}"))
    stop_at_failures(table, played)


def tournament(
    game: GameArgument,
    bots: Annotated[list[str], typer.Argument(help="Files, zips, folders or house:NAME.")],
    seats: Annotated[int | None, typer.Option(help="Seats per table (default: the game's fewest).")] = None,
    games: Annotated[
        int, typer.Option(min=1, max=MOST_GAMES, help="Seeds each table is played with, in all seat rotations.")
    ] = 2,
    seed: SeedOption = None,
    jobs: JobsOption = 1,
    trust: TrustFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Play a round robin: every group of bots that fits a table, from every seat."""
    field = entrants(known_game(game), bots)
    count = GAMES[game].seats[0] if seats is None else seats
    check_seats(game, count)
    if len(field) < count:
        raise Stop(f"{plural(len(field), 'bot')} can't fill a table of {count}: name more.", Code.USAGE)
    first = draw_seed(seed)
    series = round_robin(game, field, seats=count, deals=games, seed=first, limits=Limits())
    played = play_all(series, field, game, jobs=jobs, trust=trust)
    lines, met = tally(field, played), duels(len(field), played)
    if as_json:
        standings = _standings(lines, met)
        show_json({"game": game, "seed": str(first), "standings": standings, "faults": fault_list(field, played)})
    else:
        show_faults(field, played)
        title = f"{game}: {plural(len(series), 'match')} from seed {first}; shares of opponents beaten, in %"
        out.print(crosstable(lines, met, title))
    stop_at_failures(field, played)


def _standings(lines: list[EntrantResult], met: list[list[float | None]]) -> list[dict[str, object]]:
    """The crosstable for a program to read, best first."""
    return [
        {
            "bot": lines[one].name,
            "matches": lines[one].games,
            "score": lines[one].score,
            "interval": [lines[one].low, lines[one].high],
            "faults": lines[one].faults,
            "against": {lines[other].name: met[one][other] for other in range(len(lines)) if other != one},
        }
        for one in sorted(range(len(lines)), key=lambda place: -lines[place].score)
    ]


def _check_folder(path: Path) -> None:
    """A record that can't be written is told before the matches are played, not after."""
    if not path.parent.is_dir():
        raise Stop(f"there is no folder {str(path.parent)!r} for the record; make it first.", Code.USAGE)
    if path.is_dir():
        raise Stop(f"{str(path)!r} is a folder; name a file for the record.", Code.USAGE)


def _write(path: Path, field: Sequence[Entrant], played: Sequence[PlayedMatch]) -> None:
    try:
        write_records(path, field, played)
    except OSError as error:
        raise Stop(f"{error.filename or path} can't be written: {error.strerror}.", Code.USAGE) from None
