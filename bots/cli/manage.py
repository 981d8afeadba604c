"""What an owner changes about a bot on the server: its name, who may play against it, whether it is shown; deletion."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.markup import escape

from bots.cli.options import JsonFlag
from bots.cli.output import Code, Stop, out, show_json
from bots.cli.remote import my_bot, signed_in

NOTHING = "say what to change: --rename, --describe, --people, --no-people, --hide or --show."


def manage(
    bot: Annotated[str, typer.Argument(help="The bot's name.")],
    rename: Annotated[str | None, typer.Option(help="Its new name; results and links stay.")] = None,
    describe: Annotated[str | None, typer.Option(help="What its page says of it.")] = None,
    people: Annotated[bool | None, typer.Option(help="Whether people may play against it.")] = None,
    hide: Annotated[
        bool | None, typer.Option("--hide/--show", help="Take it out of play and lists, or bring it back.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="The game, if you have bots of that name in several.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Rename or describe a bot, open it to people, hide it or show it again."""
    asked = {"name": rename, "description": describe, "plays_people": people, "is_hidden": hide}
    wishes = {name: value for name, value in asked.items() if value is not None}
    if not wishes:
        raise Stop(NOTHING, Code.USAGE)
    client = signed_in()
    changed = client.patch(f"bots/{my_bot(client, game, bot)['id']}/", wishes)
    if as_json:
        show_json(changed)
        return
    shown = "hidden" if changed["is_hidden"] else "shown"
    people_may = "may" if changed["plays_people"] else "may not"
    out.print(f"[bold]{escape(changed['name'])}[/] is {shown}; people {people_may} play against it.", highlight=False)


def delete(
    bot: Annotated[str, typer.Argument(help="The bot's name.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask.")] = False,
    game: Annotated[str | None, typer.Option(help="The game, if you have bots of that name in several.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete a bot; if it has met others, it stays without a name, because their results depend on it."""
    client = signed_in()
    found = my_bot(client, game, bot)
    if not yes:
        _ask_for_name(found)
    client.delete(f"bots/{found['id']}/", {"name": found["name"]})
    if as_json:
        show_json({"deleted": found})
    else:
        out.print(f"{escape(found['name'])} has been deleted.", highlight=False)


def _ask_for_name(bot: dict[str, Any]) -> None:
    typed = typer.prompt(f"This can't be undone. Type {bot['name']} to delete it", err=True, default="")
    if typed != bot["name"]:
        raise Stop(f"{typed!r} is not {bot['name']!r}: nothing was deleted.", Code.NO, kind="stopped")
