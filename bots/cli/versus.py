"""Two bots or versions of a ladder side by side, by everything the server knows."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote, urlencode

import typer
from rich.markup import escape

from arena.desk.sheets import plural, sheet
from bots.cli.client import Client, clean_server
from bots.cli.options import JsonFlag
from bots.cli.output import out, show_json
from bots.cli.remote import signed_in


def versus(
    ladder: Annotated[str, typer.Argument(help="The ladder, e.g. gatsby-2.")],
    one: Annotated[str, typer.Argument(help='A bot on it, or a version: "lamplighter v3".')],
    other: Annotated[str, typer.Argument(help="Another one.")],
    server: Annotated[str | None, typer.Option(help="The server (default: where you are signed in).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show which of two bots or versions is better, and how sure that is."""
    client = Client(clean_server(server)) if server else signed_in()
    found = client.get(f"ladders/{quote(ladder)}/compare/?{urlencode({'a': one, 'b': other})}")
    if as_json:
        show_json(found)
        return
    for line in _told(found):
        out.print(escape(line), highlight=False, soft_wrap=True)
    if found["common"]:
        table = sheet("common opponents", ("bot",), (_name(found["one"]), _name(found["other"])))
        for met in found["common"]:
            shares = (_share(met[side], met[f"{side}_matches"]) for side in ("one", "other"))
            table.add_row(escape(met["bot"]), *shares)
        out.print(table)


def _name(place: dict[str, Any]) -> str:
    return f"{place['bot']} v{place['version']}"


def _share(share: float, matches: int) -> str:
    return f"{100 * share:.0f} % of {matches}"


def _told(found: dict[str, Any]) -> list[str]:
    one, more = _name(found["one"]), found["matches_to_separate"]
    needed = "they look equal" if more is None else f"about {plural(more, 'match')}" if more else "none: it is clear"
    lines = [
        f"{_name(place)}: {place['rating']:.1f}, 95 % interval {place['low']:.1f} to {place['high']:.1f}"
        for place in (found["one"], found["other"])
    ]
    lines += [
        f"{one} is stronger with a probability of {100 * found['p_better']:.1f} %, and wins their next match with "
        f"{100 * found['p_wins_next']:.1f} %.",
        f"Matches needed to tell them apart: {needed}.",
    ]
    return [*lines, _met(one, found["head_to_head"])]


def _met(one: str, met: dict[str, Any] | None) -> str:
    if met is None:
        return "They have not met in a rated match."
    return (
        f"Head to head: {one} got {100 * met['share']:.1f} % in {plural(met['matches'], 'match')} of "
        f"{plural(met['sets'], 'set')}; 95 % interval {100 * met['low']:.0f} to {100 * met['high']:.0f} %."
    )
