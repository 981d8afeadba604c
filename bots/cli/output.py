"""How the command line speaks: tables for people, JSON for programs, one line and a code for what went wrong."""

from __future__ import annotations

import enum
import json
import sys
from typing import Any, NoReturn

import orjson
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

out = Console()
err = Console(stderr=True)


class Code(enum.IntEnum):
    """What the command's exit code says; docs/3-tutorial.md lists them."""

    OK = 0
    NO = 1  # the answer is no: a bot is not sound or failed, a record does not hold, a version was rejected
    USAGE = 2  # the command could not be understood, or a file is missing
    SANDBOX = 3  # no sandbox here, or the host failed
    SERVER = 4  # the server can't be reached, is no Rumrunner of API version 1, or plays by other rules
    SIGN_IN = 5  # no token, or one that is no longer accepted


class Stop(Exception):
    """Ends a command with a message and a code."""

    def __init__(self, message: str, code: Code = Code.NO, *, kind: str = "", is_in_answer: bool = False) -> None:
        """is_in_answer: the JSON answer that was given says so already."""
        super().__init__(message)
        self.is_in_answer = is_in_answer
        self.message = message
        self.code = code
        self.kind = kind or code.name.lower()


def show_json(value: Any) -> None:
    """One JSON value on stdout; names of files that are no text have their bytes as escapes."""
    try:
        told = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except orjson.JSONEncodeError:
        told = json.dumps(value, indent=2)
    sys.stdout.write(told + "\n")


def stop(problem: Stop, *, as_json: bool) -> NoReturn:
    """Tell a problem and end."""
    if as_json and not problem.is_in_answer:
        show_json({"error": {"code": problem.kind, "message": problem.message}})
    elif not as_json:
        err.print(f"[bold red]Error:[/] {escape(problem.message)}", soft_wrap=True, highlight=False)
    raise typer.Exit(int(problem.code))


def progress() -> Progress:
    """A bar on stderr that leaves nothing behind, and is not there where nobody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
