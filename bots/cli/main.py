"""The `rumrunner` command."""

from __future__ import annotations

import functools
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Any, NoReturn

import typer

from arena.protocol import PROTOCOL
from arena.version import VERSION
from bots.cli import better, compare, games, local, manage, playing, remote, replay, seasons, versus
from bots.cli.client import NOT_OURS
from bots.cli.output import Code, Stop, show_json, stop
from engines import GAMES

app = typer.Typer(
    name="rumrunner",
    help="Write, try and submit bots. Exit codes: 0 yes, 1 no, 2 misused, 3 no sandbox, 4 server, 5 not signed in.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        rules = ", ".join(f"{game.name} {game.rules_version}" for game in GAMES.values())
        print(f"rumrunner {VERSION}; protocol {PROTOCOL}; rules: {rules}")
        raise typer.Exit


def _unusable(error: OSError) -> Stop:
    what = f"{str(error.filename)[:80]!r} can't be used" if error.filename else "something can't be written or read"
    return Stop(f"{what}: {error.strerror or error}.", Code.USAGE)


def _answered(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with every problem told in one line and a code."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            command(*args, **kwargs)
        except Stop as problem:
            stop(problem, as_json=as_json)
        except (KeyboardInterrupt, typer.Abort):
            stop(Stop("stopped.", Code.NO, kind="stopped"), as_json=as_json)
        except UnicodeEncodeError as error:  # a word of the command line that is no text
            told = f"{error.object[:80]!r} contains bytes that are not UTF-8. Type it again, or rename the file."
            stop(Stop(told, Code.USAGE), as_json=as_json)
        except BrokenPipeError:
            raise  # whoever read along has had enough: nobody is left to be told
        except OSError as error:
            stop(_unusable(error), as_json=as_json)

    return run


def _understood(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with an answer of another shape than the API's told as what it is: not a Rumrunner's."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except UnicodeEncodeError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError) as surprise:
            told = f"the server's answer can't be understood ({type(surprise).__name__}: {surprise}); it {NOT_OURS}"
            raise Stop(told, Code.SERVER, kind="wrong_version") from surprise

    return run


REMOTE: dict[str, Callable[..., None]] = {
    "login": remote.login,
    "submit": remote.submit,
    "check-again": remote.check_again,
    "status": remote.status,
    "logs": remote.logs,
    "leaderboard": remote.leaderboard,
    "seasons": seasons.seasons,
    "versus": versus.versus,
    "better": better.better,
    "manage": manage.manage,
    "delete": manage.delete,
}
COMMANDS: dict[str, Callable[..., None]] = {
    "new": local.new,
    "play": playing.play,
    "tournament": playing.tournament,
    "compare": compare.compare,
    "check": local.check,
    "replay": replay.replay,
    "verify": local.verify_records,
    "games": games.list_games,
    "check-game": games.check,
    **{name: _understood(command) for name, command in REMOTE.items()},
}
for _name, _command in COMMANDS.items():
    app.command(_name)(_answered(_command))


@app.callback()
def _options(
    is_asked: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_tell_version, help="Show the version.")
    ] = False,
) -> None:
    """Options before the command."""


def main() -> None:
    """Run the command line and see that what it said has arrived."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files need not be text, nor terminals know all
    try:
        try:
            _run()
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or Python tries once more, and says so, when it ends
        if isinstance(error, BrokenPipeError):
            raise SystemExit(int(Code.NO)) from None
        with suppress(typer.Exit):
            stop(_unusable(error), as_json=False)
        raise SystemExit(int(Code.USAGE)) from None


def _run() -> NoReturn:
    """Do what the words of the command line ask; with --json it is told in JSON, too, that they can't be understood."""
    if "--json" not in sys.argv[1:]:
        app(prog_name="rumrunner")
    try:
        code = app(prog_name="rumrunner", standalone_mode=False)
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer has a click of its own; its errors are known by this
            raise
        show_json({"error": {"code": "usage", "message": error.format_message()}})
        code = int(Code.USAGE)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
