"""`python -m arena doctor`; every other command is one of `rumrunner`."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena.sandbox import doctor

app = typer.Typer(
    name="arena", help="Look after the sandbox of this machine.", no_args_is_help=True, add_completion=False,
    pretty_exceptions_enable=False,
)  # fmt: skip
out = Console()


@app.callback()
def _options() -> None:
    """Say what this machine can play; `rumrunner` plays, verifies and checks."""


@app.command("doctor")
def doctor_command() -> None:
    """Say which layers of the sandbox work here, what is missing and how to get it."""
    report = doctor()
    table = Table()
    for name in ("", "what", "found"):
        table.add_column(name, overflow="fold")
    for check in report.checks:
        mark = "[green]ok[/]" if check.ok else "[red]no[/]" if check.is_needed else "[yellow]no[/]"
        cure = f"\n[bold]Fix:[/] {escape(check.cure)}" if check.cure and not check.ok else ""
        table.add_row(mark, check.name, escape(check.detail) + cure)
    out.print(table)
    if report.ok:
        out.print(f"[green]Matches are played behind {report.sandbox}, {len(report.layers)} layers.[/]")
    else:
        out.print("[red]No match can be played here until the lines marked no are fixed.[/]")
    raise typer.Exit(0 if report.ok else 1)
