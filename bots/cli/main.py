"""The `rumrunner` command."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import typer

from bots.cli import local, remote, replay
from bots.cli.output import Code, Stop, stop

app = typer.Typer(
    name="rumrunner",
    help="Write, try and submit bots. Exit codes: 0 yes, 1 no, 2 misused, 3 no sandbox, 4 server, 5 not signed in.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _answered(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with every problem told in one line and a code."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            command(*args, **kwargs)
        except Stop as problem:
            stop(problem, as_json=as_json)
        except KeyboardInterrupt:
            stop(Stop("stopped.", Code.NO, kind="stopped"), as_json=as_json)

    return run


COMMANDS: dict[str, Callable[..., None]] = {
    "new": local.new,
    "play": local.play,
    "tournament": local.tournament,
    "check": local.check,
    "replay": replay.replay,
    "verify": local.verify_records,
    "login": remote.login,
    "submit": remote.submit,
    "status": remote.status,
    "logs": remote.logs,
    "leaderboard": remote.leaderboard,
}
for _name, _command in COMMANDS.items():
    app.command(_name)(_answered(_command))


def main() -> None:
    """Run the command line."""
    app(prog_name="rumrunner")


if __name__ == "__main__":
    main()
