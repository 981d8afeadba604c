"""Commands that need no server and play no series: new, check, verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from arena import BundleRejected, InvalidRecord, SandboxUnavailable, Verification, read_record, verify
from arena.desk.check import CannotCheck, check_upload
from arena.desk.trials import HostFailed
from bots.cli.desk import find_record, known_game, make_starter, upload_bytes
from bots.cli.options import GameArgument, JsonFlag, TrustFlag
from bots.cli.output import Code, Stop, out, show_json
from bots.cli.table import OR_TRUST, warn_of_trust


def new(
    game: GameArgument,
    folder: Annotated[Path | None, typer.Argument(help="The folder to create; its name is the bot's name.")] = None,
    runtime: Annotated[str, typer.Option(help="python, node or c.")] = "python",
    as_json: JsonFlag = False,
) -> None:
    """Make a folder with a bot that plays sensibly, to start from."""
    made = make_starter(known_game(game), folder or Path(f"my-{game.replace('_', '-')}-bot"), runtime=runtime)
    if as_json:
        show_json({"folder": str(made), "game": game, "files": sorted(path.name for path in made.iterdir())})
        return
    name = escape(str(made))
    files = ", ".join(sorted(path.name for path in made.iterdir()))
    out.print(f"Made [bold]{name}[/] with {files}.", highlight=False)
    if (made / "Makefile").exists():
        out.print("Build it first, which takes make and a C compiler (Debian: apt install build-essential):")
        out.print(f"  make -C {name}", highlight=False, soft_wrap=True)
    out.print("Then play it and see whether it would qualify:")
    out.print(f"  rumrunner play {game} {name} house:random --games 10", highlight=False, soft_wrap=True)
    out.print(f"  rumrunner check {name}", highlight=False, soft_wrap=True)


def check(
    file: Annotated[Path, typer.Argument(help="A .py file, a zip or a folder.")],
    game: Annotated[str | None, typer.Option(help="The game, if its manifest names none.")] = None,
    seats: Annotated[
        list[int] | None, typer.Option(help="Numbers of seats to check, instead of the default ladders.")
    ] = None,
    trust: TrustFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Say exactly what an upload of this bot would be told: the bundle, then the trials."""
    warn_of_trust(trust)
    upload = upload_bytes(file)
    try:
        report = check_upload(
            upload,
            game=None if game is None else known_game(game),
            seats=seats or (),
            trust=trust,
            out=None if as_json else out,
        )
    except BundleRejected as rejected:
        raise Stop(str(rejected), Code.NO, kind=rejected.code) from None
    except CannotCheck as error:
        raise Stop(str(error), Code.USAGE) from None
    except SandboxUnavailable as unavailable:
        raise Stop(f"{unavailable} {OR_TRUST}", Code.SANDBOX) from None
    except HostFailed as error:
        raise Stop(str(error), Code.SANDBOX) from None
    if as_json:
        show_json(report.as_json())
    if not report.ok:
        raise Stop("it would be rejected: it failed a trial.", Code.NO, kind="rejected", is_in_answer=True)
    if not as_json:
        out.print("[green]It would qualify.[/]")


def verify_records(
    files: Annotated[list[Path], typer.Argument(help="Records, .json or .zst.")], as_json: JsonFlag = False
) -> None:
    """Re-play records and compare outcome, ranks and digest; of those under older rules digest and shape."""
    answers = []
    for path in files:
        find_record(path)
        try:
            verdict = verify(read_record(path))
        except (InvalidRecord, OSError) as error:
            verdict = Verification((str(error),))
        note = {"note": verdict.note} if verdict.note else {}
        answers.append({"file": str(path), "ok": verdict.ok, "problems": verdict.problems, **note})
    if as_json:
        show_json(answers)
    for answer in [] if as_json else answers:
        told = f"[yellow]{answer['note']}[/]; " if "note" in answer else ""
        held = "digest and structure are intact" if told else "[green]verified[/]"
        out.print(f"{escape(str(answer['file']))}: {told}{held if answer['ok'] else '[red]does not hold[/]'}")
        for problem in answer["problems"]:  # type: ignore[attr-defined]
            out.print(f"  {escape(problem)}", soft_wrap=True)
    if not all(answer["ok"] for answer in answers):
        raise Stop("not every record checks out.", Code.NO, kind="not_verified", is_in_answer=True)
