"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

MOST_GAMES = 100_000  # a series is drawn up before it is played

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]
TrustFlag = Annotated[bool, typer.Option("--trust", help="Run your own files without the sandbox.")]
JobsOption = Annotated[int, typer.Option(min=1, max=64, help="Matches to play at the same time.")]
SeedOption = Annotated[int | None, typer.Option(min=0, max=(1 << 128) - 1, help="The first seed (default: random).")]
GameArgument = Annotated[str, typer.Argument(help="A game, such as gatsby; `rumrunner games` lists them.")]
