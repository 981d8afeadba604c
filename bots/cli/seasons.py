"""The closed seasons of a ladder, and the table of one."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

import typer

from arena.desk.sheets import sheet
from bots.cli.client import Client, clean_server
from bots.cli.options import JsonFlag
from bots.cli.output import out, show_json
from bots.cli.remote import show_board, signed_in


def seasons(
    ladder: Annotated[str, typer.Argument(help="The ladder, e.g. gatsby-2.")],
    number: Annotated[
        int | None, typer.Argument(min=1, help="The season whose table is shown (default: list them).")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many rows.")] = 20,
    server: Annotated[str | None, typer.Option(help="The server (default: where you are signed in).")] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the closed seasons of a ladder, or show the table of one as it ended."""
    client = Client(clean_server(server)) if server else signed_in()
    path = f"ladders/{quote(ladder)}/seasons/" + (f"{number}/" if number else "")
    found = client.get(f"{path}?limit={limit}")
    if as_json:
        show_json(found if number else found["results"])
    elif number:
        show_board(f"{ladder}, season {number}, closed {found['closed_at'][:10]}", found["results"])
    elif not found["results"]:
        out.print("No season has been closed yet.")
    else:
        table = sheet(ladder, ("season", "closed by"), ("began", "closed", "rules", "bots", "matches"))
        for one in found["results"]:
            numbers = (one["rules_version"], one["bots"], one["matches"])
            days = (one["began_at"][:10], one["closed_at"][:10])
            table.add_row(str(one["number"]), one["closed_by"], *days, *map(str, numbers))
        out.print(table)
