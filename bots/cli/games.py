"""Commands about the games themselves: list them, and check whether one keeps the contract."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer
from rich.markup import escape

from bots.cli.options import JsonFlag
from bots.cli.output import Code, Stop, err, out, progress, show_json
from engines import GAMES, Game
from engines.contract import Finding, check_game, promises
from engines.games import UnusableOffer, game_at


def list_games(as_json: JsonFlag = False) -> None:
    """The games that can be played here, and where they come from."""
    sources = {offer.name: offer.distribution for offer in GAMES.offers()}
    if as_json:
        show_json({"games": [_line(game, sources) for game in GAMES.values()], "left_out": GAMES.refused()})
        return
    for game in GAMES.values():
        seats = " or ".join(str(seats) for seats in game.seats)
        source = f", from {sources[game.name]}" if game.name in sources else ""
        told = f"{game.name:12} {game.title}, {seats} seats, rules version {game.rules_version}{source}"
        out.print(escape(told), highlight=False, soft_wrap=True)
    for told in GAMES.refused():
        err.print(f"[bold]Left out:[/] {escape(told)}", highlight=False, soft_wrap=True)


def _line(game: Game, sources: dict[str, str]) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "seats": list(game.seats),
        "options": {option: list(values) for option, values in game.options.items()},
        "rules_version": game.rules_version,
        "from": sources.get(game.name),
    }


def check(
    package: Annotated[
        str, typer.Argument(help="A package, its module (`package:GAME`), or the name of a game that is installed.")
    ],
    every_table: Annotated[
        bool, typer.Option("--all", help="Every number of seats with all options, not only the fewest and the most.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Say whether a game keeps everything that the contract of the engines promises."""
    game = _found(package)
    findings = _checked(game, every_table=every_table, as_json=as_json)
    broken = [finding for finding in findings if finding.problem]
    if as_json:
        told = {"game": game.name, "promises": len(findings), "broken": [asdict(finding) for finding in broken]}
        show_json(told)
    if broken:
        told_briefly = f"{game.name} breaks {len(broken)} of {len(findings)} promises."
        raise Stop(told_briefly, Code.NO, kind="broken_promises", is_in_answer=True)
    if not as_json:
        out.print(f"{game.name} keeps all {len(findings)} promises.", highlight=False)


def _checked(game: Game, *, every_table: bool, as_json: bool) -> list[Finding]:
    """Every finding, told as it comes."""
    findings = []
    with progress() as bar:
        task = bar.add_task(f"Checking {game.name}", total=len(promises()))
        for finding in check_game(game, every_table=every_table):
            findings.append(finding)
            bar.advance(task)
            if not as_json:
                _tell(finding)
    return findings


def _tell(finding: Finding) -> None:
    mark = "[bold red]no[/]" if finding.problem else "[green]ok[/]"
    out.print(f"{mark}  {escape(finding.promise)}", highlight=False, soft_wrap=True)
    if finding.problem:
        where = f"{finding.table}: " if finding.table else ""
        out.print(f"      {escape(where + finding.problem)}", highlight=False, soft_wrap=True)


def _found(word: str) -> Game:
    """The game of a name, of an installed distribution, or at a place in a module; raises Stop."""
    names = [offer.name for offer in GAMES.offers() if word in (offer.name, offer.distribution)]
    if word in GAMES or names:
        return GAMES[names[0] if names else word]
    for told in GAMES.refused():
        if told.startswith(f"{word} offers ") or f" the game {word!r}" in told:
            raise Stop(told, Code.NO, kind="unusable_game")
    sys.path.insert(0, "")  # a package in the folder where one stands need not be installed
    try:
        return game_at(word)
    except UnusableOffer as reason:
        known = ", ".join(GAMES)
        told = f"there is no game {word!r}: {reason}. Give the package that holds it, or one of {known}."
        raise Stop(told, Code.USAGE, kind="unknown_game") from None
    finally:
        sys.path.remove("")
