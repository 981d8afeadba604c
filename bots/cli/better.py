"""Is my new version better? Asks the server, and watches its answer grow."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer
from rich.markup import escape

from bots.cli.client import Client
from bots.cli.options import JsonFlag
from bots.cli.output import Code, Stop, out, progress, show_json
from bots.cli.remote import my_bot, signed_in

LOOK_S = 2.0
NOT_BETTER = {"no_better": "it is not better.", "undecided": "still open after all sets."}


def better(
    bot: Annotated[str, typer.Argument(help="The bot's name.")],
    new: Annotated[int | None, typer.Option(min=1, help="The version that should be better (default: newest).")] = None,
    old: Annotated[int | None, typer.Option(min=1, help="The version to beat (default: the active one).")] = None,
    ladder: Annotated[str | None, typer.Option(help="Where they play (default: the game's smallest table).")] = None,
    switch: Annotated[bool, typer.Option("--switch", help="Make the new version active if it is better.")] = False,
    watch: Annotated[bool, typer.Option(help="Follow the test to its end.")] = True,
    cancel: Annotated[bool, typer.Option("--cancel", help="Call off the test that is under way instead.")] = False,
    game: Annotated[str | None, typer.Option(help="The game, if you have bots of that name in several.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Have the server test whether a new version is better than an old one; one under way is watched on."""
    client = signed_in()
    found = my_bot(client, game, bot)
    duel = _under_way(client, found)
    if cancel:
        duel = _cancelled(client, found, duel)
    elif duel is None:
        asked = {"new": new, "old": old, "ladder": ladder, "switch_when_better": switch}
        sent = {name: value for name, value in asked.items() if value is not None}
        duel = client.post(f"bots/{found['id']}/duels/", sent)
    elif (new or duel["new"], old or duel["old"]) != (duel["new"], duel["old"]):
        told = f"version {duel['new']} is being tested against version {duel['old']}; wait for it or add --cancel."
        raise Stop(told, Code.NO, kind="conflict")
    if watch and not cancel:
        duel = _watch(client, duel)
    _tell(client, duel, as_json=as_json)


def _under_way(client: Client, bot: dict[str, Any]) -> dict[str, Any] | None:
    latest = client.get(f"bots/{bot['id']}/duels/?limit=1")["results"]
    return dict(latest[0]) if latest and latest[0]["status"] == "playing" else None


def _cancelled(client: Client, bot: dict[str, Any], duel: dict[str, Any] | None) -> dict[str, Any]:
    if duel is None:
        raise Stop(f"no test of {bot['name']} is under way.", Code.NO, kind="not_found")
    return dict(client.post(f"duels/{duel['id']}/cancel/"))


def _watch(client: Client, duel: dict[str, Any]) -> dict[str, Any]:
    """Look at a duel until it is over."""
    with progress() as bar:
        task = bar.add_task("", total=duel["most_sets"])
        while duel["status"] == "playing":
            told = f"{100 * duel['score']:.1f} %, {duel['ratio']:+.2f} of ±{duel['bound']:.2f}"
            bar.update(task, completed=duel["sets"], description=told)
            time.sleep(LOOK_S)
            duel = client.get(f"duels/{duel['id']}/")
    return duel


def _tell(client: Client, duel: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        show_json(duel)
    else:
        out.print(escape(duel["verdict"]), highlight=False, soft_wrap=True)
        out.print(f"{client.server}/duels/{duel['id']}/", highlight=False, soft_wrap=True)
    if duel["status"] in NOT_BETTER:
        raise Stop(NOT_BETTER[duel["status"]], Code.NO, kind=duel["status"], is_in_answer=True)
